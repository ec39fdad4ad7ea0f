//! A reducer of `chat-chunks` as it is often written: find the call, move it, show it.
//!
//! By itself it is right, except that it reports no violations and knows no limit (C35). Each of its [`Habits`] can be
//! spoilt, so that a faulty implementation is one bad habit and nothing else.

use std::collections::BTreeMap;

use anysplit::event::Event;
use anysplit::lifecycle::{Move, State};
use anysplit::machine::{Machine, Sink};
use serde_json::{Map, Value};

use crate::invocation::{Calls, Invocation, OUTCOME};
use crate::support::{flag, text, word};

/// How the reducer does what; by itself, rightly.
pub(crate) trait Habits {
    /// Under which key the call is kept that a chunk of this id is for.
    fn key(&mut self, _calls: &Calls, id: &str, _step: Move, _chunk: &Map<String, Value>) -> String {
        id.to_owned()
    }

    /// The state after a move; nothing if the chunk is passed over.
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        state.after(step).ok()
    }

    /// Whether `finish` and `abort` end the stream.
    fn closes(&self) -> bool {
        true
    }

    /// Whether a required field that may have any value has one.
    fn is_given(&self, _value: &Value) -> bool {
        true
    }

    /// Whether the name is taken from every chunk that has one.
    fn renames(&self) -> bool {
        false
    }

    /// A delta has arrived.
    fn delta(&self, _call: &Invocation) {}

    /// The input that is shown, given the one that the chunk brings.
    fn input(&self, _call: &Invocation, given: Value) -> Value {
        given
    }

    /// Whether an approval request brings a new input for a call that has one.
    fn request_replaces_input(&self) -> bool {
        false
    }

    /// What an outcome replaces.
    fn replaced(&self, _step: Move) -> &'static [&'static str] {
        &OUTCOME
    }

    /// The reason of a denial, given that of the chunk and the one that is there.
    fn reason(&self, given: Option<String>, before: Option<String>) -> Option<String> {
        given.or(before)
    }

    /// The id under which an answer is awaited.
    fn awaited<'a>(&self, approval_id: Option<&'a str>, call_id: &'a str) -> &'a str {
        approval_id.unwrap_or(call_id)
    }
}

/// No bad habits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sound;

impl Habits for Sound {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plain<H> {
    habits: H,
    closed: bool,
    calls: Calls,
    /// Which call an answer of this id is for.
    asked: BTreeMap<String, String>,
}

impl<H: Habits> Plain<H> {
    pub(crate) fn new(habits: H) -> Self {
        Self { habits, closed: false, calls: Calls::new(), asked: BTreeMap::new() }
    }

    fn item(&mut self, chunk: &Map<String, Value>, sink: &mut impl Sink) {
        let kind = match chunk.get("type") {
            None if text(chunk, "action") == Some("approve") => return self.answer(chunk, sink),
            Some(Value::String(kind)) => kind.as_str(),
            _ => return,
        };
        if self.closed && self.habits.closes() {
            return;
        }
        if matches!(kind, "finish" | "abort") {
            self.closed = true;
        } else if let (Some(id), Some(step)) = (word(chunk, "toolCallId"), self.step(kind, chunk)) {
            self.take(id, step, chunk, sink);
        }
    }

    /// The move that a chunk makes, if it has what it needs.
    fn step(&self, kind: &str, chunk: &Map<String, Value>) -> Option<Move> {
        let has = |field: &str| chunk.get(field).is_some_and(|value| self.habits.is_given(value));
        let is_named = word(chunk, "toolName").is_some();
        let fails = text(chunk, "errorText").is_some();
        let (step, is_complete) = match kind {
            "tool-input-start" => (Move::Start, is_named),
            "tool-input-delta" => (Move::Delta, text(chunk, "inputTextDelta").is_some()),
            "tool-input-available" => (Move::Input, is_named && has("input")),
            "tool-input-error" => (Move::InputError, fails),
            "tool-approval-request" => (Move::Request, is_named && has("input")),
            "tool-output-available" if flag(chunk, "preliminary") == Some(true) => (Move::Preliminary, has("output")),
            "tool-output-available" => (Move::Output, has("output")),
            "tool-output-error" => (Move::OutputError, fails),
            "tool-output-denied" => (Move::OutputDenied, true),
            _ => return None,
        };
        is_complete.then_some(step)
    }

    fn answer(&mut self, answer: &Map<String, Value>, sink: &mut impl Sink) {
        let (Some(id), Some(approved)) = (word(answer, "id"), flag(answer, "approved")) else { return };
        if let Some(call) = self.asked.get(id).cloned() {
            self.take(&call, if approved { Move::Approve } else { Move::Deny }, answer, sink);
        }
    }

    fn take(&mut self, id: &str, step: Move, chunk: &Map<String, Value>, sink: &mut impl Sink) {
        let habits = &mut self.habits;
        let key = habits.key(&self.calls, id, step, chunk);
        let before = self.calls.get(&key).map_or(State::Absent, |call| call.state);
        let Some(state) = habits.next(id, before, step) else { return };
        if step == Move::Start {
            self.calls.remove(&key);
        }
        let call = self.calls.entry(key).or_insert_with(|| Invocation::new(id, chunk));
        call.enter(state);
        match (step, word(chunk, "toolName")) {
            (Move::Input | Move::Request, Some(name)) if habits.renames() => call.put("toolName", name),
            _ => {}
        }
        match step {
            Move::Delta => {
                call.deltas.push_str(text(chunk, "inputTextDelta").unwrap_or_default());
                habits.delta(call);
            }
            Move::Input | Move::Request => {
                if before != State::InputAvailable || habits.request_replaces_input() {
                    let given = chunk.get("input").cloned().unwrap_or_default();
                    call.put("input", habits.input(call, given));
                    call.deltas.clear();
                }
                if step == Move::Request {
                    let approval_id = word(chunk, "approvalId");
                    if let Some(approval_id) = approval_id {
                        call.put("approvalId", approval_id);
                    }
                    self.asked.insert(habits.awaited(approval_id, id).to_owned(), id.to_owned());
                }
            }
            Move::Approve | Move::Deny => {
                call.set_approval(step == Move::Approve, text(chunk, "reason").map(str::to_owned));
            }
            Move::Preliminary | Move::Output | Move::OutputError | Move::InputError | Move::OutputDenied => {
                call.replace(habits.replaced(step), step);
                if step == Move::OutputDenied {
                    let reason = habits.reason(text(chunk, "reason").map(str::to_owned), call.reason());
                    call.set_approval(false, reason);
                } else {
                    let fails = matches!(step, Move::OutputError | Move::InputError);
                    let field = if fails { "errorText" } else { "output" };
                    call.put(field, chunk.get(field).cloned().unwrap_or_default());
                }
            }
            _ => {}
        }
        let kind = if call.dynamic { "dynamic-tool" } else { "tool" };
        sink.event(Event::new(kind, [("toolInvocation", call.fields.clone().into())]));
    }
}

impl<H: Habits> Machine for Plain<H> {
    type Chunk = [Value];

    fn feed(&mut self, chunk: &[Value], sink: &mut impl Sink) {
        for item in chunk.iter().filter_map(Value::as_object) {
            self.item(item, sink);
        }
    }

    fn finish(self, _sink: &mut impl Sink) {}
}
