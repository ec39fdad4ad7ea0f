//! `chat-chunks`: a chat's stream chunks, and the user's answers to approval requests.
//!
//! The rules are in `spec/chat-chunks/README.md`. Every chunk is a [`Move`] of the one [lifecycle](crate::lifecycle); what it does
//! not allow is refused, and what it allows is checked for its content.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde_json::{Map, Value};

use super::calls::Calls;
use super::invocation::{Fields, Input, Invocation, Outcome, shown_state};
use super::options::{Limit, Options, OptionsError};
use super::reducer::Reducer;
use crate::event::Event;
use crate::lifecycle::{Meaning, Move, State, Step, Track};
use crate::machine::{Change, Sink, Words};

/// The reference implementation of `chat-chunks`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChatChunks {
    limit: Limit,
    stream: Stream,
    calls: Calls<Invocation>,
    /// Which call an answer of this id is for (C31).
    asked: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stream {
    Before,
    Open,
    Finished,
    Aborted,
}

/// The tool chunks, and the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chunk {
    InputStart,
    InputDelta,
    InputAvailable,
    InputError,
    ApprovalRequest,
    Answer,
    OutputAvailable,
    OutputError,
    OutputDenied,
}

impl Chunk {
    const ALL: [Self; 9] = [
        Self::InputStart,
        Self::InputDelta,
        Self::InputAvailable,
        Self::InputError,
        Self::ApprovalRequest,
        Self::Answer,
        Self::OutputAvailable,
        Self::OutputError,
        Self::OutputDenied,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::InputStart => "tool-input-start",
            Self::InputDelta => "tool-input-delta",
            Self::InputAvailable => "tool-input-available",
            Self::InputError => "tool-input-error",
            Self::ApprovalRequest => "tool-approval-request",
            Self::Answer => "an approval answer",
            Self::OutputAvailable => "tool-output-available",
            Self::OutputError => "tool-output-error",
            Self::OutputDenied => "tool-output-denied",
        }
    }

    /// The tool chunk of this `type`.
    fn of(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chunk| *chunk != Self::Answer && chunk.name() == kind)
    }

    /// The rule about its place.
    fn rule(self) -> &'static str {
        match self {
            Self::InputStart => "C11",
            Self::InputDelta => "C12",
            Self::InputAvailable => "C13",
            Self::InputError => "C14",
            Self::ApprovalRequest => "C15",
            Self::Answer => "C16",
            Self::OutputAvailable => "C17",
            Self::OutputError => "C18",
            Self::OutputDenied => "C19",
        }
    }

    /// What it does to a call.
    fn step(self, fields: &Map<String, Value>) -> Move {
        match self {
            Self::InputStart => Move::Start,
            Self::InputDelta => Move::Delta,
            Self::InputAvailable => Move::Input,
            Self::InputError => Move::InputError,
            Self::ApprovalRequest => Move::Request,
            Self::Answer if fields.is_true("approved") => Move::Approve,
            Self::Answer => Move::Deny,
            Self::OutputAvailable if fields.is_true("preliminary") => Move::Preliminary, // C22
            Self::OutputAvailable => Move::Output,
            Self::OutputError => Move::OutputError,
            Self::OutputDenied => Move::OutputDenied,
        }
    }

    /// The chunk that makes a move.
    fn making(step: Move) -> Option<Self> {
        Some(match step {
            Move::Start => Self::InputStart,
            Move::Delta => Self::InputDelta,
            Move::Input => Self::InputAvailable,
            Move::InputError => Self::InputError,
            Move::Request => Self::ApprovalRequest,
            Move::Approve | Move::Deny => Self::Answer,
            Move::Preliminary | Move::Output => Self::OutputAvailable,
            Move::OutputError => Self::OutputError,
            Move::OutputDenied => Self::OutputDenied,
            Move::End | Move::Run => return None,
        })
    }

    /// The first required field that is missing or of another type, besides the id (C9).
    fn missing(self, fields: &Map<String, Value>) -> Option<&'static str> {
        let has_name = fields.word("toolName").is_some();
        let missing = |name: &'static str, has: bool| (!has).then_some(name);
        let present = |name: &'static str| missing(name, fields.contains_key(name));
        match self {
            Self::InputStart => missing("toolName", has_name),
            Self::InputAvailable | Self::ApprovalRequest => missing("toolName", has_name).or_else(|| present("input")),
            Self::InputDelta => missing("inputTextDelta", fields.text("inputTextDelta").is_some()),
            Self::OutputAvailable => present("output"),
            Self::InputError | Self::OutputError => missing("errorText", fields.text("errorText").is_some()),
            Self::Answer => missing("approved", fields.get("approved").is_some_and(Value::is_boolean)),
            Self::OutputDenied => None,
        }
    }
}

