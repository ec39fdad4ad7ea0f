//! A reducer of `ai-sdk-parts` as it is often written: find the call, move it, show it, hand it to what runs it.
//!
//! By itself it is right, except that it reports no violations and knows no limit (A28). Each of its [`Habits`] can be
//! spoilt, so that a faulty implementation is one bad habit and nothing else.

use anysplit::event::Event;
use anysplit::lifecycle::{Move, State};
use anysplit::machine::{Machine, Sink};
use serde_json::{Map, Value};

use crate::invocation::{Calls, Invocation, OUTCOME};
use crate::support::{flag, text, word};

pub(crate) const CLIENT_TOOLS: [&str; 6] =
    ["write_file", "read_file", "edit_file", "delete_file", "add_package", "remove_package"];

/// How the reducer does what; by itself, rightly.
pub(crate) trait Habits {
    /// The id of a part.
    fn id<'a>(&self, kind: &str, part: &'a Map<String, Value>) -> Option<&'a str> {
        id(kind, part)
    }

    /// The id of the call that a part of this id is for.
    fn call(&mut self, id: &str, _step: Move) -> String {
        id.to_owned()
    }

    /// The state after a move; nothing if the part is passed over.
    fn next(&self, state: State, step: Move) -> Option<State> {
        next(state, step)
    }

    /// The input that a call brings; nothing if it brings none.
    fn input<'a>(&self, part: &'a Map<String, Value>) -> Option<&'a Value> {
        part.get("input")
    }

    /// Whether a result is not the last.
    fn is_preliminary(&self, part: &Map<String, Value>) -> bool {
        flag(part, "preliminary") == Some(true)
    }

    /// What is shown of an error.
    fn error_text(&self, error: &Value) -> String {
        match (error, error.get("message")) {
            (Value::String(text), _) | (_, Some(Value::String(text))) => text.clone(),
            _ => error.to_string(),
        }
    }

    /// Whether a call is dynamic, given what its part and its start say.
    fn dynamic(&self, part: Option<bool>, start: bool) -> bool {
        part.unwrap_or(start)
    }

    fn is_client_side(&self, name: &str) -> bool {
        CLIENT_TOOLS.contains(&name)
    }

    /// The input with which a call is run whose part never came.
    fn guessed(&self, _call: &Invocation) -> Option<Value> {
        None
    }
}

/// No bad habits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sound;

impl Habits for Sound {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plain<H> {
    habits: H,
    calls: Calls,
}

impl<H: Habits> Plain<H> {
    pub(crate) fn new(habits: H) -> Self {
        Self { habits, calls: Calls::new() }
    }

    fn part(&mut self, part: &Map<String, Value>, sink: &mut impl Sink) {
        let Some(kind) = word(part, "type") else { return };
        if let (Some(id), Some(step)) = (self.habits.id(kind, part), self.step(kind, part)) {
            self.take(id, step, part, sink);
        }
    }

    /// The move that a part makes, if it has what it needs.
    fn step(&self, kind: &str, part: &Map<String, Value>) -> Option<Move> {
        let is_named = word(part, "toolName").is_some();
        let has_request = word(part, "approvalId").is_some();
        let approved = flag(part, "approved");
        let (step, is_complete) = match kind {
            "tool-input-start" => (Move::Start, is_named),
            "tool-input-delta" => (Move::Delta, text(part, "delta").is_some()),
            "tool-input-end" => (Move::End, true),
            "tool-call" => (Move::Input, is_named && self.habits.input(part).is_some()),
            "tool-result" if self.habits.is_preliminary(part) => (Move::Preliminary, is_named),
            "tool-result" => (Move::Output, is_named),
            "tool-error" => (Move::OutputError, is_named && part.contains_key("error")),
            "tool-approval-request" => (Move::Request, has_request),
            "tool-approval-response" if approved == Some(true) => (Move::Approve, has_request),
            "tool-approval-response" => (Move::Deny, has_request && approved.is_some()),
            "tool-output-denied" => (Move::OutputDenied, is_named),
            _ => return None,
        };
        is_complete.then_some(step)
    }

