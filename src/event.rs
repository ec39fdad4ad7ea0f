//! Events and their normal form.
//!
//! An [`Event`] is a JSON object with a `type`. Chunking cuts running text into pieces that mean nothing, so events are
//! compared in *normal form* ([`normal_form`]): adjacent text merges, empty text vanishes, and nothing else changes. In dialects
//! whose events show a call after each change, one that shows nothing new vanishes too ([`Form`]).
//!
//! ```
//! use anysplit::event::{Event, normal_form};
//!
//! let pieces = [Event::text("Hel"), Event::text(""), Event::text("lo")];
//! assert_eq!(normal_form(pieces), [Event::text("Hello")]);
//! ```

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::{fmt, mem};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// One thing that came out of a stream: a JSON object with a `type`.
///
/// Numbers are kept by value (`1.0` and `1e0` are `1`), so `==` compares events as the specification does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Event(Map<String, Value>);

impl Event {
    /// An event of this type with these fields.
    pub fn new<const N: usize>(kind: &str, fields: [(&str, Value); N]) -> Self {
        Self::with_fields(kind, fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    }

    /// An event of this type with these fields; a field called `type` is replaced.
    pub fn with_fields(kind: &str, mut fields: Map<String, Value>) -> Self {
        fields.values_mut().for_each(by_value);
        fields.insert("type".to_owned(), kind.into());
        Self(fields)
    }

    /// A `text` event.
    pub fn text(text: &str) -> Self {
        TextKind::Text.event(text)
    }

    /// A `violation` of this rule, by this call if it has a usable id.
    pub fn violation(rule: &str, call: Option<&str>) -> Self {
        let mut fields = Map::from_iter([("rule".to_owned(), rule.into())]);
        if let Some(call) = call {
            fields.insert("call".to_owned(), call.into());
        }
        Self::with_fields("violation", fields)
    }

    /// Whether this is a `violation`.
    pub fn is_violation(&self) -> bool {
        self.kind() == "violation"
    }

    /// A `frame` event: this event as a server-sent event carries it.
    pub fn frame(inner: Self) -> Self {
        let (before, after) = FRAME;
        Self::new("frame", [("before", before.into()), ("json", inner.into()), ("after", after.into())])
    }

    /// The event's `type`.
    pub fn kind(&self) -> &str {
        self.0.get("type").and_then(Value::as_str).unwrap_or_default()
    }

    /// A field's value.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// A field's value, if it is a string.
    pub fn str(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// The running text that this event carries, if it is a piece of running text and nothing more.
    pub fn running_text(&self) -> Option<(TextKind, &str)> {
        let event_type = self.kind();
        let kind = TextKind::ALL.into_iter().find(|kind| kind.event_type() == event_type)?;
        let fields = match kind {
            TextKind::Frame => self.0.get("json")?.as_object().filter(|_| self.is_plain_frame())?,
            TextKind::Text | TextKind::Token => &self.0,
        };
        let alone = fields.len() == 2 && fields.get("type").and_then(Value::as_str) == Some(kind.field());
        let text = fields.get(kind.field())?.as_str()?;
        alone.then_some((kind, text))
    }

    fn is_plain_frame(&self) -> bool {
        let (before, after) = FRAME;
        self.0.len() == 4 && self.str("before") == Some(before) && self.str("after") == Some(after)
    }

    fn append(&mut self, kind: TextKind, more: &str) {
        let fields = match kind {
            TextKind::Frame => self.0.get_mut("json").and_then(Value::as_object_mut),
            TextKind::Text | TextKind::Token => Some(&mut self.0),
        };
        if let Some(Value::String(text)) = fields.and_then(|fields| fields.get_mut(kind.field())) {
            text.push_str(more);
        }
    }

    /// The id of the call that this event shows, if it shows one as it is now.
    pub fn snapshot_of(&self) -> Option<&str> {
        if !matches!(self.kind(), "tool" | "dynamic-tool") {
            return None;
        }
        let fields = self.0.get("toolInvocation").and_then(Value::as_object).unwrap_or(&self.0);
        ["toolCallId", "id"].into_iter().find_map(|name| fields.get(name)?.as_str())
    }

    /// The fields, `type` included.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Takes the event apart into its fields, `type` included.
    pub fn into_fields(self) -> Map<String, Value> {
        self.0
    }
}

/// The value is not an event: not an object, or without a `type` that is a string and not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event is an object with a \"type\" that is a string and not empty")]
pub struct NotAnEvent;

impl TryFrom<Value> for Event {
    type Error = NotAnEvent;

    fn try_from(mut value: Value) -> Result<Self, NotAnEvent> {
        by_value(&mut value);
        match value {
            Value::Object(fields)
                if fields.get("type").and_then(Value::as_str).is_some_and(|kind| !kind.is_empty()) =>
            {
                Ok(Self(fields))
            }
            _ => Err(NotAnEvent),
        }
    }
}

impl From<Event> for Value {
    fn from(event: Event) -> Self {
        Self::Object(event.0)
    }
}

/// Compact JSON with `type` first, as people write events.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"type\":{}", Value::from(self.kind()))?;
        for (name, value) in self.0.iter().filter(|(name, _)| *name != "type") {
            write!(f, ",{}:{value}", Value::from(name.as_str()))?;
        }
        f.write_str("}")
    }
}