/// What the lifecycle allows in a state, in the words of this dialect.
fn allowed(state: State) -> String {
    let mut names: Vec<&str> = state.allowed().filter_map(Chunk::making).map(Chunk::name).collect();
    names.dedup();
    if names.is_empty() { "nothing more for this call".to_owned() } else { names.join(", ") }
}

/// The rule that a chunk breaks in a state that does not allow it.
fn refusal(state: State, chunk: Chunk) -> &'static str {
    let unapproved = matches!(state, State::ApprovalRequested | State::Denied);
    match chunk {
        _ if state.is_final() => "C20",
        Chunk::OutputAvailable | Chunk::OutputError if unapproved => "C21",
        _ => chunk.rule(),
    }
}

impl Reducer for ChatChunks {
    const TRANSPORT: &'static str = "C36";

    const RULES: &'static [&'static str] = &[
        "C1", "C3", "C4", "C5", "C6", "C7", "C9", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "C20",
        "C21", "C23", "C24", "C25", "C26", "C36",
    ];

    const FORM: &'static [&'static str] = &["C1", "C36"];

    const SHOWN: &'static [&'static str] = &["output"];

    fn concerns(kind: &str) -> bool {
        Chunk::of(kind).is_some() || matches!(kind, "start" | "finish" | "abort") // C2
    }

    fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["transport", "limit"])?;
        let calls = Calls::default();
        Ok(Self { limit: options.limit()?, stream: Stream::Before, calls, asked: BTreeMap::new() })
    }

    fn item(&mut self, item: Value, sink: &mut impl Sink) {
        let Value::Object(fields) = item else { return no_item(&item, sink) };
        match fields.get("type") {
            Some(Value::String(kind)) if !kind.is_empty() => {
                sink.held("C1");
                if let Some(chunk) = Chunk::of(kind) {
                    self.tool_chunk(chunk, fields, sink);
                } else if matches!(kind.as_str(), "start" | "finish" | "abort") {
                    self.stream_chunk(kind, fields.word("toolCallId"), sink);
                } // C2
            }
            None if is_answer(&fields) => {
                sink.held("C1");
                self.answer(&fields, sink);
            }
            _ => no_item(&Value::Object(fields), sink),
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        match self.stream {
            Stream::Finished | Stream::Aborted => {
                sink.held("C5");
                sink.held("C6");
            }
            Stream::Before | Stream::Open => {
                self.report_open(sink);
                sink.violation("C6", None, || Words::new("the end of the input", "finish or abort before it"));
            }
        }
        if self.calls.any_ended() {
            sink.held("C20");
        }
    }
}

/// Whether an object without `type` is an approval answer.
fn is_answer(fields: &Map<String, Value>) -> bool {
    fields.text("action") == Some("approve")
}

fn no_item(item: &Value, sink: &mut impl Sink) {
    sink.violation("C1", None, || Words::new(short(item), "an object with a \"type\", or an approval answer"));
}

/// An item, as far as it fits a line.
pub(super) fn short(item: &Value) -> String {
    let mut line = Line { text: String::new(), room: 80 };
    match write!(line, "{item}") {
        Ok(()) => line.text,
        Err(_) => line.text + "…",
    }
}

