//! The embedded reference implementations as a target.

use std::hash::Hash;
use std::time::Duration;

use serde_json::Value;

use super::in_process::{abandon, prove, prove_orders, run, run_alternately, sweep, time};
use super::{Attempt, Fault, Lost, OrderAttempt, Run, Setting, Swept, Target};
use crate::dialect::reducer::{Listed, Reducer, Transported};
use crate::dialect::{
    AiSdkParts, ChatChunks, DefaultExpanded, Dialect, InlineTag, MarkdownFence, Ndjson, Options, OptionsError, Sse,
    ToolSession, ToolStages,
};
use crate::erased::State;
use crate::input::{Chunk, Kind};
use crate::proof::{Cap, Proof};
use crate::variation::interleave::Merge;
use crate::variation::{Atoms, Cuts};

/// The embedded reference implementations of all dialects.
#[derive(Clone, Copy, Debug)]
pub struct Reference;

/// The machine of a setting. Settings are checked when a case is loaded, so that a refusal here is a fault like any other.
pub(crate) fn machine(Setting { dialect, options }: Setting<'_>) -> State {
    const CHECKED: &str = "the settings of a case are checked when it is loaded";
    match dialect {
        Dialect::MarkdownFence => State::of(MarkdownFence::new(options).expect(CHECKED)),
        Dialect::InlineTag => State::of(InlineTag::new(options).expect(CHECKED)),
        Dialect::ToolSession => State::of(ToolSession::new(options).expect(CHECKED)),
        Dialect::ChatChunks => reducer::<ChatChunks>(dialect, options).expect(CHECKED),
        Dialect::DefaultExpanded => reducer::<DefaultExpanded>(dialect, options).expect(CHECKED),
        Dialect::AiSdkParts => reducer::<AiSdkParts>(dialect, options).expect(CHECKED),
        Dialect::ToolStages => reducer::<ToolStages>(dialect, options).expect(CHECKED),
        Dialect::Sse => State::of(Sse::new(options).expect(CHECKED)),
        Dialect::Ndjson => State::of(Ndjson::new(options).expect(CHECKED)),
    }
}

/// A reducer under its transport, if it has one.
fn reducer<R>(dialect: Dialect, options: &Options) -> Result<State, OptionsError>
where
    R: Reducer + Clone + Eq + Hash + 'static,
{
    Ok(match dialect.kind(options) {
        Kind::Bytes => State::of(Transported::<R>::new(options)?),
        Kind::Text | Kind::Objects => State::of(Listed::<R>::new(options)?),
    })
}

impl Target for Reference {
    fn name(&self) -> &str {
        "reference"
    }

    fn speaks(&self, _dialect: Dialect) -> bool {
        true
    }

    fn takes(&self, _dialect: Dialect, _kind: Kind) -> bool {
        true
    }

    fn run(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Run, Fault> {
        run(&|| machine(setting).0, chunks)
    }

    fn sweep(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Result<Swept, Lost> {
        Ok(sweep(&|| machine(setting).0, setting.dialect.form(), atoms, cuts))
    }

    fn run_alternately(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Option<Result<[Run; 2], Fault>> {
        Some(run_alternately(&|| machine(setting).0, chunks))
    }

    fn abandon(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Option<Result<(), Fault>> {
        Some(abandon(&|| machine(setting).0, chunks))
    }

    fn time(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Duration, Fault> {
        time(&|| machine(setting).0, chunks)
    }

    fn prove(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cap: Cap) -> Attempt<Proof, Cuts> {
        prove(&|| machine(setting), atoms, cap)
    }

    fn prove_orders(&self, setting: Setting<'_>, items: &[Value], merge: &Merge, cap: Cap) -> OrderAttempt {
        prove_orders(&|| machine(setting), setting.dialect, items, merge, cap)
    }
}
