//! A call as reducers of `chat-chunks` and `ai-sdk-parts` often keep it: where it is, and what is shown of it.

use std::collections::BTreeMap;

use anysplit::lifecycle::{Move, State};
use serde_json::{Map, Value, json};

use crate::support::{flag, text, word};

pub(crate) type Calls = BTreeMap<String, Invocation>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Invocation {
    pub(crate) state: State,
    /// What the first item said of `dynamic`.
    pub(crate) dynamic: bool,
    /// The deltas so far, joined.
    pub(crate) deltas: String,
    pub(crate) fields: Map<String, Value>,
}

impl Invocation {
    pub(crate) fn new(id: &str, item: &Map<String, Value>) -> Self {
        let mut call = Self { dynamic: flag(item, "dynamic") == Some(true), ..Self::default() };
        call.put("toolCallId", id);
        call.put("toolName", word(item, "toolName").unwrap_or_default());
        call
    }

    pub(crate) fn put(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.to_owned(), value.into());
    }

    pub(crate) fn enter(&mut self, state: State) {
        self.state = state;
        self.put("state", state.label());
    }

    /// Takes what replaces an outcome that was there before.
    pub(crate) fn replace(&mut self, fields: &[&str], step: Move) {
        for field in fields {
            self.fields.remove(*field);
        }
        if step == Move::Preliminary {
            self.put("preliminary", true);
        }
    }

    /// Sets the answer to an approval request.
    pub(crate) fn set_approval(&mut self, approved: bool, reason: Option<String>) {
        self.put(
            "approval",
            match reason {
                Some(reason) => json!({"approved": approved, "reason": reason}),
                None => json!({"approved": approved}),
            },
        );
    }

    /// The reason in the answer that is there.
    pub(crate) fn reason(&self) -> Option<String> {
        let approval = self.fields.get("approval")?.as_object()?;
        text(approval, "reason").map(str::to_owned)
    }
}

/// What one outcome replaces of another.
pub(crate) const OUTCOME: [&str; 3] = ["output", "errorText", "preliminary"];
