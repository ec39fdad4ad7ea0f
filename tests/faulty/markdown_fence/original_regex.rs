//! The parser that the document *Markdown Tool Call Blocks* describes, as it was really written.
//!
//! One regular expression over the whole text (`apps/nextjs/src/app/api/chat/utils.ts` in kyh/loremllm at 5b90e9d): a
//! block may open anywhere in a line and inside other fences, and ends at the next three backticks, in a string or not.
//! Tildes and longer fences are unknown, arrays pass as calls, other field names are read as well, failed blocks are
//! counted, unknown fields are dropped and a null input becomes an empty object.
//!
//! Most rules have a case that shows it; nothing comes out before the end of the stream.

use std::sync::LazyLock;

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::support::{Faulty, provable};

static BLOCK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"```tool\s*\n([\s\S]*?)\n?```").expect("the pattern is fixed"));

const STATES: [&str; 4] = ["input-streaming", "input-available", "output-available", "output-error"];

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Original {
    document: String,
}

impl Machine for Original {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, _sink: &mut impl Sink) {
        self.document.push_str(chunk);
    }

    fn finish(self, sink: &mut impl Sink) {
        let mut end = 0;
        for (index, found) in BLOCK.captures_iter(&self.document).enumerate() {
            let whole = found.get_match();
            let Some(fields) = body(&found[1]) else { continue };
            sink.text(&self.document[end..whole.start()]);
            end = whole.end();
            announce(&fields, index, sink);
        }
        sink.text(&self.document[end..]);
    }
}

/// The fields of a body; an array is an object too, of a kind.
fn body(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text.trim()).ok()? {
        Value::Object(fields) => Some(fields),
        Value::Array(_) => Some(Map::new()),
        _ => None,
    }
}

fn announce(fields: &Map<String, Value>, index: usize, sink: &mut impl Sink) {
    let first = |names: &[&str]| {
        let filled = |name: &&str| fields.get(*name)?.as_str().filter(|text| !text.trim().is_empty());
        names.iter().find_map(filled)
    };
    let id = first(&["toolCallId", "tool_call_id", "callId", "id"])
        .map_or_else(|| format!("tool-call-{}", index + 1), str::to_owned);
    let name = first(&["toolName", "tool_name", "name"]).unwrap_or("tool");
    let error = first(&["errorText", "error_text", "error"]);
    let state = first(&["state"]).filter(|state| STATES.contains(state));
    let kept = ["input", "output"].iter().filter_map(|name| fields.get_key_value(*name));
    let mut tool: Map<String, Value> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    for (name, value) in [("toolCallId", Some(&*id)), ("toolName", Some(name)), ("state", state), ("errorText", error)]
    {
        tool.extend(value.map(|value| (name.to_owned(), value.into())));
    }
    sink.event(Event::with_fields("tool", tool));
    let input = fields.get("input").filter(|input| !input.is_null());
    let input = input.cloned().unwrap_or_else(|| json!({}));
    let id = ("toolCallId", id.into());
    let announced = [id.clone(), ("toolName", name.into()), ("input", input)];
    sink.event(Event::new("tool-input-available", announced));
    if state == Some("output-error") || error.is_some() {
        let text = error.unwrap_or("An unknown tool error occurred.");
        sink.event(Event::new("tool-output-error", [id, ("errorText", text.into())]));
    } else if state == Some("output-available") || fields.contains_key("output") {
        let output = fields.get("output").cloned().unwrap_or_default();
        sink.event(Event::new("tool-output-available", [id, ("output", output)]));
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "kyh/loremllm@5b90e9d",
        caught_by: Check::Expect,
        target: provable(Dialect::MarkdownFence, |_| Original::default()),
    }
}