/// A text that takes no more than fits: an item may be long.
struct Line {
    text: String,
    /// For so many characters.
    room: usize,
}

impl Write for Line {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        // No text has more characters than bytes.
        if let Some(room) = self.room.checked_sub(more.len()) {
            self.room = room + more.len() - more.chars().count();
            self.text.push_str(more);
            return Ok(());
        }
        for char in more.chars() {
            self.room = self.room.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(char);
        }
        Ok(())
    }
}

impl ChatChunks {
    fn stream_chunk(&mut self, kind: &str, call: Option<&str>, sink: &mut impl Sink) {
        if self.is_late(kind, call, sink) {
            return;
        }
        if kind == "start" {
            if self.stream == Stream::Open {
                sink.violation("C4", None, || Words::new("a start in an open stream", "one start, at the beginning"));
            } else {
                sink.held("C3");
                sink.held("C4");
                self.stream = Stream::Open;
            }
            return;
        }
        self.open(kind, sink);
        if kind == "finish" {
            self.report_open(sink);
            self.stream = Stream::Finished;
        } else {
            self.stream = Stream::Aborted; // C8
        }
    }

    /// C5
    fn is_late(&self, kind: &str, call: Option<&str>, sink: &mut impl Sink) -> bool {
        let closed = match self.stream {
            Stream::Before | Stream::Open => return false,
            Stream::Finished => "finish",
            Stream::Aborted => "abort",
        };
        sink.violation("C5", call, || Words::new(format!("{kind} after {closed}"), "approval answers only"));
        true
    }

    /// C3
    fn open(&mut self, kind: &str, sink: &mut impl Sink) {
        if self.stream == Stream::Before {
            self.stream = Stream::Open;
            sink.violation("C3", None, || Words::new(format!("{kind} as the first chunk"), "start"));
        }
    }

    /// C7
    fn report_open(&self, sink: &mut impl Sink) {
        let open = self.calls.ids(|call| call.state.is_open());
        if open.is_empty() && self.calls.any() {
            sink.held("C7");
        }
        for call in open {
            let words = || Words::new("the end, while the input still streams", allowed(State::InputStreaming));
            sink.violation("C7", Some(&call), words);
        }
    }

    fn tool_chunk(&mut self, chunk: Chunk, fields: Map<String, Value>, sink: &mut impl Sink) {
        let id = fields.word("toolCallId");
        if self.is_late(chunk.name(), id, sink) {
            return;
        }
        self.open(chunk.name(), sink);
        let missing = if id.is_none() { Some("toolCallId") } else { chunk.missing(&fields) };
        let (Some(id), None) = (id.map(str::to_owned), missing) else {
            return lacks(chunk, missing.unwrap_or_default(), id, sink);
        };
        sink.held("C9");
        self.step(&id, chunk, fields, sink);
    }

    /// C16, C31
    fn answer(&mut self, fields: &Map<String, Value>, sink: &mut impl Sink) {
        let id = fields.word("id");
        let asked = id.and_then(|id| self.asked.get(id)).cloned();
        let call = asked.as_deref().or(id);
        let missing = if id.is_none() { Some("id") } else { Chunk::Answer.missing(fields) };
        if let Some(missing) = missing {
            return lacks(Chunk::Answer, missing, call, sink);
        }
        sink.held("C9");
        match (asked.as_deref(), call) {
            (Some(call), _) => self.step(call, Chunk::Answer, fields.clone(), sink),
            (None, Some(id)) => {
                // For none, though there may be a call of this id: it was not asked about, or under another id.
                let state = self.calls.get(id).map_or(State::Absent, |call| call.state);
                if matches!(state, State::Absent | State::ApprovalRequested) {
                    let came = || format!("{} with the id {id:?}", Chunk::Answer.name());
                    sink.violation(Chunk::Answer.rule(), Some(id), || Words::new(came(), self.awaited(id)));
                } else {
                    refuse(id, state, Chunk::Answer, sink);
                }
            }
            (None, None) => {}
        }
    }

