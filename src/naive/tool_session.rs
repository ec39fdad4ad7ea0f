//! The dialect `tool-session`: the calls of `inline-tag`, run by scripted tools (rules X).

use serde_json::{Map, Value, json};

use super::clock::Clock;
use super::inline_tag;

/// All events of `text`, under the dialect's `options`.
pub fn parse(text: &str, options: &Map<String, Value>) -> Vec<Value> {
    let mut session = Session::new(options);
    // X2, and X8: one after another, in document order.
    for event in inline_tag::parse(text, options) {
        match event["type"].as_str() {
            Some("text") => session.events.push(json!({ "type": "token", "token": event["text"] })), // X1
            Some("tool_call") => session.call(event),
            // The parser's own error goes on as it is: X18.
            _ => session.events.push(event),
        }
    }
    let message = options.get("messageId").cloned().unwrap_or_else(|| json!("msg-1"));
    session.events.push(json!({ "type": "done", "message_id": message })); // X9
    if options.get("frames") == Some(&Value::Bool(true)) {
        session.events.into_iter().filter(|event| event["type"] != "log").map(frame).collect() // X16
    } else {
        session.events
    }
}

/// What the client receives of an event (X15).
fn frame(event: Value) -> Value {
    json!({ "type": "frame", "before": "data: ", "json": event, "after": "\n\n" })
}

struct Session<'a> {
    options: &'a Map<String, Value>,
    events: Vec<Value>,
    /// How many tools have been executed.
    executions: usize,
    clock: Clock,
}

impl<'a> Session<'a> {
    fn new(options: &'a Map<String, Value>) -> Self {
        let start = options.get("start").and_then(Value::as_str).unwrap_or("1970-01-01T00:00:00Z");
        Self { options, events: Vec::new(), executions: 0, clock: Clock::set_to(start) }
    }

    /// Looks up the tool of a call and runs it.
    fn call(&mut self, call: Value) {
        let name = call["name"].as_str().unwrap_or_default();
        // X3, X14: a map lookup knows no names but those in the map.
        let tool = self.options.get("tools").and_then(|tools| tools.get(name));
        let Some(tool) = tool else {
            self.events.push(json!({ "type": "error", "error": format!("Unknown tool: {name}") })); // X6
            return;
        };
        self.executions += 1; // X10
        self.events.push(call);
        self.log(tool, "started", &[]);
        let delay = tool.get("delay").and_then(Value::as_u64).unwrap_or(0);
        self.clock.wait(delay);
        if let Some(error) = tool.get("error").and_then(Value::as_str) {
            self.events.push(json!({ "type": "error", "error": format!("Tool error: {error}") })); // X5
            self.log(tool, "error", &[("latency", json!(delay)), ("error", json!(error))]);
        } else {
            let result = &tool["result"]; // `null` where there is none.
            let size = result.to_string().len();
            self.events.push(json!({ "type": "tool_result", "result": result })); // X4
            self.log(tool, "success", &[("latency", json!(delay)), ("resultSize", json!(size))]);
        }
    }

    /// Logs a step of the current execution (X11), with the fields that only this step has (X12).
    fn log(&mut self, tool: &Value, step: &str, fields: &[(&str, Value)]) {
        let mut log = json!({
            "type": "log",
            "event": format!("tool_invocation_{step}"),
            "correlationId": self.options.get("correlationId").unwrap_or(&json!("corr-1")),
            "operationId": format!("op-{}", self.executions),
            "toolInvocationId": format!("tool-{}", self.executions),
            "tool": tool["id"],
            "timestamp": self.clock.timestamp(),
        });
        for (key, value) in fields {
            log[*key] = value.clone();
        }
        self.events.push(log);
    }
}
