//! `tool-stages`: updates of tool blocks.
//!
//! The rules are in `spec/tool-stages/README.md`. A block starts, goes on, and ends: in the [lifecycle](crate::lifecycle) its
//! updates are a start, signs of life, and input and outcome at once.

use serde_json::{Map, Value};

use super::calls::{Calls, Join};
use super::chat_chunks::short;
use super::invocation::Fields;
use super::options::{Limit, Options, OptionsError};
use super::reducer::Reducer;
use crate::event::Event;
use crate::lifecycle::{Meaning, Move, State, Step, Track};
use crate::machine::{Change, Sink, Words};

/// The reference implementation of `tool-stages`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolStages {
    limit: Limit,
    blocks: Calls<Block>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Block {
    state: State,
    /// The fields of the block, as far as they were given.
    fields: Map<String, Value>,
    join: Join,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Streaming,
    Running,
    End,
}

impl Stage {
    const ALL: [Self; 4] = [Self::Start, Self::Streaming, Self::Running, Self::End];

    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Streaming => "streaming",
            Self::Running => "running",
            Self::End => "end",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// What an update of this stage does to its block.
    fn steps(self, failed: bool) -> &'static [Move] {
        match self {
            Self::Start => &[Move::Start],
            Self::Streaming | Self::Running => &[Move::Delta],
            Self::End if failed => &[Move::End, Move::Input, Move::OutputError],
            Self::End => &[Move::End, Move::Input, Move::Output],
        }
    }
}

/// The rule that an update breaks whose block is not where it would have to be, and what would be allowed there.
fn refusal(state: State) -> (&'static str, &'static str) {
    match state {
        State::Absent => ("S8", "start"),
        state if state.is_final() => ("S9", "nothing more for this block"),
        _ => ("S7", "streaming, running, end"),
    }
}

/// A field that a block has once it was given, and the values that count (S16, S23).
type Kept = (&'static str, fn(&Value) -> bool);

const KEPT: [Kept; 6] = [
    ("result", Value::is_string),
    ("success", Value::is_boolean),
    ("error", |value| value.is_string() || value.is_object()),
    ("shortResult", Value::is_string),
    ("images", Value::is_array),
    ("compactParams", Value::is_string),
];

impl Reducer for ToolStages {
    const TRANSPORT: &'static str = "S22";

    const RULES: &'static [&'static str] =
        &["S1", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12", "S13", "S14", "S15", "S19", "S22"];

    const FORM: &'static [&'static str] = &["S1", "S22"];

    fn concerns(kind: &str) -> bool {
        kind == "tool" // S2
    }

    fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["transport", "limit"])?;
        Ok(Self { limit: options.limit()?, blocks: Calls::default() })
    }

    fn item(&mut self, item: Value, sink: &mut impl Sink) {
        match item {
            Value::Object(update) => {
                sink.held("S1");
                if is_ours(&update) {
                    self.update(update, sink);
                }
            }
            other => sink.violation("S1", None, || Words::new(short(&other), "an object")),
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        let open = self.blocks.ids(|block| block.state.is_open());
        if open.is_empty() && self.blocks.any() {
            sink.held("S19");
        }
        if self.blocks.any_ended() {
            sink.held("S9");
        }
        for block in open {
            sink.violation("S19", Some(&block), || {
                Words::new("the end of the input", refusal(State::InputStreaming).1)
            });
        }
    }
}

/// S2
fn is_ours(update: &Map<String, Value>) -> bool {
    update.get("type").is_none_or(|kind| kind == "tool")
}

impl ToolStages {
    fn update(&mut self, update: Map<String, Value>, sink: &mut impl Sink) {
        let Some(id) = update.word("id").map(str::to_owned) else {
            return sink.violation("S3", None, || Words::new("an update without a usable id", "id"));
        };
        sink.held("S3");
        let Some(stage) = update.text("stage").and_then(Stage::of) else {
            let came = update.get("stage").map_or("no stage".to_owned(), |stage| format!("the stage {}", short(stage)));
            return sink.violation("S4", Some(&id), || Words::new(came, Stage::ALL.map(Stage::name).join(", ")));
        };
        sink.held("S4");
        let before = self.blocks.get(&id).map_or(State::Absent, |block| block.state);
        let steps = stage.steps(update.contains_key("error"));
        let Ok(state) = steps.iter().try_fold(before, |state, &step| state.after(step)) else {
            let (rule, allowed) = refusal(before);
            return sink.violation(rule, Some(&id), || Words::new(format!("the stage {}", stage.name()), allowed));
        };
        sink.held(if stage == Stage::Start { "S7" } else { "S8" });
        if before == State::Absent {
            self.blocks.insert(&id, Block::new(&id));
        }
        let Some(block) = self.blocks.get_mut(&id) else { return };
        block.state = state;
        let too_long = !block.join.push(update.text("parametersChunk").unwrap_or_default(), self.limit);
        block.apply(stage, &update, sink.wants_events());
        check_content(&id, block, stage, &update, sink);
        if too_long {
            sink.event(self.limit.event()); // S21
        }
        let is_new = before == State::Absent;
        let change = Change { call: &id, state: stage.name(), life: state.into(), is_new };
        sink.change(change, || block.event(&update));
        if stage == Stage::End {
            self.blocks.end(&id, |block| Block { state: block.state, ..Block::default() });
        }
    }
}