    fn take(&mut self, id: &str, step: Move, part: &Map<String, Value>, sink: &mut impl Sink) {
        let id = self.habits.call(id, step);
        let known = self.calls.get(&id);
        let before = known.map_or(State::Absent, |call| call.state);
        let asked = known.and_then(|call| word(&call.fields, "approvalId"));
        let answers_another = matches!(step, Move::Approve | Move::Deny) && asked != word(part, "approvalId");
        let Some(state) = self.habits.next(before, step).filter(|_| !answers_another) else { return };
        let call = self.calls.entry(id.clone()).or_insert_with(|| Invocation::new(&id, part));
        match step {
            Move::Delta => call.deltas.push_str(text(part, "delta").unwrap_or_default()),
            Move::Input => {
                call.put("input", self.habits.input(part).cloned().unwrap_or_default());
                call.deltas.clear();
            }
            Move::Request => call.put("approvalId", word(part, "approvalId").unwrap_or_default()),
            Move::Approve | Move::Deny => {
                call.set_approval(step == Move::Approve, text(part, "reason").map(str::to_owned));
            }
            Move::Preliminary | Move::Output => {
                call.replace(&OUTCOME, step);
                if let Some(output) = part.get("output") {
                    call.put("output", output.clone());
                }
            }
            Move::OutputError => {
                call.replace(&OUTCOME, step);
                let error = part.get("error").unwrap_or(&Value::Null);
                call.put("errorText", self.habits.error_text(error));
            }
            Move::OutputDenied => {
                call.replace(&OUTCOME, step);
                call.set_approval(false, call.reason());
            }
            _ => {}
        }
        call.enter(state);
        show(call, sink);
        if step == Move::Input {
            run(&self.habits, call, flag(part, "dynamic"), sink);
        }
    }
}

fn show(call: &Invocation, sink: &mut impl Sink) {
    sink.event(Event::with_fields("tool", call.fields.clone()));
}

/// Hands a call to what runs it.
fn run(habits: &impl Habits, call: &Invocation, dynamic: Option<bool>, sink: &mut impl Sink) {
    let field = |name: &str| call.fields.get(name).cloned().unwrap_or_default();
    let is_client_side = habits.is_client_side(word(&call.fields, "toolName").unwrap_or_default());
    let fields = [
        ("toolName", field("toolName")),
        ("toolCallId", field("toolCallId")),
        ("args", field("input")),
        ("dynamic", habits.dynamic(dynamic, call.dynamic).into()),
        ("clientSide", is_client_side.into()),
    ];
    sink.event(Event::new("call", fields));
}

impl<H: Habits> Machine for Plain<H> {
    type Chunk = [Value];

    fn feed(&mut self, chunk: &[Value], sink: &mut impl Sink) {
        for item in chunk.iter().filter_map(Value::as_object) {
            self.part(item, sink);
        }
    }

    fn finish(mut self, sink: &mut impl Sink) {
        for call in self.calls.values_mut().filter(|call| call.state.is_open()) {
            if let Some(input) = self.habits.guessed(call) {
                call.put("input", input);
                call.enter(State::InputAvailable);
                show(call, sink);
                run(&self.habits, call, None, sink);
            }
        }
    }
}

/// A part's id, where it belongs.
pub(crate) fn id<'a>(kind: &str, part: &'a Map<String, Value>) -> Option<&'a str> {
    match kind {
        "tool-input-start" | "tool-input-delta" | "tool-input-end" => word(part, "id"),
        "tool-approval-request" | "tool-approval-response" => word(part.get("toolCall")?.as_object()?, "toolCallId"),
        _ => word(part, "toolCallId"),
    }
}

pub(crate) fn next(state: State, step: Move) -> Option<State> {
    let comes_too_early = match step {
        Move::Input => state == State::InputStreaming,
        Move::Request => state != State::InputAvailable,
        _ => false,
    };
    state.after(step).ok().filter(|_| !comes_too_early)
}
