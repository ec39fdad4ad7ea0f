//! `ai-sdk-parts`: the parts of a model's full stream.
//!
//! The rules are in `spec/ai-sdk-parts/README.md`. Every tool part is a [`Move`] of the one [lifecycle](crate::lifecycle); the
//! parts themselves, and what each of them needs, are in `part.rs`.

mod client_tools;
mod part;

pub use client_tools::matches_schema;

use serde_json::{Map, Value};

use self::client_tools::is_client_side;
use self::part::Part;
use super::calls::Calls;
use super::chat_chunks::short;
use super::invocation::{Fields, Input, Invocation, Outcome, shown_state};
use super::options::{Limit, Options, OptionsError};
use super::reducer::Reducer;
use crate::event::Event;
use crate::lifecycle::{Meaning, State, Step, Track};
use crate::machine::{Change, Sink, Words};

/// The reference implementation of `ai-sdk-parts`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AiSdkParts {
    limit: Limit,
    aborted: bool,
    calls: Calls<Invocation>,
}

/// Names that `input` does not have (A6).
const WRONG_NAMES: [&str; 4] = ["args", "params", "arguments", "parameters"];

impl Reducer for AiSdkParts {
    const TRANSPORT: &'static str = "A29";

    const RULES: &'static [&'static str] = &[
        "A1", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A15", "A16", "A17", "A21", "A23",
        "A24", "A25", "A26", "A27", "A29",
    ];

    const FORM: &'static [&'static str] = &["A1", "A29"];

    const SHOWN: &'static [&'static str] = &["output"];

    fn concerns(kind: &str) -> bool {
        Part::of(kind).is_some() || kind == "abort" // A2
    }

    fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["transport", "limit"])?;
        Ok(Self { limit: options.limit()?, aborted: false, calls: Calls::default() })
    }

    fn item(&mut self, item: Value, sink: &mut impl Sink) {
        let kind = item.as_object().and_then(|fields| fields.word("type"));
        let part = match kind {
            None => {
                sink.violation("A1", None, || Words::new(short(&item), "an object with a \"type\""));
                return;
            }
            Some(kind) => {
                self.aborted |= kind == "abort";
                Part::of(kind)
            }
        };
        sink.held("A1");
        if let (Some(part), Value::Object(fields)) = (part, item) {
            self.tool_part(part, fields, sink);
        } // A2
    }

    fn finish(self, sink: &mut impl Sink) {
        if self.calls.any_ended() {
            sink.held("A13");
        }
        if self.aborted {
            return; // A27
        }
        let open = self.calls.ids(|call| call.state.is_open());
        if open.is_empty() && self.calls.any() {
            sink.held("A27");
        }
        for call in open {
            let ended = self.calls.get(&call).is_some_and(|call| call.state == State::InputEnded);
            let words = || match ended {
                true => Words::new("the end, before the tool-call", "tool-call"),
                false => Words::new("the end, before the tool-input-end", "tool-input-end, then tool-call"), // A10
            };
            sink.violation("A27", Some(&call), words);
        }
    }
}

impl AiSdkParts {
    fn tool_part(&mut self, part: Part, fields: Map<String, Value>, sink: &mut impl Sink) {
        let Some(id) = part.id(&fields).map(str::to_owned) else {
            let (name, place) = (part.name(), part.place_of_id());
            sink.violation("A3", None, || Words::new(format!("{name} without a usable {place}"), place));
            return;
        };
        sink.held("A3");
        if let Some(missing) = part.missing(&fields) {
            let words = || Words::new(format!("{} without a usable {missing}", part.name()), missing);
            return sink.violation("A4", Some(&id), words);
        }
        sink.held("A4");
        if part == Part::Call {
            if !fields.contains_key("input") {
                let found = WRONG_NAMES.into_iter().find(|name| fields.contains_key(*name)).unwrap_or("nothing");
                let words = || Words::new(format!("a tool-call with {found} in place of input"), "input");
                return sink.violation("A5", Some(&id), words);
            }
            sink.held("A5");
        }
        self.step(&id, part, fields, sink);
    }