/// What stands before and after an event's JSON in a server-sent event.
pub const FRAME: (&str, &str) = ("data: ", "\n\n");

/// How a dialect names its running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// `{"type":"text","text":…}`
    Text,
    /// `{"type":"token","token":…}`
    Token,
    /// A token in its SSE frame: `{"type":"frame","before":"data: ","json":{"type":"token",…},"after":"\n\n"}`
    Frame,
}

impl TextKind {
    const ALL: [Self; 3] = [Self::Text, Self::Token, Self::Frame];

    /// The `type` of the event that carries it.
    fn event_type(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Text | Self::Token => self.field(),
        }
    }

    /// The name of the field that holds the text.
    fn field(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Token | Self::Frame => "token",
        }
    }

    /// The event that carries this text.
    pub fn event(self, text: &str) -> Event {
        match self {
            Self::Text | Self::Token => Event::new(self.field(), [(self.field(), text.into())]),
            Self::Frame => Event::frame(Self::Token.event(text)),
        }
    }
}

/// Merges what only chunking separates: adjacent running text becomes one event, empty text vanishes.
pub fn normal_form(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    let mut merged: Vec<Event> = Vec::new();
    for event in events {
        let Some((kind, text)) = event.running_text() else {
            merged.push(event);
            continue;
        };
        if text.is_empty() {
            continue;
        }
        match merged.last_mut() {
            Some(last) if last.running_text().is_some_and(|(before, _)| before == kind) => last.append(kind, text),
            _ => merged.push(event),
        }
    }
    merged
}

/// What the normal form of a dialect merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Adjacent running text becomes one event, empty text vanishes.
    Text,
    /// The same; and a `tool` or `dynamic-tool` that equals the call's previous one vanishes.
    Snapshots,
}

impl Form {
    /// These events in normal form.
    pub fn normal(self, events: impl IntoIterator<Item = Event>) -> Vec<Event> {
        let mut events = normal_form(events);
        let mut news = self.news();
        events.retain(|event| news(event));
        events
    }

    /// Says of one event after another whether it shows anything new.
    pub(crate) fn news(self) -> impl FnMut(&Event) -> bool {
        let mut latest: HashMap<String, Event> = HashMap::new();
        move |event| {
            let Some(call) = event.snapshot_of().filter(|_| self == Self::Snapshots) else { return true };
            match latest.get_mut(call) {
                Some(before) if before == event => false,
                Some(before) => {
                    before.clone_from(event);
                    true
                }
                None => latest.insert(call.to_owned(), event.clone()).is_none(),
            }
        }
    }
}

