//! A recognised block as events (F15 to F23).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::event::Event;
use crate::lifecycle::{Meaning, Move, Step, Track};
use crate::machine::Sink;

const UNKNOWN_ERROR: &str = "An unknown tool error occurred.";

/// Numbers the invocations of a stream.
///
/// Beside the block that is being read this is all that a stream leaves behind: 16 bytes for every run of explicit ids
/// `tool-call-N` that lies ahead of the count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Invocations {
    count: u64,
    /// The N of ids `tool-call-N` that were used, as far as a later ordinal could meet them.
    used: Numbers,
}

impl Invocations {
    /// Sends the events of the block with these fields.
    pub(super) fn announce(&mut self, mut fields: Map<String, Value>, sink: &mut impl Sink) {
        let id = self.id(&fields);
        let name = text(&fields, "toolName").unwrap_or("tool").to_owned(); // F18
        let input = fields.get("input").cloned().unwrap_or_else(|| json!({})); // F20
        let outcome = outcome(&id, &fields);
        fields.insert("toolCallId".to_owned(), id.clone().into());
        fields.insert("toolName".to_owned(), name.clone().into());
        sink.event(Event::with_fields("tool", fields)); // F15
        let announced = [("toolCallId", id.into()), ("toolName", name.into()), ("input", input)];
        sink.event(Event::new("tool-input-available", announced));
        if let Some(outcome) = outcome {
            sink.event(outcome);
        }
    }

    /// F16, F17.
    fn id(&mut self, fields: &Map<String, Value>) -> String {
        self.count += 1;
        self.used.forget_below(self.count);
        let given = text(fields, "toolCallId").map(str::to_owned);
        let id = given.unwrap_or_else(|| fallback(self.used.first_free_from(self.count)));
        let number = id.strip_prefix("tool-call-").and_then(|number| number.parse().ok());
        if let Some(number) = number.filter(|&number| fallback(number) == id) {
            self.used.insert(number);
        }
        id
    }
}

/// A set of numbers, kept as runs, so that a long one is passed in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Numbers {
    /// The last number of each run, by its first; no two runs touch.
    runs: BTreeMap<u64, u64>,
}

impl Numbers {
    fn first_free_from(&self, number: u64) -> u64 {
        match self.runs.range(..=number).next_back() {
            Some((_, &last)) if last >= number => last.saturating_add(1),
            _ => number,
        }
    }

    fn insert(&mut self, number: u64) {
        let before = self.runs.range(..=number).next_back().map(|(&first, &last)| (first, last));
        let (first, mut last) = match before {
            Some((_, last)) if last >= number => return,
            Some((first, last)) if last + 1 == number => (first, number),
            _ => (number, number),
        };
        if let Some(joined) = number.checked_add(1).and_then(|next| self.runs.remove(&next)) {
            last = joined;
        }
        self.runs.insert(first, last);
    }

    fn forget_below(&mut self, number: u64) {
        let mut kept = self.runs.split_off(&number);
        if let Some((_, &last)) = self.runs.last_key_value()
            && last >= number
        {
            kept.insert(number, last);
        }
        self.runs = kept;
    }
}

fn fallback(ordinal: u64) -> String {
    format!("tool-call-{ordinal}")
}

/// F21, F22; an unknown state is none of these (F19).
fn outcome(id: &str, fields: &Map<String, Value>) -> Option<Event> {
    let state = fields.get("state").and_then(Value::as_str);
    let error = fields.get("errorText").and_then(Value::as_str);
    let output = fields.get("output");
    if state == Some("output-error") || error.is_some() {
        let text = error.unwrap_or(UNKNOWN_ERROR);
        return Some(Event::new("tool-output-error", [("toolCallId", id.into()), ("errorText", text.into())]));
    }
    (state == Some("output-available") || output.is_some()).then(|| {
        let output = output.cloned().unwrap_or_default();
        Event::new("tool-output-available", [("toolCallId", id.into()), ("output", output)])
    })
}

/// A field, if it is a string and not empty.
fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// `tool` begins a call, its input makes it ready, an outcome may follow.
pub(in super::super) fn step(event: &Event) -> Option<Step> {
    let meaning = match event.kind() {
        "tool" => Meaning::Begins(&[Move::Start]),
        "tool-input-available" => Meaning::Moves(&[Move::Input]),
        "tool-output-available" => Meaning::Moves(&[Move::Output]),
        "tool-output-error" => Meaning::Moves(&[Move::OutputError]),
        _ => return None,
    };
    let input = event.get("input").filter(|_| event.kind() == "tool-input-available").cloned();
    let (id, name) = (event.str("toolCallId"), event.str("toolName"));
    Some(Step { track: Track::Call, id: id.map(str::to_owned), name: name.map(str::to_owned), input, meaning })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn runs_of_numbers_are_a_set_of_numbers() {
        let mut random = Random::new(1);
        let (mut runs, mut plain) = (Numbers::default(), std::collections::BTreeSet::new());
        for step in 0..2_000 {
            let number = random.below(60) as u64;
            runs.insert(number);
            plain.insert(number);
            if step % 7 == 0 {
                let below = random.below(60) as u64;
                runs.forget_below(below);
                plain.retain(|&number| number >= below);
            }
            let from = random.below(60) as u64;
            assert_eq!(Some(runs.first_free_from(from)), (from..).find(|number| !plain.contains(number)));
            let spread: Vec<u64> = runs.runs.iter().flat_map(|(&first, &last)| first..=last).collect();
            assert_eq!(spread, plain.iter().copied().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_largest_number_is_no_surprise() {
        let mut runs = Numbers::default();
        runs.insert(u64::MAX);
        runs.insert(u64::MAX - 1);
        assert_eq!(runs.first_free_from(u64::MAX - 1), u64::MAX);
    }
}