    /// Moves a call, if its state allows it.
    fn step(&mut self, id: &str, part: Part, fields: Map<String, Value>, sink: &mut impl Sink) {
        let known = self.calls.get(id);
        let before = known.map_or(State::Absent, |call| call.state);
        let answers_another = part == Part::ApprovalResponse
            && known.and_then(|call| call.approval_id.as_deref()) != fields.word("approvalId"); // A24
        let state = match before.after(part.step(&fields)) {
            Ok(state) if !part.comes_too_early(before) && !answers_another => state,
            _ => {
                let words = || match known.and_then(|call| call.approval_id.as_ref()) {
                    Some(asked) if answers_another && before == State::ApprovalRequested => {
                        let came = fields.word("approvalId").unwrap_or_default();
                        Words::new(
                            format!("{} with the approvalId {came:?}", part.name()),
                            format!("the approvalId {asked:?}"),
                        )
                    }
                    _ => Words::new(format!("{} in state {}", part.name(), before.name()), part::allowed(before)),
                };
                return sink.violation(part.refusal(before), Some(id), words);
            }
        };
        sink.held(part.rule());
        if before == State::Approved {
            sink.held("A26");
        }
        if before == State::Absent {
            let name = fields.word("toolName").unwrap_or_default();
            self.calls.insert(id, Invocation::new(name, fields.is_true("dynamic")));
        }
        let Some(call) = self.calls.get_mut(id) else { return };
        call.state = state;
        match part {
            Part::InputDelta => {
                if !call.join.push(fields.text("delta").unwrap_or_default(), self.limit) {
                    sink.event(self.limit.event()); // A28
                }
                return;
            }
            Part::InputEnd => return, // A18
            _ => check_content(id, call, part, &fields, sink),
        }
        let dynamic = fields.get("dynamic").and_then(Value::as_bool).unwrap_or(call.dynamic); // A19
        apply(call, part, fields, sink.wants_events());
        let is_new = before == State::Absent;
        let change = Change { call: id, state: state.label(), life: state.into(), is_new };
        sink.change(change, || Event::with_fields("tool", call.fields(id)));
        if part == Part::Call {
            sink.change(Change { is_new: false, ..change }, || mapped(id, call, dynamic));
        }
        if !state.is_open() {
            self.calls.settle(id);
        }
        if state.is_final() {
            self.calls.end(id, Invocation::ended);
        }
    }
}

/// The content of a part whose place is right: A6, A15, A16, A17, A21.
fn check_content(id: &str, call: &Invocation, part: Part, fields: &Map<String, Value>, sink: &mut impl Sink) {
    let mut ask = |rule, holds: bool, words: &dyn Fn() -> Words| {
        if holds { sink.held(rule) } else { sink.violation(rule, Some(id), words) }
    };
    let is_result = matches!(part, Part::Result | Part::Error);
    if part == Part::Call || is_result {
        let wrong = WRONG_NAMES.into_iter().find(|name| fields.contains_key(*name));
        ask("A6", wrong.is_none(), &|| Words::new(format!("the field {}", wrong.unwrap_or_default()), "input only"));
    }
    if part.has_name()
        && let Some(name) = fields.word("toolName")
    {
        ask("A15", name == call.name, &|| Words::new(format!("the name {name:?}"), format!("{:?}", call.name)));
    }
    let Some(input) = fields.get("input") else { return };
    let came = || format!("the input {}", short(input));
    if part == Part::Call {
        if let Some(holds) = call.join.is_json_for(input) {
            let join = || short(&call.join.text().unwrap_or_default().into());
            ask("A16", holds, &|| Words::new(came(), format!("what the deltas join to, {}", join())));
        }
        if is_client_side(&call.name) {
            let schema = format!("what tools/{}.schema.json describes", call.name);
            ask("A21", matches_schema(&call.name, input), &|| Words::new(came(), schema.clone()));
        }
    } else if is_result && let Some(first) = &call.input {
        ask("A17", first.is(input), &|| Words::new(came(), format!("the input {}", first.short())));
    }
}

/// What an accepted part changes: A18, A22, A24, A25. What is only shown is kept where it is.
fn apply(call: &mut Invocation, part: Part, mut fields: Map<String, Value>, shown: bool) {
    match part {
        Part::InputStart | Part::InputDelta | Part::InputEnd => {}
        Part::Call => {
            call.input = fields.remove("input").map(|input| Input::of(input, shown));
            call.join = Default::default();
        }
        Part::ApprovalRequest => call.approval_id = fields.word("approvalId").map(str::to_owned),
        _ if !shown => {}
        Part::Result => call.set_outcome(Outcome { output: fields.remove("output"), error_text: None }),
        Part::Error => {
            let error_text = fields.get("error").map(error_text);
            call.set_outcome(Outcome { output: None, error_text });
        }
        Part::ApprovalResponse => call.set_approval(fields.is_true("approved"), fields.text("reason")),
        Part::OutputDenied => {
            call.set_outcome(Outcome::default());
            call.set_approval(false, None);
        }
    }
}

/// A22
fn error_text(error: &Value) -> String {
    match (error, error.get("message")) {
        (Value::String(text), _) | (_, Some(Value::String(text))) => text.clone(),
        _ => error.to_string(),
    }
}

/// A19, A20
fn mapped(id: &str, call: &Invocation, dynamic: bool) -> Event {
    Event::new(
        "call",
        [
            ("toolName", call.name.as_str().into()),
            ("toolCallId", id.into()),
            ("args", call.input.as_ref().and_then(Input::whole).cloned().unwrap_or_default()),
            ("dynamic", dynamic.into()),
            ("clientSide", is_client_side(&call.name).into()),
        ],
    )
}

/// A `tool` shows the state that its call has come to.
pub(super) fn step(event: &Event) -> Option<Step> {
    if event.kind() != "tool" {
        return None;
    }
    let text = |name: &str| event.str(name).map(str::to_owned);
    let meaning = Meaning::Becomes(shown_state(event.fields())?);
    let input = event.get("input").cloned();
    Some(Step { track: Track::Call, id: text("toolCallId"), name: text("toolName"), input, meaning })
}

/// The call that an item belongs to.
pub(super) fn owner(item: &Value) -> Option<String> {
    let fields = item.as_object()?;
    let part = Part::of(fields.text("type")?)?;
    part.id(fields).map(str::to_owned)
}
