//! `default-expanded`: whether tool cards and their sections are open.
//!
//! The rules are in `spec/default-expanded/README.md`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::calls::Calls;
use super::chat_chunks::short;
use super::invocation::Fields;
use super::options::{Options, OptionsError};
use super::reducer::Reducer;
use crate::event::Event;
use crate::lifecycle::State;
use crate::machine::{Change, Life, Sink, Words};

/// The reference implementation of `default-expanded`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DefaultExpanded {
    /// By the tool's own name, or `*` (D6, D13).
    policy: Arc<BTreeMap<String, Entry>>,
    /// Of each card, whether it and its sections are open (D12).
    open: Calls<[bool; 3]>,
}

/// What a policy says of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(untagged)]
enum Entry {
    Always(bool),
    Undefined(()),
    Resolver(Vec<Clause>),
}

/// One clause of a resolver.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
struct Clause {
    when: When,
    open: Option<bool>,
}

/// When a clause fits; what is not given fits always.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct When {
    state: Option<Vec<String>>,
    /// The outer option: whether it is given. The inner one: the card, or which section.
    #[serde(default, deserialize_with = "given")]
    section: Option<Section>,
    is_message_streaming: Option<bool>,
    tool_name_prefix: Option<String>,
}

/// The card itself, or one of its sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Section {
    Card,
    Input,
    Output,
}

impl Section {
    fn of(value: Option<&Value>) -> Option<Self> {
        match value {
            None | Some(Value::Null) => Some(Self::Card),
            Some(Value::String(name)) if name == "input" => Some(Self::Input),
            Some(Value::String(name)) if name == "output" => Some(Self::Output),
            Some(_) => None,
        }
    }

    fn value(self) -> Value {
        match self {
            Self::Card => Value::Null,
            Self::Input => "input".into(),
            Self::Output => "output".into(),
        }
    }
}

/// Tells `"section": null`, the card, from no section at all, which fits every one.
fn given<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Option<Section>, D::Error> {
    let value = Value::deserialize(reader)?;
    let unknown = || serde::de::Error::custom("a section is \"input\", \"output\" or null");
    Section::of(Some(&value)).map(Some).ok_or_else(unknown)
}

/// An owner state that has its fields.
struct Owner<'a> {
    call: &'a str,
    tool: &'a str,
    state: State,
    section: Section,
    streaming: bool,
}

impl<'a> Owner<'a> {
    /// D1
    fn of(fields: &'a Map<String, Value>) -> Option<Self> {
        let label = fields.text("state")?;
        Some(Self {
            call: fields.word("toolCallId")?,
            tool: fields.word("toolName")?,
            state: State::ALL.into_iter().find(|state| *state != State::Absent && state.label() == label)?,
            section: Section::of(fields.get("section"))?,
            streaming: match fields.get("isMessageStreaming") {
                None => false,
                Some(value) => value.as_bool()?, // D14
            },
        })
    }
}

impl When {
    /// D7
    fn fits(&self, owner: &Owner<'_>) -> bool {
        self.state.as_ref().is_none_or(|states| states.iter().any(|state| state == owner.state.label()))
            && self.section.is_none_or(|section| section == owner.section)
            && self.is_message_streaming.is_none_or(|streaming| streaming == owner.streaming)
            && self.tool_name_prefix.as_ref().is_none_or(|prefix| owner.tool.starts_with(prefix))
    }
}

impl Entry {
    /// Whether to open or to close; nothing where the built-in default decides.
    fn says(&self, owner: &Owner<'_>) -> Option<bool> {
        match self {
            Self::Always(open) => Some(*open), // D3
            Self::Undefined(()) => None,
            Self::Resolver(clauses) => clauses.iter().find(|clause| clause.when.fits(owner))?.open, // D7, D8
        }
    }
}

impl Reducer for DefaultExpanded {
    const TRANSPORT: &'static str = "D15";

    const RULES: &'static [&'static str] = &["D1", "D15"];

    const FORM: &'static [&'static str] = &["D15"];

    fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["policy", "transport", "limit"])?;
        let policy = match options.0.get("policy") {
            None => BTreeMap::new(),
            Some(policy) => {
                BTreeMap::deserialize(policy).map_err(|error| OptionsError::new("policy", error.to_string()))?
            }
        };
        Ok(Self { policy: Arc::new(policy), open: Calls::default() })
    }

    fn item(&mut self, item: Value, sink: &mut impl Sink) {
        let fields = item.as_object();
        let Some(owner) = fields.and_then(Owner::of) else {
            let call = fields.and_then(|fields| fields.word("toolCallId"));
            return sink.violation("D1", call, || Words::new(short(&item), "an owner state with all of its fields"));
        };
        sink.held("D1");
        let entry = self.policy.get(owner.tool).or_else(|| self.policy.get("*")); // D4, D5
        let is_new = self.open.get(owner.call).is_none();
        if is_new {
            self.open.insert(owner.call, Default::default());
        }
        let Some(card) = self.open.get_mut(owner.call) else { return };
        let open = &mut card[owner.section as usize];
        // D9, D10, D11
        let opens = matches!(owner.state, State::InputStreaming | State::ApprovalRequested);
        *open = entry.and_then(|entry| entry.says(&owner)).unwrap_or(*open || opens);
        let open = *open;
        self.open.settle(owner.call);
        let state = if open { "open" } else { "closed" };
        sink.change(Change { call: owner.call, state, life: Life::Waiting, is_new }, || {
            let section = ("section", owner.section.value());
            Event::new("expanded", [("toolCallId", owner.call.into()), section, ("open", open.into())]) // D2
        });
    }

    fn finish(self, _sink: &mut impl Sink) {}
}

/// The card that an item is about.
pub(super) fn owner(item: &Value) -> Option<String> {
    item.as_object()?.word("toolCallId").map(str::to_owned)
}
