//! The dialect `chat-chunks`: chunks take each tool call from its input to its outcome (rules C).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calls::{
    Call, Field, Object, Records, filled, given, has, hold, is_any, is_filled, is_true, look_up, violation,
};
use super::items::Item;
use super::json;
use super::output::limit;

/// The table of the rules.
const MOVES: &str = "\
| state | start | delta | available | input-error | request | answer | output | output-error | denied |
| absent | input-streaming | C12 | input-available | C14 | approval-requested | C16 | C17 | C18 | C19 |
| input-streaming | C11 | · | input-available | output-error | approval-requested | C16 | C17 | C18 | C19 |
| input-available | C11 | C12 | C13 | C14 | approval-requested | C16 | output-available | output-error | output-denied |
| approval-requested | C11 | C12 | C13 | C14 | C15 | approval-responded | C21 | C21 | output-denied |
| approval-responded (approved) | C11 | C12 | C13 | C14 | C15 | C16 | output-available | output-error | C19 |
| approval-responded (denied) | C11 | C12 | C13 | C14 | C15 | C16 | C21 | C21 | output-denied |
| output-available (preliminary) | C11 | C12 | C13 | C14 | C15 | C16 | output-available | output-error | C19 |
| output-available | C20 | C20 | C20 | C20 | C20 | C20 | C20 | C20 | C20 |
| output-error | C20 | C20 | C20 | C20 | C20 | C20 | C20 | C20 | C20 |
| output-denied | C20 | C20 | C20 | C20 | C20 | C20 | C20 | C20 | C20 |";

/// Each type of tool chunk, its column in the table, and what it must have besides `toolCallId` (C9).
const CHUNKS: [(&str, &str, &[Field]); 8] = [
    ("tool-input-start", "start", &[("toolName", is_filled)]),
    ("tool-input-delta", "delta", &[("inputTextDelta", Value::is_string)]),
    ("tool-input-available", "available", &[("toolName", is_filled), ("input", is_any)]),
    ("tool-input-error", "input-error", &[("errorText", Value::is_string)]),
    ("tool-approval-request", "request", &[("toolName", is_filled), ("input", is_any)]),
    ("tool-output-available", "output", &[("output", is_any)]),
    ("tool-output-error", "output-error", &[("errorText", Value::is_string)]),
    ("tool-output-denied", "denied", &[]),
];

/// All events of `items`, under the dialect's `options`.
pub fn parse(items: &[Item], options: &Map<String, Value>) -> Vec<Value> {
    let mut chat = Chat {
        limit: limit(options),
        is_open: false,
        is_closed: false,
        calls: Records::new(),
        requests: BTreeMap::new(),
        events: Vec::new(),
    };
    for item in items {
        chat.item(item);
    }
    if !chat.is_closed {
        chat.report_streaming();
        chat.violate("C6", None);
    }
    chat.events
}

struct Chat<'a> {
    limit: usize,
    is_open: bool,
    is_closed: bool,
    calls: Records<'a, Call<'a>>,
    /// The call that an answer with this id is for: that of the newest request (C31).
    requests: BTreeMap<&'a str, &'a str>,
    events: Vec<Value>,
}

impl<'a> Chat<'a> {
    fn violate(&mut self, rule: &str, call: Option<&str>) {
        self.events.push(violation(rule, call));
    }

    /// Tells chunks, answers and the rest apart (C1, C36).
    fn item(&mut self, item: &'a Item) {
        let Item::Value(value) = item else { return self.violate("C36", None) };
        let Some(object) = value.as_object() else { return self.violate("C1", None) };
        if let Some(kind) = filled(object, "type") {
            self.chunk(kind, object);
        } else if !object.contains_key("type") && object.get("action") == Some(&json!("approve")) {
            self.answer(object);
        } else {
            self.violate("C1", None);
        }
    }

