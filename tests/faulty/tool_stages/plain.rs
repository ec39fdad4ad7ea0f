//! A reducer of `tool-stages` as it is often written: find the block, merge the update into it, show it.
//!
//! By itself it is right, except that it reports no violations and knows no limit (S21). Each of its [`Habits`] can be
//! spoilt, so that a faulty implementation is one bad habit and nothing else.

use std::collections::BTreeMap;

use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use serde_json::{Map, Value};

use crate::support::{text, word};

pub(crate) type Block = Map<String, Value>;

/// How the reducer does what; by itself, rightly.
pub(crate) trait Habits {
    /// The id of the block that an update is for.
    fn id(&mut self, update: &Map<String, Value>) -> Option<String> {
        word(update, "id").map(str::to_owned)
    }

    /// Whether an update of this stage counts for a block whose stage is this one, if there is one.
    fn accepts(&self, block: Option<&str>, stage: &str) -> bool {
        accepts(block, stage)
    }

    /// Whether the name is taken from every update.
    fn renames(&self) -> bool {
        false
    }

    /// The parameters of a block, given those that were there.
    fn parameters(&self, before: &str, update: &Map<String, Value>) -> String {
        word(update, "parameters").unwrap_or(before).to_owned()
    }

    /// What goes from a block with every update.
    fn passing(&self) -> &'static [&'static str] {
        &["parametersChunk"]
    }

    /// Which block the chunk of an update is for.
    fn block_of_chunk(&mut self, id: &str, _update: &Map<String, Value>) -> String {
        id.to_owned()
    }

    /// Whether a block is forgotten when it ends.
    fn forgets(&self) -> bool {
        false
    }

    /// Whether the end of the stream ends the blocks that are open.
    fn ends_all(&self) -> bool {
        false
    }
}

/// No bad habits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sound;

impl Habits for Sound {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plain<H> {
    habits: H,
    blocks: BTreeMap<String, Block>,
}

const STAGES: [&str; 4] = ["start", "streaming", "running", "end"];

/// Whether a value counts.
type Counts = fn(&Value) -> bool;

/// The fields that a block keeps, and the values that count.
const KEPT: [(&str, Counts); 7] = [
    ("parametersChunk", Value::is_string),
    ("result", Value::is_string),
    ("success", Value::is_boolean),
    ("error", |value| value.is_string() || value.is_object()),
    ("shortResult", Value::is_string),
    ("images", Value::is_array),
    ("compactParams", Value::is_string),
];

impl<H: Habits> Plain<H> {
    pub(crate) fn new(habits: H) -> Self {
        Self { habits, blocks: BTreeMap::new() }
    }

    fn update(&mut self, update: &Map<String, Value>, sink: &mut impl Sink) {
        let Some(id) = self.habits.id(update) else { return };
        let Some(stage) = text(update, "stage").filter(|stage| STAGES.contains(stage)) else { return };
        let known = self.blocks.get(&id).and_then(|block| text(block, "stage"));
        if !self.habits.accepts(known, stage) {
            return;
        }
        let chunk_for = self.habits.block_of_chunk(&id, update);
        let mut update = update.clone();
        if chunk_for != id
            && let (Some(chunk), Some(other)) = (update.remove("parametersChunk"), self.blocks.get_mut(&chunk_for))
        {
            other.insert("parametersChunk".to_owned(), chunk);
            sink.event(Event::with_fields("tool", other.clone()));
        }
        let block = self.blocks.entry(id.clone()).or_default();
        merge(&self.habits, block, &id, &update);
        sink.event(Event::with_fields("tool", block.clone()));
        if stage == "end" && self.habits.forgets() {
            self.blocks.remove(&id);
        }
    }
}

fn merge(habits: &impl Habits, block: &mut Block, id: &str, update: &Map<String, Value>) {
    for field in habits.passing() {
        block.remove(*field);
    }
    let parameters = habits.parameters(text(block, "parameters").unwrap_or_default(), update);
    let mut put = |field: &str, value: Value| block.insert(field.to_owned(), value);
    put("id", id.into());
    put("parameters", parameters.into());
    put("stage", text(update, "stage").unwrap_or_default().into());
    for (field, counts) in KEPT {
        if let Some(value) = update.get(field).filter(|value| counts(value)) {
            put(field, value.clone());
        }
    }
    if let Some(name) = word(update, "name")
        && (habits.renames() || !block.contains_key("name"))
    {
        block.insert("name".to_owned(), name.into());
    }
}

impl<H: Habits> Machine for Plain<H> {
    type Chunk = [Value];

    fn feed(&mut self, chunk: &[Value], sink: &mut impl Sink) {
        let is_tool = |item: &&Map<String, Value>| item.get("type").is_none_or(|kind| kind == "tool");
        for update in chunk.iter().filter_map(Value::as_object).filter(is_tool) {
            self.update(update, sink);
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        let is_open = |block: &Block| text(block, "stage") != Some("end");
        for mut block in self.blocks.into_values().filter(|block| self.habits.ends_all() && is_open(block)) {
            block.remove("parametersChunk");
            block.insert("stage".to_owned(), "end".into());
            block.insert("success".to_owned(), false.into());
            block.insert("error".to_owned(), "Tool execution was aborted".into());
            sink.event(Event::with_fields("tool", block));
        }
    }
}

pub(crate) fn accepts(block: Option<&str>, stage: &str) -> bool {
    match block {
        None => stage == "start",
        Some("end") => false,
        Some(_) => stage != "start",
    }
}