/// Whether `early` (in normal form) is how `all` begins; the last text of `early` may be the beginning of a longer one.
pub fn is_prefix(early: &[Event], all: &[Event]) -> bool {
    let Some((last, before)) = early.split_last() else { return true };
    if early.len() > all.len() || before != &all[..before.len()] {
        return false;
    }
    let counterpart = &all[before.len()];
    match (last.running_text(), counterpart.running_text()) {
        (Some((kind, text)), Some((other, longer))) => kind == other && longer.starts_with(text),
        _ => last == counterpart,
    }
}

/// All running text of these events, joined.
pub fn joined_text(events: &[Event]) -> String {
    events.iter().filter_map(Event::running_text).map(|(_, text)| text).collect()
}

/// Whether two JSON values are equal, numbers by value.
pub fn same_value(a: &Value, b: &Value) -> bool {
    let by_value = |value: &Value| {
        let mut value = value.clone();
        by_value(&mut value);
        value
    };
    a == b || by_value(a) == by_value(b)
}

/// A hash of a JSON value: the same for values that are equal, numbers by value, and in every run.
pub fn value_hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_value(value, &mut hasher);
    hasher.finish()
}

fn hash_value(value: &Value, hasher: &mut DefaultHasher) {
    mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(flag) => flag.hash(hasher),
        Value::Number(number) => whole(number).as_ref().unwrap_or(number).hash(hasher),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash_value(item, hasher));
        }
        Value::Object(fields) => {
            // In an order of our own: which one a map has depends on what else is in the build.
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            fields.len().hash(hasher);
            for (name, value) in fields {
                name.hash(hasher);
                hash_value(value, hasher);
            }
        }
    }
}

/// Writes whole numbers as integers wherever that keeps the value, so that equal values are equal trees.
fn by_value(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = whole(number) {
                *number = whole;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(by_value),
        Value::Object(fields) => fields.values_mut().for_each(by_value),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn whole(number: &Number) -> Option<Number> {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
    if (-TWO_63..TWO_63).contains(&float) {
        Some((float as i64).into())
    } else if (0.0..2.0 * TWO_63).contains(&float) {
        Some((float as u64).into())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(value: Value) -> Event {
        Event::try_from(value).expect("an event")
    }

    #[test]
    fn numbers_compare_by_value() {
        assert_eq!(event(json!({"type": "a", "n": [1.0, -0.0, 1e2]})), event(json!({"type": "a", "n": [1, 0, 100]})));
        assert_ne!(
            event(json!({"type": "a", "n": 9_007_199_254_740_993_u64})),
            event(json!({"type": "a", "n": 9_007_199_254_740_992_u64}))
        );
        assert_ne!(event(json!({"type": "a", "n": 1})), event(json!({"type": "a", "n": "1"})));
    }

    #[test]
    fn text_with_more_fields_is_not_running_text() {
        let odd = event(json!({"type": "text", "text": "a", "index": 0}));
        assert_eq!(normal_form([odd.clone(), odd.clone()]), [odd.clone(), odd]);
    }

    #[test]
    fn only_the_last_text_may_be_shorter() {
        let call = event(json!({"type": "call"}));
        let all = [Event::text("ab"), call.clone(), Event::text("cd")];
        assert!(is_prefix(&[], &all));
        assert!(is_prefix(&[Event::text("a")], &all));
        assert!(is_prefix(&[Event::text("ab"), call.clone(), Event::text("c")], &all));
        assert!(!is_prefix(&[Event::text("a"), call], &all));
        assert!(!is_prefix(&[Event::text("abc")], &all));
    }

    #[test]
    fn display_writes_the_type_first() {
        assert_eq!(event(json!({"a": 1, "type": "x\""})).to_string(), r#"{"type":"x\"","a":1}"#);
    }
}
