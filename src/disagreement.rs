//! How two implementations disagree on the same input, as a class.
//!
//! ```
//! use anysplit::disagreement::{Class, classify};
//! use anysplit::event::Event;
//!
//! assert_eq!(classify(&[Event::text("a b")], &[Event::text("ab")]), Some(Class::Whitespace));
//! assert_eq!(classify(&[Event::text("ab")], &[Event::text("a")]), Some(Class::Loss));
//! ```

use std::fmt;

use crate::event::Event;

/// A kind of disagreement, from the point of view of the first of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// One gives no answer.
    Error,
    /// Only blanks differ.
    Whitespace,
    /// The same events, in another order.
    Order,
    /// The same calls, with other arguments or fields.
    Arguments,
    /// Something comes more often.
    Duplicate,
    /// Several calls have become fewer, and nothing shows them.
    Merge,
    /// Text comes out that the first does not give: of a call, for example.
    Leak,
    /// Something of the first is missing.
    Loss,
    /// The same events, later.
    Late,
    /// None of these.
    Other,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 10] = [
        Self::Error,
        Self::Loss,
        Self::Leak,
        Self::Arguments,
        Self::Merge,
        Self::Duplicate,
        Self::Order,
        Self::Whitespace,
        Self::Late,
        Self::Other,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Whitespace => "whitespace",
            Self::Order => "order",
            Self::Arguments => "arguments",
            Self::Duplicate => "duplicate",
            Self::Merge => "merge",
            Self::Leak => "leak",
            Self::Loss => "loss",
            Self::Late => "late",
            Self::Other => "other",
        }
    }

    /// What it means.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Error => "one gives no answer",
            Self::Whitespace => "only blanks differ",
            Self::Order => "the same events in another order",
            Self::Arguments => "the same events with other fields",
            Self::Duplicate => "something comes more often",
            Self::Merge => "several calls became fewer",
            Self::Leak => "text comes out that the other does not give",
            Self::Loss => "something is missing",
            Self::Late => "the same events, later",
            Self::Other => "something else",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How the second of two outcomes, both in normal form, differs from the first; nothing where they are equal.
pub fn classify(first: &[Event], second: &[Event]) -> Option<Class> {
    if first == second {
        return None;
    }
    let (one, two) = (Parts::of(first), Parts::of(second));
    Some(if one.calls == two.calls && one.text != two.text && one.bare_text() == two.bare_text() {
        Class::Whitespace
    } else if one.calls_in_any_order() == two.calls_in_any_order() && one.text == two.text {
        Class::Order
    } else if one.text == two.text && two.only_repeats(&one) {
        Class::Duplicate
    } else if one.text == two.text && one.kinds() == two.kinds() {
        Class::Arguments
    } else if two.text.chars().count() > one.text.chars().count() {
        Class::Leak
    } else if one.text == two.text && two.calls.len() < one.calls.len() && !two.all_are_in(&one) {
        Class::Merge
    } else if two.all_are_in(&one) && is_within(&two.text, &one.text) {
        Class::Loss
    } else {
        Class::Other
    })
}

/// Running text and everything else, apart.
struct Parts<'a> {
    text: String,
    calls: Vec<&'a Event>,
}

impl<'a> Parts<'a> {
    fn of(events: &'a [Event]) -> Self {
        let text = events.iter().filter_map(Event::running_text).map(|(_, text)| text).collect();
        Self { text, calls: events.iter().filter(|event| event.running_text().is_none()).collect() }
    }

    fn bare_text(&self) -> String {
        self.text.chars().filter(|char| !char.is_whitespace()).collect()
    }

    fn calls_in_any_order(&self) -> Vec<String> {
        let mut calls: Vec<String> = self.calls.iter().map(ToString::to_string).collect();
        calls.sort();
        calls
    }

    fn kinds(&self) -> Vec<&str> {
        self.calls.iter().map(|event| event.kind()).collect()
    }

    /// Whether all that is here more is there too.
    fn only_repeats(&self, other: &Self) -> bool {
        self.calls.len() > other.calls.len() && self.all_are_in(other) && other.all_are_in(self)
    }

    fn all_are_in(&self, other: &Self) -> bool {
        self.calls.iter().all(|event| other.calls.contains(event))
    }
}

/// Whether a text is left when characters are taken out of another.
fn is_within(short: &str, long: &str) -> bool {
    let mut long = long.chars();
    short.chars().all(|char| long.any(|other| other == char))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, n: i64) -> Event {
        Event::new("tool_call", [("name", name.into()), ("args", json!({"n": n}))])
    }

    #[test]
    fn each_class_has_its_pair() {
        let text = Event::text;
        let table: [(&[Event], &[Event], Option<Class>); 11] = [
            (&[text("a")], &[text("a")], None),
            (&[text("a b")], &[text("a  b")], Some(Class::Whitespace)),
            (&[text("a"), call("x", 1)], &[call("x", 1), text("a")], Some(Class::Order)),
            (&[call("x", 1), call("y", 2)], &[call("y", 2), call("x", 1)], Some(Class::Order)),
            (&[call("x", 1)], &[call("x", 2)], Some(Class::Arguments)),
            (&[call("x", 1)], &[call("x", 1), call("x", 1)], Some(Class::Duplicate)),
            (&[call("x", 1), call("y", 2)], &[call("x", 3)], Some(Class::Merge)),
            (&[call("x", 1)], &[text("<x>")], Some(Class::Leak)),
            (&[text("a"), call("x", 1)], &[text("a")], Some(Class::Loss)),
            (&[text("ab"), call("x", 1)], &[text("a"), call("x", 1)], Some(Class::Loss)),
            (&[text("ab")], &[text("xy")], Some(Class::Other)),
        ];
        for (first, second, class) in table {
            assert_eq!(classify(first, second), class, "{first:?} {second:?}");
        }
    }
}