    /// Follows the stream from its opening to its close (C2 to C8).
    fn chunk(&mut self, kind: &str, chunk: &'a Object) {
        let tool = CHUNKS.iter().find(|(name, ..)| *name == kind);
        if tool.is_none() && !["start", "finish", "abort"].contains(&kind) {
            return; // C2
        }
        let id = filled(chunk, "toolCallId");
        if self.is_closed {
            return self.violate("C5", id);
        }
        let was_open = std::mem::replace(&mut self.is_open, true);
        match (kind, was_open) {
            ("start", true) => self.violate("C4", None),
            ("start", false) | (_, true) => {}
            (_, false) => self.violate("C3", None),
        }
        if kind == "finish" {
            self.report_streaming();
        }
        self.is_closed = ["finish", "abort"].contains(&kind);
        match (tool, id) {
            (Some((_, column, fields)), Some(id)) if has(chunk, fields) => self.step(id, column, chunk),
            (Some(_), _) => self.violate("C9", id),
            (None, _) => {}
        }
    }

    /// Reports the calls whose input still streams (C7).
    fn report_streaming(&mut self) {
        let ids = self.calls.ids(|call| call.row == "input-streaming");
        self.events.extend(ids.into_iter().map(|id| violation("C7", Some(id))));
    }

    /// Finds out whom an answer is for (C31).
    fn answer(&mut self, answer: &'a Object) {
        let id = filled(answer, "id");
        let asked = id.and_then(|id| self.requests.get(id).copied());
        let is_whole = has(answer, &[("id", is_filled), ("approved", Value::is_boolean)]);
        match (asked, id) {
            _ if !is_whole => self.violate("C9", asked.or(id)),
            (Some(asked), _) => self.step(asked, "answer", answer),
            // For none: where the table would take it, the call was asked about under another id.
            (None, Some(id)) => self.violate(self.look_up(id, "answer").err().unwrap_or("C16"), Some(id)),
            (None, None) => {}
        }
    }

    fn look_up(&self, id: &str, column: &str) -> Result<&'static str, &'static str> {
        look_up(MOVES, self.calls.get(id).map_or("absent", |call| call.row), column)
    }

    /// Moves a call, if the table lets it.
    fn step(&mut self, id: &'a str, column: &'static str, item: &'a Object) {
        let next = match self.look_up(id, column) {
            Ok(next) => next,
            Err(rule) => return self.violate(rule, Some(id)),
        };
        let call = self.calls.appear(id);
        let broken = broken(call, column, item, self.limit);
        self.events.extend(broken.into_iter().map(|rule| violation(rule, Some(id))));
        if column == "delta" {
            // C32: no event but C35's.
            let delta = item.get("inputTextDelta").and_then(Value::as_str).unwrap_or_default();
            return self.events.extend(hold(&mut call.text, delta, self.limit));
        }
        call.accept(next, column, item);
        self.events.push(part(id, call));
        if column == "request" {
            self.requests.insert(filled(item, "approvalId").unwrap_or(id), id);
        }
    }
}

/// The rules about content that an accepted item breaks, in their order.
fn broken(call: &Call<'_>, column: &str, item: &Object, limit: usize) -> Vec<&'static str> {
    let is_input = ["available", "request"].contains(&column);
    let same_input = |other: &Value| item.get("input").is_some_and(|input| json::same(input, other));
    let name = filled(item, "toolName").filter(|_| is_input);
    let is_dynamic = |item: &Object| is_true(item, "dynamic");
    let is_held = !call.text.is_empty() && call.text.len() <= limit; // C35
    let rules = [
        ("C23", name.is_some_and(|name| call.name().is_some_and(|first| first != name))),
        ("C24", is_input && call.beginning().is_some_and(|first| is_dynamic(first) != is_dynamic(item))),
        (
            "C25",
            is_input
                && call.row == "input-streaming"
                && is_held
                && !json::whole(&call.text).as_ref().is_some_and(same_input),
        ),
        ("C26", column == "request" && input(call).is_some_and(|input| !same_input(input))),
    ];
    rules.into_iter().filter(|(_, is_broken)| *is_broken).map(|(rule, _)| rule).collect()
}

/// The input of a call, once it is available; the first one stays (C26).
fn input<'a>(call: &Call<'a>) -> Option<&'a Value> {
    call.first(&["available", "request"])?.get("input")
}