    /// The ids of answers that calls wait for, in words: the one of the call of this id, or the first few.
    fn awaited(&self, id: &str) -> String {
        let waits = |call: &str| self.calls.get(call).is_some_and(|call| call.state == State::ApprovalRequested);
        if let Some(asked) = self.calls.get(id).and_then(|call| call.approval_id.as_ref()) {
            return format!("the id {asked:?}");
        }
        // Looked for among so many and no more: the cost of a chunk must not grow with the stream.
        let most = 1 << 10;
        let asked = self.asked.iter().take(most).filter(|(_, call)| waits(call));
        let ids: Vec<String> = asked.take(3).map(|(asked, _)| format!("{asked:?}")).collect();
        match ids.is_empty() {
            false => format!("the id {}", ids.join(" or ")),
            true if self.asked.len() > most => "the id of a request that waits for its answer".to_owned(),
            true => "none: no call waits for an answer".to_owned(),
        }
    }

    /// Moves a call, if its state allows it.
    fn step(&mut self, id: &str, chunk: Chunk, fields: Map<String, Value>, sink: &mut impl Sink) {
        let before = self.calls.get(id).map_or(State::Absent, |call| call.state);
        let Ok(state) = before.after(chunk.step(&fields)) else {
            return refuse(id, before, chunk, sink);
        };
        sink.held(chunk.rule());
        if before == State::Approved {
            sink.held("C21");
        }
        if before == State::Absent {
            let name = fields.word("toolName").unwrap_or_default();
            if self.calls.insert(id, Invocation::new(name, fields.is_true("dynamic"))) {
                let calls = &self.calls;
                self.asked.retain(|_, call| calls.get(call).is_some());
            }
        }
        let Some(call) = self.calls.get_mut(id) else { return };
        call.state = state;
        if chunk == Chunk::InputDelta {
            let piece = fields.text("inputTextDelta").unwrap_or_default();
            if !call.join.push(piece, self.limit) {
                sink.event(self.limit.event()); // C35
            }
            return; // C32
        }
        check_content(id, call, before, chunk, &fields, sink);
        apply(call, before, chunk, fields, sink.wants_events());
        if state == State::ApprovalRequested {
            self.asked.insert(call.approval_id.clone().unwrap_or_else(|| id.to_owned()), id.to_owned());
        }
        let is_new = before == State::Absent;
        let change = Change { call: id, state: state.label(), life: state.into(), is_new };
        sink.change(change, || part(id, call));
        if !state.is_open() {
            self.calls.settle(id);
        }
        if state.is_final() {
            self.calls.end(id, Invocation::ended);
        }
    }
}

/// C9
fn lacks(chunk: Chunk, missing: &str, call: Option<&str>, sink: &mut impl Sink) {
    sink.violation("C9", call, || Words::new(format!("{} without a usable {missing}", chunk.name()), missing));
}

fn refuse(id: &str, state: State, chunk: Chunk, sink: &mut impl Sink) {
    let words = || Words::new(format!("{} in state {}", chunk.name(), state.name()), allowed(state));
    sink.violation(refusal(state, chunk), Some(id), words);
}

