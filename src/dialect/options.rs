//! The settings of a dialect, as a case gives them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::event::Event;

/// The settings of a dialect: a JSON object, handed to targets as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(pub Map<String, Value>);

/// Settings that a dialect does not understand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option {name:?}: {problem}")]
pub struct OptionsError {
    name: String,
    problem: String,
}

impl OptionsError {
    pub(crate) fn new(name: &str, problem: impl Into<String>) -> Self {
        Self { name: name.to_owned(), problem: problem.into() }
    }
}

impl Options {
    /// Refuses settings other than these.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), OptionsError> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(OptionsError::new(name, format!("unknown; there are {}", known.join(", ")))),
            None => Ok(()),
        }
    }

    /// A setting that must be a string.
    pub(crate) fn string(&self, name: &str, default: &str) -> Result<String, OptionsError> {
        match self.0.get(name) {
            None => Ok(default.to_owned()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(OptionsError::new(name, format!("expected a string, found {other}"))),
        }
    }

    /// A setting that must be true or false.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, OptionsError> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(OptionsError::new(name, format!("expected true or false, found {other}"))),
        }
    }

    /// How much of an unfinished call may be held.
    pub(crate) fn limit(&self) -> Result<Limit, OptionsError> {
        let Some(value) = self.0.get("limit") else { return Ok(Limit::DEFAULT) };
        value
            .as_u64()
            .filter(|&bytes| bytes > 0)
            .and_then(|bytes| usize::try_from(bytes).ok())
            .map(Limit)
            .ok_or_else(|| OptionsError::new("limit", format!("expected a number of bytes above 0, found {value}")))
    }
}

/// How many bytes of an unfinished call may be held (rules F25, T20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Limit(usize);

impl Limit {
    pub(crate) const DEFAULT: Self = Self(1 << 20);

    /// How many bytes that is.
    pub(crate) const fn bytes(self) -> usize {
        self.0
    }

    /// Where `more` must be cut if its first `bytes` do not fit behind what is held: before the first character too many.
    pub(crate) fn strikes(self, held: &str, more: &str, bytes: usize) -> Option<usize> {
        let room = self.0.saturating_sub(held.len());
        (bytes > room).then(|| more.floor_char_boundary(room))
    }

    /// The event that says so in a transport (E18, N10).
    pub(crate) fn bare_event(self) -> Event {
        Event::new("error", [("limit", self.0.into())])
    }

    /// The event that says so.
    pub(crate) fn event(self) -> Event {
        Event::new("error", [("error", "limit".into()), ("limit", self.0.into())])
    }
}