impl Block {
    fn new(id: &str) -> Self {
        let fields = [("id", id), ("parameters", "")].map(|(name, value)| (name.to_owned(), value.into()));
        Self { fields: fields.into_iter().collect(), ..Self::default() }
    }

    /// S16, S17. What is only shown is kept where it is.
    fn apply(&mut self, stage: Stage, update: &Map<String, Value>, shown: bool) {
        let mut put = |name: &str, value: Value| self.fields.insert(name.to_owned(), value);
        put("stage", stage.name().into());
        if let Some(parameters) = update.word("parameters") {
            put("parameters", parameters.into());
        }
        for (name, counts) in KEPT.into_iter().filter(|_| shown) {
            if let Some(value) = update.get(name).filter(|value| counts(value)) {
                put(name, value.clone());
            }
        }
        if let Some(name) = update.word("name") {
            self.fields.entry("name").or_insert_with(|| name.into()); // S11
        }
    }

    /// The block, with the chunk that this update brought (S18).
    fn event(&self, update: &Map<String, Value>) -> Event {
        let mut fields = self.fields.clone();
        if let Some(chunk) = update.text("parametersChunk") {
            fields.insert("parametersChunk".to_owned(), chunk.into());
        }
        Event::with_fields("tool", fields)
    }
}

/// The content of an update whose place is right: S5, S6, S10 to S15.
fn check_content(id: &str, block: &Block, stage: Stage, update: &Map<String, Value>, sink: &mut impl Sink) {
    let mut ask = |rule, holds: bool, came: &dyn Fn() -> String, allowed: &dyn Fn() -> String| {
        if holds { sink.held(rule) } else { sink.violation(rule, Some(id), || Words::new(came(), allowed())) }
    };
    let with = |name: &'static str| move || format!("{name} with the stage {}", stage.name());
    let only = |stages: &'static str| move || stages.to_owned();
    let is_end = stage == Stage::End;
    ask("S5", update.word("name").is_some(), &|| "no usable name".to_owned(), &only("name"));
    ask("S6", update.text("parameters").is_some(), &|| "no usable parameters".to_owned(), &only("parameters"));
    ask("S10", !update.contains_key("isRunning"), &|| "isRunning".to_owned(), &only("stage only"));
    if let (Some(name), Some(first)) = (update.word("name"), block.fields.text("name")) {
        ask("S11", name == first, &|| format!("the name {name:?}"), &|| format!("{first:?}"));
    }
    if update.word("parametersChunk").is_some() {
        ask("S12", stage == Stage::Streaming, &with("parametersChunk"), &only("streaming"));
    }
    if update.text("result").is_some() {
        ask("S13", is_end || stage == Stage::Streaming, &with("result"), &only("streaming or end"));
    }
    if update.get("error").is_some_and(|error| error.is_string() || error.is_object()) {
        ask("S14", is_end, &with("error"), &only("end"));
    }
    if let (true, Some(joined), Some(last)) = (is_end, block.join.text(), block.fields.word("parameters")) {
        ask("S15", joined == last, &|| format!("the parameters {}", short(&last.into())), &|| {
            format!("what the chunks join to, {}", short(&joined.into()))
        });
    }
}

/// A block shows the stage it has come to.
pub(super) fn step(event: &Event) -> Option<Step> {
    let stage = Stage::of(event.str("stage").filter(|_| event.kind() == "tool")?)?;
    let text = |name: &str| event.str(name).map(str::to_owned);
    let input = event.get("parameters").filter(|_| stage == Stage::End).cloned();
    let meaning = Meaning::Moves(stage.steps(event.get("error").is_some()));
    Some(Step { track: Track::Call, id: text("id"), name: text("name"), input, meaning })
}

/// The block that an item belongs to.
pub(super) fn owner(item: &Value) -> Option<String> {
    item.as_object().filter(|update| is_ours(update))?.word("id").map(str::to_owned)
}
