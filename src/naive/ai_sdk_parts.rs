//! The dialect `ai-sdk-parts`: the parts of a model's full stream (rules A).

use serde_json::{Map, Value, json};

use super::calls::{
    Call, Field, Object, Records, filled, given, has, hold, is_any, is_filled, is_true, look_up, violation,
};
use super::items::Item;
use super::json;
use super::output::limit;

/// The table of the rules.
const MOVES: &str = "\
| state | start | delta | end | tool-call | result | error | request | response | denied |
| absent | input-streaming | A8 | A9 | input-available | A11 | A12 | A23 | A24 | A25 |
| input-streaming | A7 | · | input-ended | A10 | A11 | A12 | A23 | A24 | A25 |
| input-ended | A7 | A8 | A9 | input-available | A11 | A12 | A23 | A24 | A25 |
| input-available | A7 | A8 | A9 | A10 | output-available | output-error | approval-requested | A24 | output-denied |
| approval-requested | A7 | A8 | A9 | A10 | A26 | A26 | A23 | approval-responded | output-denied |
| approval-responded (approved) | A7 | A8 | A9 | A10 | output-available | output-error | A23 | A24 | A25 |
| approval-responded (denied) | A7 | A8 | A9 | A10 | A26 | A26 | A23 | A24 | output-denied |
| output-available (preliminary) | A7 | A8 | A9 | A10 | output-available | output-error | A23 | A24 | A25 |
| output-available | A13 | A13 | A13 | A13 | A13 | A13 | A13 | A13 | A13 |
| output-error | A13 | A13 | A13 | A13 | A13 | A13 | A13 | A13 | A13 |
| output-denied | A13 | A13 | A13 | A13 | A13 | A13 | A13 | A13 | A13 |";

/// Each type of tool part, its column in the table, where its id is (A3), and what else it must have (A4).
const PARTS: [(&str, &str, &str, &[Field]); 9] = [
    ("tool-input-start", "start", "/id", &[("toolName", is_filled)]),
    ("tool-input-delta", "delta", "/id", &[("delta", Value::is_string)]),
    ("tool-input-end", "end", "/id", &[]),
    ("tool-call", "tool-call", "/toolCallId", &[("toolName", is_filled)]),
    ("tool-result", "result", "/toolCallId", &[("toolName", is_filled)]),
    ("tool-error", "error", "/toolCallId", &[("toolName", is_filled), ("error", is_any)]),
    ("tool-approval-request", "request", "/toolCall/toolCallId", &[("approvalId", is_filled)]),
    (
        "tool-approval-response",
        "response",
        "/toolCall/toolCallId",
        &[("approvalId", is_filled), ("approved", Value::is_boolean)],
    ),
    ("tool-output-denied", "denied", "/toolCallId", &[("toolName", is_filled)]),
];

/// The tools that run on the client (A20), with what their inputs must have and what they may (A21).
const TOOLS: [(&str, &[Field], &[Field]); 6] = [
    ("write_file", &[("path", Value::is_string), ("content", Value::is_string)], &[]),
    ("read_file", &[("path", Value::is_string)], &[("includeLineNumbers", Value::is_boolean)]),
    ("edit_file", &[("filePath", Value::is_string), ("searchReplaceBlock", Value::is_string)], &[]),
    ("delete_file", &[("path", Value::is_string)], &[]),
    ("add_package", &[("name", is_names)], &[("version", Value::is_string), ("isDev", Value::is_boolean)]),
    ("remove_package", &[("name", is_names)], &[("isDev", Value::is_boolean)]),
];

/// The names that `input` must not have (A6).
const MISNOMERS: [&str; 4] = ["args", "params", "arguments", "parameters"];

/// A string or a list of strings.
fn is_names(value: &Value) -> bool {
    value.is_string() || value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}

/// All events of `items`, under the dialect's `options`.
pub fn parse(items: &[Item], options: &Map<String, Value>) -> Vec<Value> {
    let mut stream = Stream { limit: limit(options), is_aborted: false, calls: Records::new(), events: Vec::new() };
    for item in items {
        if let Err(violation) = stream.item(item) {
            stream.events.push(violation);
        }
    }
    if !stream.is_aborted {
        let ids = stream.calls.ids(|call| call.state() == "input-streaming"); // A27
        stream.events.extend(ids.into_iter().map(|id| violation("A27", Some(id))));
    }
    stream.events
}

struct Stream<'a> {
    limit: usize,
    is_aborted: bool,
    calls: Records<'a, Call<'a>>,
    events: Vec<Value>,
}

