//! A tool invocation as messages show it: what `chat-chunks` and `ai-sdk-parts` keep of a call (C28, A18).

use serde_json::{Map, Value, json};

use super::calls::Join;
use super::chat_chunks::short;
use crate::event::{same_value, value_hash};
use crate::lifecycle::State;

/// One call and what was said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Invocation {
    pub(super) state: State,
    pub(super) name: String,
    /// What the first chunk said of `dynamic`.
    pub(super) dynamic: bool,
    /// The text of the deltas so far.
    pub(super) join: Join,
    pub(super) input: Option<Input>,
    /// Boxed, as the answer is: most of the calls that are remembered have neither.
    outcome: Option<Box<Outcome>>,
    pub(super) approval_id: Option<String>,
    approval: Option<Box<Approval>>,
}

/// The input of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Input {
    /// As it came.
    Whole(Value),
    /// What is enough to compare another with it where nobody wants to see it: a call may wait for ever, with any input.
    Print(Box<(u64, String)>),
}

impl Input {
    /// Keeps an input, as a whole if it is to be shown.
    pub(super) fn of(value: Value, shown: bool) -> Self {
        if shown { Self::Whole(value) } else { Self::Print(Box::new((value_hash(&value), short(&value)))) }
    }

    /// Whether this is the same input (C26, A17).
    pub(super) fn is(&self, other: &Value) -> bool {
        match self {
            Self::Whole(value) => same_value(value, other),
            Self::Print(print) => print.0 == value_hash(other),
        }
    }

    /// As far as it fits a line.
    pub(super) fn short(&self) -> String {
        match self {
            Self::Whole(value) => short(value),
            Self::Print(print) => print.1.clone(),
        }
    }

    /// The input itself, where it was kept.
    pub(super) fn whole(&self) -> Option<&Value> {
        if let Self::Whole(value) = self { Some(value) } else { None }
    }
}

/// What replaces one another (C29).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Outcome {
    pub(super) output: Option<Value>,
    pub(super) error_text: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Approval {
    approved: bool,
    reason: Option<String>,
}

impl Invocation {
    pub(super) fn new(name: &str, dynamic: bool) -> Self {
        Self { name: name.to_owned(), dynamic, ..Self::default() }
    }

    /// Sets the call's one outcome.
    pub(super) fn set_outcome(&mut self, outcome: Outcome) {
        self.outcome = Some(Box::new(outcome));
    }

    /// Sets the answer; a reason that is there stays unless there is a new one (C30).
    pub(super) fn set_approval(&mut self, approved: bool, reason: Option<&str>) {
        let before = self.approval.take().and_then(|approval| approval.reason);
        self.approval = Some(Box::new(Approval { approved, reason: reason.map(str::to_owned).or(before) }));
    }

    /// What must be known of it once it has ended.
    pub(super) fn ended(&self) -> Self {
        Self { state: self.state, approval_id: self.approval_id.clone(), ..Self::default() }
    }

    /// The fields of the invocation.
    pub(super) fn fields(&self, id: &str) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value);
            }
        };
        let approval = self.approval.as_ref().map(|approval| match &approval.reason {
            Some(reason) => json!({"approved": approval.approved, "reason": reason}),
            None => json!({"approved": approval.approved}),
        });
        put("toolCallId", Some(id.into()));
        put("toolName", Some(self.name.as_str().into()));
        put("state", Some(self.state.label().into()));
        put("input", self.input.as_ref().and_then(Input::whole).cloned());
        put("output", self.outcome.as_ref().and_then(|outcome| outcome.output.clone()));
        put("errorText", self.outcome.as_ref().and_then(|outcome| outcome.error_text.as_deref()).map(Value::from));
        put("preliminary", (self.state == State::OutputPreliminary).then_some(Value::Bool(true)));
        put("approvalId", self.approval_id.as_deref().map(Value::from));
        put("approval", approval);
        fields
    }
}

/// The state that the fields of an invocation show.
pub(super) fn shown_state(fields: &Map<String, Value>) -> Option<State> {
    let is = |name: &str| fields.get(name).and_then(Value::as_bool);
    match fields.get("state")?.as_str()? {
        "approval-responded" => {
            let approved = fields.get("approval")?.get("approved")?.as_bool()?;
            Some(if approved { State::Approved } else { State::Denied })
        }
        "output-available" if is("preliminary") == Some(true) => Some(State::OutputPreliminary),
        label => State::ALL.into_iter().find(|state| state.name() == label),
    }
}

/// Reads fields of an item; what is of another type counts as absent (C10).
pub(super) trait Fields {
    /// A string that is not empty.
    fn word(&self, name: &str) -> Option<&str>;

    /// A string.
    fn text(&self, name: &str) -> Option<&str>;

    /// Whether the field is `true`.
    fn is_true(&self, name: &str) -> bool;
}

impl Fields for Map<String, Value> {
    fn word(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| !text.is_empty())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    fn is_true(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }
}
