//! Prose with tool calls in it, and the events that it must give (rules T, X).

use serde_json::{Map, Value, json};

use super::{Draw, json};
use crate::event::{Event, TextKind};

/// Prose, near misses among it: whatever stands behind one of these, it is no marker and leaves none open.
const PROSE: [&str; 30] = [
    "Let me see. ",
    "a",
    " ",
    "\n",
    "\r\n",
    "é😀",
    "\u{2028}",
    "<",
    "<<",
    "</tool_call>",
    "<toolbox>",
    "<tool_calls name=\"a\">",
    "<tool_call>",
    "<tool_call/>",
    "< tool_call name=\"a\">",
    "<TOOL_CALL name=\"a\"></TOOL_CALL>",
    "<tool_call name='a'></tool_call>",
    "<tool_call name=\"\"></tool_call>",
    "<tool_call\u{a0}name=\"a\"></tool_call>",
    "<tool_call name=\"a\"args={}></tool_call>",
    "<tool_call name =\"a\"></tool_call>",
    "<tool_call name=\"a\" name=\"b\"></tool_call>",
    "<tool_call name=\"a\" id=1></tool_call>",
    "<tool_call args={}></tool_call>",
    "<tool_call name=\"a\" args=null></tool_call>",
    "<tool_call name=\"a\" args={\"k\":1,}></tool_call>",
    "<tool_call name=\"a\" args={\"k\":\"\\x\"}></tool_call>",
    "<tool_call name=\"a\" args={\"k\":\"\\ud83d\"}></tool_call>",
    "<tool_call name=\"a\" args={}>text</tool_call>",
    "<tool_call name=\"a<b\"></tool_call>",
];

/// Beginnings of markers that a `<` breaks.
const BROKEN: [&str; 8] = [
    "<tool_cal",
    "<tool_call",
    "<tool_call ",
    "<tool_call na",
    "<tool_call name=\"a",
    "<tool_call name=\"a\" args={\"k\":1} ",
    "<tool_call name=\"a\">",
    "<tool_call name=\"a\"></tool_c",
];

const NAMES: [&str; 10] =
    ["a", "b", "search_flights", "é", "constructor", "__proto__", "with space", "it's", "name=", "\\\""];

const BLANKS: [&str; 5] = [" ", "\n", "\t", "\r\n", "  \r"];

/// A text, and the events that it must give.
pub(super) fn text(draw: &mut Draw<'_>) -> (String, Vec<Event>) {
    let mut made = Made::default();
    for _ in 0..1 + draw.few(5) {
        for _ in 0..draw.few(3) {
            made.prose(draw.pick(&PROSE));
        }
        if draw.one_in(8) {
            made.prose(draw.pick(&BROKEN));
        }
        made.call(draw);
    }
    match draw.below(8) {
        0..3 => {}
        3..7 => made.prose(draw.pick(&PROSE)),
        _ => {
            // T16
            let marker = marker(draw).0;
            let end = marker.floor_char_boundary(draw.below(marker.len()));
            made.prose(&marker[..end]);
        }
    }
    (made.text, made.events)
}

#[derive(Default)]
struct Made {
    text: String,
    events: Vec<Event>,
}

impl Made {
    fn prose(&mut self, text: &str) {
        self.text.push_str(text);
        self.events.push(Event::text(text));
    }

    fn call(&mut self, draw: &mut Draw<'_>) {
        let (marker, event) = marker(draw);
        self.text.push_str(&marker);
        self.events.push(event);
    }
}

/// A marker in one of its ways, and its event: T3 to T7, T17.
fn marker(draw: &mut Draw<'_>) -> (String, Event) {
    // A name that ends with a backslash before the quote: names know no escapes.
    let name = match draw.pick(&NAMES) {
        "\\\"" => "\\",
        name => name,
    };
    let args = if draw.one_in(4) { Map::new() } else { json::object(draw, 3) };
    let mut attributes = vec![format!("name=\"{name}\"")];
    if !args.is_empty() || draw.one_in(2) {
        let mut text = "args=".to_owned();
        json::write(&args, draw, &mut text);
        attributes.push(text);
        if draw.one_in(2) {
            attributes.reverse();
        }
    }
    let mut marker = "<tool_call".to_owned();
    for attribute in attributes {
        marker.push_str(if draw.one_in(4) { draw.pick(&BLANKS) } else { " " });
        marker.push_str(&attribute);
    }
    let optional = |draw: &mut Draw<'_>| if draw.one_in(6) { draw.pick(&BLANKS) } else { "" };
    marker.push_str(optional(draw));
    marker.push('>');
    marker.push_str(optional(draw));
    marker.push_str("</tool_call>");
    (marker, Event::new("tool_call", [("name", name.into()), ("args", args.into())]))
}

/// What these events become where the tools of the first settings of `tool-session` run: rules X.
pub(super) fn session(events: Vec<Event>) -> Vec<Event> {
    let mut session = Session { events: Vec::new(), clock: 0, executions: 0 };
    for event in events {
        match event.str("name") {
            Some("a") => session.run(event, "m::a", 1500, Ok(json!({"x": [1, "é"]}))),
            Some("b") => session.run(event, "m::b", 7, Err("boom")),
            Some("search_flights") => session.run(event, "flights-mcp::search-flights", 450, Ok(json!([]))),
            Some(name) => session.error(&format!("Unknown tool: {name}")), // X6
            None => session.events.push(TextKind::Token.event(event.str("text").unwrap_or_default())), // X1
        }
    }
    session.events.push(Event::new("done", [("message_id", "msg-1".into())])); // X9
    session.events
}

struct Session {
    events: Vec<Event>,
    /// In milliseconds since 1970.
    clock: u64,
    executions: u64,
}

impl Session {
    /// X4, X5, X8, X10
    fn run(&mut self, call: Event, id: &str, delay: u64, outcome: Result<Value, &str>) {
        self.executions += 1;
        self.events.push(call);
        self.log("started", id, []);
        self.clock += delay;
        let latency = ("latency", delay.into());
        match outcome {
            Ok(result) => {
                let size = result.to_string().len();
                self.events.push(Event::new("tool_result", [("result", result)]));
                self.log("success", id, [latency, ("resultSize", size.into())]);
            }
            Err(error) => {
                self.error(&format!("Tool error: {error}"));
                self.log("error", id, [latency, ("error", error.into())]);
            }
        }
    }

    fn error(&mut self, error: &str) {
        self.events.push(Event::new("error", [("error", error.into())]));
    }

    /// X11 to X13
    fn log<const N: usize>(&mut self, step: &str, id: &str, more: [(&str, Value); N]) {
        let (seconds, millis) = (self.clock / 1000, self.clock % 1000);
        let fraction = if millis == 0 { String::new() } else { format!(".{millis:03}") };
        let fields = [
            ("event", json!(format!("tool_invocation_{step}"))),
            ("correlationId", json!("corr-1")),
            ("operationId", json!(format!("op-{}", self.executions))),
            ("toolInvocationId", json!(format!("tool-{}", self.executions))),
            ("tool", json!(id)),
            ("timestamp", json!(format!("1970-01-01T00:00:{seconds:02}{fraction}Z"))),
        ];
        let fields = fields.into_iter().chain(more).map(|(name, value)| (name.to_owned(), value));
        self.events.push(Event::with_fields("log", fields.collect()));
    }
}