impl<'a> Stream<'a> {
    /// Takes an item, or gives the violation for which it is refused.
    fn item(&mut self, item: &'a Item) -> Result<(), Value> {
        let Item::Value(value) = item else { return Err(violation("A29", None)) };
        let part = value.as_object().filter(|part| filled(part, "type").is_some());
        let part = part.ok_or_else(|| violation("A1", None))?;
        self.is_aborted |= value["type"] == "abort";
        let Some((_, column, id, fields)) = PARTS.iter().find(|(kind, ..)| value["type"] == *kind) else {
            return Ok(()); // A2
        };
        let id = value.pointer(id).filter(|id| is_filled(id)).and_then(Value::as_str);
        let id = id.ok_or_else(|| violation("A3", None))?;
        let next = self.next(id, column, part, fields).map_err(|rule| violation(rule, Some(id)))?;
        self.accept(id, next, column, part);
        Ok(())
    }

    /// Where a part leads its call, or the rule that refuses it.
    fn next(&self, id: &str, column: &str, part: &Object, fields: &[Field]) -> Result<&'static str, &'static str> {
        if !has(part, fields) {
            return Err("A4");
        }
        if column == "tool-call" && !part.contains_key("input") {
            return Err("A5");
        }
        let call = self.calls.get(id);
        let next = look_up(MOVES, call.map_or("absent", |call| call.row), column)?;
        let request = call.and_then(|call| call.first(&["request"]));
        if column == "response" && request.and_then(|request| request.get("approvalId")) != part.get("approvalId") {
            return Err("A24");
        }
        Ok(next)
    }

    fn accept(&mut self, id: &'a str, next: &'static str, column: &'static str, part: &'a Object) {
        let call = self.calls.appear(id);
        let broken = broken(call, column, part, self.limit);
        self.events.extend(broken.into_iter().map(|rule| violation(rule, Some(id))));
        if column == "delta" {
            // A18: no event but A28's.
            let delta = part.get("delta").and_then(Value::as_str).unwrap_or_default();
            return self.events.extend(hold(&mut call.text, delta, self.limit));
        }
        call.accept(next, column, part);
        if column != "end" {
            self.events.push(tool(id, call));
        }
        if column == "tool-call" {
            self.events.push(mapped(id, call, part));
        }
    }
}

/// The rules about content that an accepted part breaks, in their order.
fn broken(call: &Call<'_>, column: &str, part: &Object, limit: usize) -> Vec<&'static str> {
    let is_call = column == "tool-call";
    let is_outcome = ["result", "error"].contains(&column);
    let is_named = is_call || is_outcome || column == "denied";
    let same_input = |other: &Value| part.get("input").is_some_and(|input| json::same(input, other));
    let is_held = !call.text.is_empty() && call.text.len() <= limit; // A28
    let name = call.name().or_else(|| filled(part, "toolName")).unwrap_or_default();
    let rules = [
        ("A6", (is_call || is_outcome) && MISNOMERS.iter().any(|key| part.contains_key(*key))),
        ("A15", is_named && filled(part, "toolName").is_some_and(|other| other != name)),
        ("A16", is_call && is_held && !json::whole(&call.text).as_ref().is_some_and(same_input)),
        ("A17", is_outcome && part.contains_key("input") && !input(call).is_some_and(same_input)),
        ("A21", is_call && !part.get("input").is_some_and(|input| fits(name, input))),
    ];
    rules.into_iter().filter(|(_, is_broken)| *is_broken).map(|(rule, _)| rule).collect()
}

/// Whether `input` matches the schema of the tool `name`, if that has one (A21).
fn fits(name: &str, input: &Value) -> bool {
    let Some((_, required, optional)) = TOOLS.iter().find(|(tool, ..)| *tool == name) else { return true };
    let may_have = |input: &Object| optional.iter().all(|(key, check)| input.get(*key).is_none_or(check));
    input.as_object().is_some_and(|input| has(input, required) && may_have(input))
}

fn input<'a>(call: &Call<'a>) -> Option<&'a Value> {
    call.first(&["tool-call"])?.get("input")
}

/// The tool of a call (A18).
fn tool(id: &str, call: &Call<'_>) -> Value {
    // The last outcome alone says how it is.
    let outcome = call.last(&["result", "error", "denied"]);
    let result = outcome.filter(|(column, _)| *column == "result").map(|(_, part)| part);
    let error = outcome.filter(|(column, _)| *column == "error").map(|(_, part)| part);
    given([
        ("type", Some(json!("tool"))),
        ("toolCallId", Some(json!(id))),
        ("toolName", call.name().map(Value::from)),
        ("state", Some(json!(call.state()))),
        ("input", input(call).cloned()),
        ("output", result.and_then(|part| part.get("output").cloned())),
        ("errorText", error.and_then(|part| part.get("error")).map(|error| json!(error_text(error)))),
        ("preliminary", result.filter(|part| is_true(part, "preliminary")).map(|_| json!(true))),
        ("approvalId", call.first(&["request"]).and_then(|request| request.get("approvalId").cloned())),
        ("approval", approval(call)),
    ])
}

