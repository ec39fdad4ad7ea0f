//! A recognised block as events (F15 to F23).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::event::Event;
use crate::lifecycle::{Moment, Step, Track};
use crate::machine::Sink;

const UNKNOWN_ERROR: &str = "An unknown tool error occurred.";

/// Numbers the invocations of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Invocations {
    count: u64,
    /// The N of ids `tool-call-N` that were used, as far as a later ordinal could meet them.
    used: BTreeSet<u64>,
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
        self.used = self.used.split_off(&self.count);
        let id = text(fields, "toolCallId").map(str::to_owned).unwrap_or_else(|| {
            let free =
                (self.count..).find(|ordinal| !self.used.contains(ordinal)).unwrap_or(self.count);
            fallback(free)
        });
        let number = id.strip_prefix("tool-call-").and_then(|number| number.parse().ok());
        if let Some(number) = number.filter(|&number| fallback(number) == id) {
            self.used.insert(number);
        }
        id
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
        return Some(Event::new(
            "tool-output-error",
            [("toolCallId", id.into()), ("errorText", text.into())],
        ));
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
    let moment = match event.kind() {
        "tool" => Moment::Start,
        "tool-input-available" => Moment::Input,
        "tool-output-available" | "tool-output-error" => Moment::Outcome,
        _ => return None,
    };
    let input = if moment == Moment::Input { event.get("input").cloned() } else { None };
    let (id, name) = (event.str("toolCallId"), event.str("toolName"));
    Some(Step {
        track: Track::Call,
        id: id.map(str::to_owned),
        name: name.map(str::to_owned),
        input,
        moment,
    })
}
