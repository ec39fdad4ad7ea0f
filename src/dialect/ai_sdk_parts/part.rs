//! The tool parts: what each is called, needs, and does.

use serde_json::{Map, Value};

use crate::dialect::invocation::Fields;
use crate::lifecycle::{Move, State};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    InputStart,
    InputDelta,
    InputEnd,
    Call,
    Result,
    Error,
    ApprovalRequest,
    ApprovalResponse,
    OutputDenied,
}

impl Part {
    const ALL: [Self; 9] = [
        Self::InputStart,
        Self::InputDelta,
        Self::InputEnd,
        Self::Call,
        Self::Result,
        Self::Error,
        Self::ApprovalRequest,
        Self::ApprovalResponse,
        Self::OutputDenied,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::InputStart => "tool-input-start",
            Self::InputDelta => "tool-input-delta",
            Self::InputEnd => "tool-input-end",
            Self::Call => "tool-call",
            Self::Result => "tool-result",
            Self::Error => "tool-error",
            Self::ApprovalRequest => "tool-approval-request",
            Self::ApprovalResponse => "tool-approval-response",
            Self::OutputDenied => "tool-output-denied",
        }
    }

    /// The part of this `type`.
    pub(super) fn of(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == kind)
    }

    /// Where its id stands (A3).
    pub(super) fn place_of_id(self) -> &'static str {
        match self {
            Self::InputStart | Self::InputDelta | Self::InputEnd => "id",
            Self::Call | Self::Result | Self::Error | Self::OutputDenied => "toolCallId",
            Self::ApprovalRequest | Self::ApprovalResponse => "toolCall.toolCallId",
        }
    }

    /// Its id, if it has a usable one (A3).
    pub(super) fn id(self, fields: &Map<String, Value>) -> Option<&str> {
        match self.place_of_id() {
            "toolCall.toolCallId" => fields.get("toolCall")?.as_object()?.word("toolCallId"),
            place => fields.word(place),
        }
    }

    /// Whether it names the tool.
    pub(super) fn has_name(self) -> bool {
        matches!(self, Self::InputStart | Self::Call | Self::Result | Self::Error | Self::OutputDenied)
    }

    /// The first other required field that is missing or of another type (A4).
    pub(super) fn missing(self, fields: &Map<String, Value>) -> Option<&'static str> {
        let missing = |name: &'static str, has: bool| (!has).then_some(name);
        let word = |name: &'static str| missing(name, fields.word(name).is_some());
        match self {
            Self::InputStart | Self::Call | Self::Result | Self::OutputDenied => word("toolName"),
            Self::InputDelta => missing("delta", fields.text("delta").is_some()),
            Self::InputEnd => None,
            Self::Error => word("toolName").or_else(|| missing("error", fields.contains_key("error"))),
            Self::ApprovalRequest => word("approvalId"),
            Self::ApprovalResponse => {
                let answered = fields.get("approved").is_some_and(Value::is_boolean);
                word("approvalId").or_else(|| missing("approved", answered))
            }
        }
    }

    /// The rule about its place.
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::InputStart => "A7",
            Self::InputDelta => "A8",
            Self::InputEnd => "A9",
            Self::Call => "A10",
            Self::Result => "A11",
            Self::Error => "A12",
            Self::ApprovalRequest => "A23",
            Self::ApprovalResponse => "A24",
            Self::OutputDenied => "A25",
        }
    }

    /// The rule that it breaks in a state that does not allow it.
    pub(super) fn refusal(self, state: State) -> &'static str {
        let unapproved = matches!(state, State::ApprovalRequested | State::Denied);
        match self {
            _ if state.is_final() => "A13",
            Self::Result | Self::Error if unapproved => "A26",
            _ => self.rule(),
        }
    }

    /// What it does to a call.
    pub(super) fn step(self, fields: &Map<String, Value>) -> Move {
        match self {
            Self::InputStart => Move::Start,
            Self::InputDelta => Move::Delta,
            Self::InputEnd => Move::End,
            Self::Call => Move::Input,
            Self::Result if fields.is_true("preliminary") => Move::Preliminary, // A14
            Self::Result => Move::Output,
            Self::Error => Move::OutputError,
            Self::ApprovalRequest => Move::Request,
            Self::ApprovalResponse if fields.is_true("approved") => Move::Approve,
            Self::ApprovalResponse => Move::Deny,
            Self::OutputDenied => Move::OutputDenied,
        }
    }

    /// Whether this dialect is stricter than the lifecycle about this part in this state: a call needs the end of its input
    /// (A10), a request needs the call (A23).
    pub(super) fn comes_too_early(self, state: State) -> bool {
        match self {
            Self::Call => state == State::InputStreaming,
            Self::ApprovalRequest => state != State::InputAvailable,
            _ => false,
        }
    }
}

/// What may come in a state, in the words of this dialect.
pub(super) fn allowed(state: State) -> String {
    let makes = |part: &Part, step: Move| match part {
        Part::Result => matches!(step, Move::Preliminary | Move::Output),
        Part::ApprovalResponse => matches!(step, Move::Approve | Move::Deny),
        part => part.step(&Map::new()) == step,
    };
    let may_come = |part: &Part| !part.comes_too_early(state) && state.allowed().any(|step| makes(part, step));
    let names: Vec<&str> = Part::ALL.into_iter().filter(may_come).map(Part::name).collect();
    if names.is_empty() { "nothing more for this call".to_owned() } else { names.join(", ") }
}
