//! `tool-session`: `inline-tag` with tools that run.
//!
//! The rules are in `spec/tool-session/README.md`. The parser's calls are executed where they stand in the text; handlers are
//! scripted, and only their delays move the clock, so a session is a function of its input and options.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::inline_tag::InlineTag;
use super::options::{Options, OptionsError};
use crate::event::{Event, FRAME, TextKind};
use crate::lifecycle::{Meaning, Move, Step, Track};
use crate::machine::{Machine, Sink};

/// The reference implementation of `tool-session`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolSession {
    parser: InlineTag,
    session: Session,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Session {
    settings: Arc<Settings>,
    clock: Timestamp,
    /// How many tools ran.
    executions: u64,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Settings {
    /// A map of its own keys and nothing else: `constructor` is in it only if it was put there (X14).
    tools: BTreeMap<String, Tool>,
    correlation_id: String,
    message_id: String,
    frames: bool,
}

/// A scripted tool.
#[derive(Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(deny_unknown_fields)]
struct Tool {
    id: String,
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    error: Option<String>,
    /// In milliseconds.
    #[serde(default)]
    delay: u32,
}

/// Tells `"result": null` from no result.
fn present<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(reader).map(Some)
}

impl ToolSession {
    /// A session at the start of a stream.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["tools", "correlationId", "messageId", "start", "frames", "limit"])?;
        let settings = Settings {
            tools: tools(options)?,
            correlation_id: options.string("correlationId", "corr-1")?,
            message_id: options.string("messageId", "msg-1")?,
            frames: options.flag("frames")?,
        };
        let start = options.string("start", "1970-01-01T00:00:00Z")?;
        let clock = time(&start).ok_or_else(|| {
            OptionsError::new("start", format!("expected a time like 2025-01-20T14:30:00Z, found {start:?}"))
        })?;
        let session = Session { settings: Arc::new(settings), clock, executions: 0 };
        Ok(Self { parser: InlineTag::with_limit(options.limit()?), session })
    }
}

/// A time in exactly the form of X13, with or without milliseconds.
fn time(text: &str) -> Option<Timestamp> {
    let shape: String = text.chars().map(|char| if char.is_ascii_digit() { '0' } else { char }).collect();
    let known = ["0000-00-00T00:00:00Z", "0000-00-00T00:00:00.000Z"].contains(&shape.as_str());
    let time: Timestamp = text.parse().ok().filter(|_| known)?;
    // A leap second would be read as another one.
    (timestamp(time) == text.replace(".000Z", "Z")).then_some(time)
}

fn tools(options: &Options) -> Result<BTreeMap<String, Tool>, OptionsError> {
    let Some(tools) = options.0.get("tools") else { return Ok(BTreeMap::new()) };
    let tools: BTreeMap<String, Tool> =
        BTreeMap::deserialize(tools).map_err(|error| OptionsError::new("tools", error.to_string()))?;
    match tools.iter().find(|(_, tool)| tool.result.is_some() && tool.error.is_some()) {
        Some((name, _)) => Err(OptionsError::new("tools", format!("{name:?} has both a result and an error"))),
        None => Ok(tools),
    }
}

impl Machine for ToolSession {
    type Chunk = str;

    const TEXT: TextKind = TextKind::Token;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.parser.feed(chunk, &mut Executor { session: &mut self.session, client: sink });
    }

    fn finish(mut self, sink: &mut impl Sink) {
        let mut executor = Executor { session: &mut self.session, client: sink };
        self.parser.finish(&mut executor);
        let message_id = executor.session.settings.message_id.as_str().into();
        executor.send(Event::new("done", [("message_id", message_id)])); // X9
    }

    fn landmark(&self) -> u64 {
        self.parser.landmark()
    }
}

/// Stands between the parser and the client: passes text on, runs calls.
struct Executor<'a, S> {
    session: &'a mut Session,
    client: &'a mut S,
}

impl<S: Sink> Sink for Executor<'_, S> {
    fn text(&mut self, text: &str) {
        if self.session.settings.frames {
            self.send(TextKind::Token.event(text));
        } else {
            self.client.text(text); // X1
        }
    }

    fn event(&mut self, event: Event) {
        match event.kind() {
            "tool_call" => self.execute(event),
            _ => self.send(event), // X18
        }
    }
}