/// What was answered (A24, A25).
fn approval(call: &Call<'_>) -> Option<Value> {
    let (response, denied) = (call.first(&["response"]), call.first(&["denied"]));
    response.or(denied)?;
    let is_approved = denied.is_none() && response.is_some_and(|response| is_true(response, "approved"));
    let reason = response.and_then(|response| response.get("reason")).filter(|reason| reason.is_string());
    Some(given([("approved", Some(json!(is_approved))), ("reason", reason.cloned())]))
}

/// A call for the code that runs it (A19).
fn mapped(id: &str, call: &Call<'_>, part: &Object) -> Value {
    let dynamic = |part: &Object| part.get("dynamic").and_then(Value::as_bool);
    let is_dynamic = dynamic(part).or_else(|| call.first(&["start"]).and_then(dynamic)).unwrap_or(false);
    let is_client_side = TOOLS.iter().any(|(tool, ..)| call.name() == Some(tool));
    json!({
        "type": "call", "toolName": call.name(), "toolCallId": id, "args": part.get("input"),
        "dynamic": is_dynamic, "clientSide": is_client_side,
    })
}

/// The text of an error (A22).
fn error_text(error: &Value) -> String {
    let text = error.as_str().or_else(|| error.get("message").and_then(Value::as_str));
    text.map_or_else(|| compact(error), str::to_owned)
}

/// Compact JSON, with keys in the order of their code points, which is that of their bytes.
fn compact(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut keys: Vec<_> = members.keys().collect();
            keys.sort();
            let members = keys.into_iter().map(|key| format!("{}:{}", json!(key), compact(&members[key])));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Item, error_text, parse};

    fn events(items: Value) -> Vec<Value> {
        let items: Vec<_> = items.as_array().unwrap().iter().cloned().map(Item::Value).collect();
        parse(&items, &Map::new())
    }

    #[test]
    fn a_call_streams_runs_and_ends() {
        let input = json!({ "name": ["a"], "isDev": 0 });
        let same_input = json!({ "isDev": 0.0, "name": ["a"] });
        let events = events(json!([
            { "type": "tool-input-start", "id": "1", "toolName": "add_package", "dynamic": true },
            { "type": "tool-input-delta", "id": "1", "delta": "{\"name\":[\"a\"]}" },
            { "type": "tool-call", "toolCallId": "1", "toolName": "add_package", "input": {} },
            { "type": "tool-input-end", "id": "1" },
            { "type": "tool-call", "toolCallId": "1", "toolName": "b", "input": input, "args": 1 },
            { "type": "tool-result", "toolCallId": "1", "toolName": "add_package", "output": 1, "preliminary": true },
            { "type": "tool-result", "toolCallId": "1", "toolName": "add_package", "input": same_input },
            { "type": "tool-input-end", "id": "1" },
            { "type": "tool-input-start", "id": "2", "toolName": "t" },
        ]));
        let rules: Vec<_> = events.iter().filter_map(|event| event["rule"].as_str()).collect();
        assert_eq!(rules, ["A10", "A6", "A15", "A16", "A21", "A13", "A27"]);
        let call = json!({
            "type": "call", "toolName": "add_package", "toolCallId": "1", "args": input,
            "dynamic": true, "clientSide": true,
        });
        assert_eq!(events[7], call);
        let tool = json!({
            "type": "tool", "toolCallId": "1", "toolName": "add_package", "state": "output-available", "input": input,
        });
        assert_eq!(events[9], tool);
    }

    #[test]
    fn approval_is_asked_and_answered() {
        let response = |approval| {
            json!({
                "type": "tool-approval-response", "approvalId": approval, "toolCall": { "toolCallId": "1" },
                "approved": false, "reason": "no",
            })
        };
        let events = events(json!([
            { "type": "tool-call", "toolCallId": "1", "toolName": "t", "input": null },
            { "type": "tool-approval-request", "approvalId": "x", "toolCall": { "toolCallId": "1" } },
            response("y"),
            response("x"),
            { "type": "tool-error", "toolCallId": "1", "toolName": "t", "error": 1 },
            { "type": "tool-output-denied", "toolCallId": "1", "toolName": "t", "reason": "other" },
        ]));
        let rules: Vec<_> = events.iter().filter_map(|event| event["rule"].as_str()).collect();
        assert_eq!(rules, ["A24", "A26"]);
        let tool = json!({
            "type": "tool", "toolCallId": "1", "toolName": "t", "state": "output-denied", "input": null,
            "approvalId": "x", "approval": { "approved": false, "reason": "no" },
        });
        assert_eq!(events.last(), Some(&tool));
    }

    #[test]
    fn errors_have_a_text() {
        assert_eq!(error_text(&json!({ "message": "m", "a": 1 })), "m");
        assert_eq!(
            error_text(&json!({ "message": 1, "é": [null, "\n"], "Z": {} })),
            r#"{"Z":{},"message":1,"é":[null,"\n"]}"#
        );
    }
}