/// The content of a chunk whose place is right: C23 to C26.
fn check_content(
    id: &str,
    call: &Invocation,
    before: State,
    chunk: Chunk,
    fields: &Map<String, Value>,
    sink: &mut impl Sink,
) {
    if before == State::Absent || !matches!(chunk, Chunk::InputAvailable | Chunk::ApprovalRequest) {
        return;
    }
    let mut ask = |rule, holds: bool, words: &dyn Fn() -> Words| {
        if holds { sink.held(rule) } else { sink.violation(rule, Some(id), words) }
    };
    let name = fields.word("toolName").unwrap_or_default();
    ask("C23", name == call.name, &|| Words::new(format!("the name {name:?}"), format!("{:?}", call.name)));
    let dynamic = fields.is_true("dynamic");
    ask("C24", dynamic == call.dynamic, &|| {
        Words::new(format!("dynamic: {dynamic}"), format!("dynamic: {}", call.dynamic))
    });
    let input = fields.get("input").unwrap_or(&Value::Null);
    if before == State::InputStreaming {
        if let Some(holds) = call.join.is_json_for(input) {
            ask("C25", holds, &|| {
                let join = call.join.text().unwrap_or_default();
                Words::new(
                    format!("the input {}", short(input)),
                    format!("what the deltas join to, {}", short(&join.into())),
                )
            });
        }
    } else if let Some(first) = &call.input {
        ask("C26", first.is(input), &|| {
            Words::new(format!("the input {}", short(input)), format!("the input {}", first.short()))
        });
    }
}

/// What an accepted chunk changes: C28 to C30. What is only shown is kept where it is.
fn apply(call: &mut Invocation, before: State, chunk: Chunk, mut fields: Map<String, Value>, shown: bool) {
    match chunk {
        Chunk::InputStart | Chunk::InputDelta => {}
        Chunk::InputAvailable | Chunk::ApprovalRequest => {
            if before != State::InputAvailable {
                call.input = fields.remove("input").map(|input| Input::of(input, shown));
                call.join = Default::default();
            }
            if chunk == Chunk::ApprovalRequest {
                call.approval_id = fields.word("approvalId").map(str::to_owned);
            }
        }
        _ if !shown => {}
        Chunk::Answer => call.set_approval(fields.is_true("approved"), fields.text("reason")),
        Chunk::OutputAvailable => {
            call.set_outcome(Outcome { output: fields.remove("output"), error_text: None });
        }
        Chunk::InputError | Chunk::OutputError => {
            let error_text = fields.text("errorText").map(str::to_owned);
            call.set_outcome(Outcome { output: None, error_text });
        }
        Chunk::OutputDenied => {
            call.set_outcome(Outcome::default());
            call.set_approval(false, fields.text("reason"));
        }
    }
}

/// C27
fn part(id: &str, call: &Invocation) -> Event {
    let kind = if call.dynamic { "dynamic-tool" } else { "tool" };
    Event::new(kind, [("toolInvocation", call.fields(id).into())])
}

/// A part shows the state that its call has come to.
pub(super) fn step(event: &Event) -> Option<Step> {
    if !matches!(event.kind(), "tool" | "dynamic-tool") {
        return None;
    }
    let fields = event.get("toolInvocation")?.as_object()?;
    let text = |name: &str| fields.text(name).map(str::to_owned);
    let meaning = Meaning::Becomes(shown_state(fields)?);
    let input = fields.get("input").cloned();
    Some(Step { track: Track::Call, id: text("toolCallId"), name: text("toolName"), input, meaning })
}

/// The call that each item belongs to; nothing at all where an answer could be for several.
pub(super) fn owners(items: &[Value]) -> Option<Vec<Option<String>>> {
    let mut asked: BTreeMap<&str, &str> = BTreeMap::new();
    for fields in items.iter().filter_map(Value::as_object) {
        if fields.text("type") == Some(Chunk::ApprovalRequest.name())
            && let Some(call) = fields.word("toolCallId")
            && asked.insert(fields.word("approvalId").unwrap_or(call), call).is_some_and(|other| other != call)
        {
            return None;
        }
    }
    let owner = |item: &Value| {
        let fields = item.as_object()?;
        let call = match fields.get("type") {
            Some(kind) => Chunk::of(kind.as_str()?).and_then(|_| fields.word("toolCallId")),
            None if is_answer(fields) => fields.word("id").map(|id| asked.get(id).copied().unwrap_or(id)),
            None => None, // C1
        };
        call.map(str::to_owned)
    };
    Some(items.iter().map(owner).collect())
}