/// The message part of a call (C27), with what its invocation holds (C28).
fn part(id: &str, call: &Call<'_>) -> Value {
    // C29: the last outcome alone says how it is.
    let outcome = call.last(&["input-error", "output", "output-error", "denied"]);
    let output = outcome.filter(|(column, _)| *column == "output").map(|(_, chunk)| chunk);
    let error = outcome.filter(|(column, _)| column.ends_with("-error")).map(|(_, chunk)| chunk);
    let request = call.first(&["request"]);
    let invocation = given([
        ("toolCallId", Some(json!(id))),
        ("toolName", call.name().map(Value::from)),
        ("state", Some(json!(call.state()))),
        ("input", input(call).cloned()),
        ("output", output.and_then(|chunk| chunk.get("output").cloned())),
        ("errorText", error.and_then(|chunk| chunk.get("errorText").cloned())),
        ("preliminary", output.filter(|chunk| is_true(chunk, "preliminary")).map(|_| json!(true))),
        ("approvalId", request.and_then(|request| filled(request, "approvalId")).map(Value::from)),
        ("approval", approval(call)),
    ]);
    let is_dynamic = call.beginning().is_some_and(|first| is_true(first, "dynamic"));
    json!({ "type": if is_dynamic { "dynamic-tool" } else { "tool" }, "toolInvocation": invocation })
}

/// What was answered (C30).
fn approval(call: &Call<'_>) -> Option<Value> {
    let denied = call.first(&["denied"]);
    let newest = denied.or(call.first(&["answer"]))?;
    let reason = |item: &Object| item.get("reason").filter(|reason| reason.is_string()).cloned();
    Some(given([
        ("approved", Some(json!(denied.is_none() && is_true(newest, "approved")))),
        ("reason", reason(newest).or_else(|| call.first(&["answer"]).and_then(reason))),
    ]))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Item, parse};

    fn events(items: Value) -> Vec<Value> {
        let items: Vec<_> = items.as_array().unwrap().iter().cloned().map(Item::Value).collect();
        parse(&items, &Map::new())
    }

    fn violation(rule: &str, call: &str) -> Value {
        json!({ "type": "violation", "rule": rule, "call": call })
    }

    #[test]
    fn a_call_is_approved_and_ends() {
        let events = events(json!([
            { "type": "start" },
            { "type": "tool-input-start", "toolCallId": "1", "toolName": "t", "dynamic": true },
            { "type": "tool-input-delta", "toolCallId": "1", "inputTextDelta": " {\"a\":1.0" },
            { "type": "tool-input-delta", "toolCallId": "1", "inputTextDelta": "}" },
            {
                "type": "tool-approval-request", "toolCallId": "1", "toolName": "u", "input": { "a": 1 },
                "approvalId": "x",
            },
            { "type": "tool-output-available", "toolCallId": "1", "output": 0 },
            { "action": "approve", "id": "1", "approved": true },
            { "action": "approve", "id": "x", "approved": true, "reason": "so" },
            { "type": "tool-output-available", "toolCallId": "1", "output": 1, "preliminary": true },
            { "type": "tool-output-error", "toolCallId": "1", "errorText": "" },
            { "type": "finish" },
            { "action": "approve", "id": "x" },
            { "action": "approve", "id": "1", "approved": false },
        ]));
        assert_eq!(events[1..3], [violation("C23", "1"), violation("C24", "1")]);
        assert_eq!(events[4..6], [violation("C21", "1"), violation("C16", "1")]);
        let last = json!({
            "toolCallId": "1", "toolName": "t", "state": "output-error", "input": { "a": 1 }, "errorText": "",
            "approvalId": "x", "approval": { "approved": true, "reason": "so" },
        });
        assert_eq!(events[8], json!({ "type": "dynamic-tool", "toolInvocation": last }));
        assert_eq!(events[9..], [violation("C9", "1"), violation("C20", "1")]);
    }

    #[test]
    fn streams_open_and_close() {
        let start = json!({ "type": "tool-input-start", "toolCallId": "1", "toolName": "t" });
        let rules = |items| -> Vec<_> {
            events(items).into_iter().filter_map(|event| event["rule"].as_str().map(str::to_owned)).collect()
        };
        assert_eq!(rules(json!([])), ["C6"]);
        assert_eq!(rules(json!([{ "type": "text" }, start, { "type": "start" }])), ["C3", "C4", "C7", "C6"]);
        assert_eq!(rules(json!([{ "type": "start" }, start, { "type": "finish" }, start])), ["C7", "C5"]);
        assert_eq!(rules(json!([{ "type": "start" }, start, { "type": "abort" }, { "type": null }])), ["C1"]);
    }
}