impl<S: Sink> Executor<'_, S> {
    fn execute(&mut self, call: Event) {
        let settings = Arc::clone(&self.session.settings);
        let name = call.str("name").unwrap_or_default();
        let Some(tool) = settings.tools.get(name) else {
            return self.send(error(format!("Unknown tool: {name}"))); // X6
        };
        self.session.executions += 1;
        self.send(call); // X4
        self.log(tool, "tool_invocation_started", []);
        self.session.clock =
            self.session.clock.saturating_add(SignedDuration::from_millis(tool.delay.into())).unwrap_or(Timestamp::MAX); // X13
        let latency = ("latency", tool.delay.into());
        if let Some(message) = &tool.error {
            self.send(error(format!("Tool error: {message}"))); // X5
            self.log(tool, "tool_invocation_error", [latency, ("error", message.as_str().into())]);
        } else {
            let result = tool.result.clone().unwrap_or_default();
            let size = result.to_string().len().into(); // X12
            self.send(Event::new("tool_result", [("result", result)]));
            self.log(tool, "tool_invocation_success", [latency, ("resultSize", size)]);
        }
    }

    /// X11. Logs stay on the server: X16.
    fn log<const N: usize>(&mut self, tool: &Tool, event: &str, more: [(&str, Value); N]) {
        let Session { settings, clock, executions } = &*self.session;
        if settings.frames {
            return;
        }
        let mut fields: Map<String, Value> = more.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        for (name, value) in [
            ("event", event),
            ("correlationId", &settings.correlation_id),
            ("operationId", &format!("op-{executions}")), // X10
            ("toolInvocationId", &format!("tool-{executions}")),
            ("tool", &tool.id),
            ("timestamp", &timestamp(*clock)),
        ] {
            fields.insert(name.to_owned(), value.into());
        }
        self.client.event(Event::with_fields("log", fields));
    }

    /// Sends an event to the client.
    fn send(&mut self, event: Event) {
        if self.session.settings.frames {
            self.client.event(Event::frame(event)); // X15
        } else {
            self.client.event(event);
        }
    }
}

/// The SSE frame that carries this event to the client, or nothing for what stays on the server (X15, X16).
///
/// ```
/// use anysplit::dialect::sse_frame;
/// use anysplit::event::{Event, TextKind};
///
/// let frame = sse_frame(&TextKind::Token.event("Hi")).expect("tokens are sent");
/// assert_eq!(frame, "data: {\"type\":\"token\",\"token\":\"Hi\"}\n\n");
/// assert_eq!(sse_frame(&Event::new("log", [])), None);
/// ```
pub fn sse_frame(event: &Event) -> Option<String> {
    let (before, after) = FRAME;
    (event.kind() != "log").then(|| format!("{before}{event}{after}"))
}

fn error(message: String) -> Event {
    Event::new("error", [("error", message.into())])
}

/// X13: milliseconds only where there are any.
fn timestamp(time: Timestamp) -> String {
    if time.subsec_millisecond() == 0 { format!("{time:.0}") } else { format!("{time:.3}") }
}

/// The client sees a call and its outcome; the log tells of the same execution under its ids.
pub(super) fn step(event: &Event) -> Option<Step> {
    const INVOKED: Meaning = Meaning::Begins(&[Move::Input, Move::Run]);
    const DONE: Meaning = Meaning::Moves(&[Move::Output]);
    const FAILED: Meaning = Meaning::Moves(&[Move::OutputError]);
    let (track, meaning) = match (event.kind(), event.str("event")) {
        ("tool_call", _) => (Track::Call, INVOKED),
        ("tool_result", _) => (Track::Call, DONE),
        ("error", _) if event.str("error")?.starts_with("Tool error: ") => (Track::Call, FAILED),
        ("log", Some("tool_invocation_started")) => (Track::Log, INVOKED),
        ("log", Some("tool_invocation_error")) => (Track::Log, FAILED),
        ("log", _) => (Track::Log, DONE),
        ("frame", _) => return step(&Event::try_from(event.get("json")?.clone()).ok()?),
        _ => return None,
    };
    let (id, name) = match track {
        Track::Call => (None, event.str("name")),
        Track::Log => (log_id(event), event.str("tool")),
    };
    let input = event.get("args").cloned();
    Some(Step { track, id, name: name.map(str::to_owned), input, meaning })
}

/// An execution is known by both of its ids.
fn log_id(event: &Event) -> Option<String> {
    let ids = ["operationId", "toolInvocationId"].map(|name| event.str(name).filter(|id| !id.is_empty()));
    ids.iter().all(Option::is_some).then(|| json!(ids).to_string())
}
