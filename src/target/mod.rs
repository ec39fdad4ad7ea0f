//! Implementations under test.
//!
//! A [`Target`] runs inputs and tells what came out; it knows nothing of verdicts. The embedded reference is
//! [`Reference`]; any Rust type that is a [`Machine`](crate::machine::Machine) becomes one with [`InProcess`]; anything else is a
//! child process that speaks the adapter protocol, [`Process`].

mod in_process;
pub mod process;
mod reference;

use std::time::{Duration, Instant};

pub use in_process::{InProcess, Provable};
pub use process::Process;
pub use reference::Reference;
pub(crate) use reference::machine as reference_machine;
use serde_json::Value;

use crate::dialect::{Dialect, Options};
use crate::event::{Event, Form};
pub use crate::fault::{Fault, Loss};
use crate::input::{Chunk, Kind};
use crate::proof::{Cap, Ordered, Proof};
use crate::variation::interleave::Merge;
use crate::variation::{Atoms, Cuts};

/// What is to be run: a dialect with its settings.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The dialect.
    pub dialect: Dialect,
    /// Its settings.
    pub options: &'a Options,
}

/// An implementation under test.
pub trait Target: Sync {
    /// What reports call it.
    fn name(&self) -> &str;

    /// Whether it implements this dialect.
    fn speaks(&self, dialect: Dialect) -> bool;

    /// Whether it takes this kind of input for this dialect.
    fn takes(&self, dialect: Dialect, kind: Kind) -> bool;

    /// Whether it makes a difference to it how an input of this kind is cut.
    fn cuts(&self, _kind: Kind) -> bool {
        true
    }

    /// Whether it gives `violation` events; where it does not, they are not asked for.
    fn reports_violations(&self) -> bool {
        true
    }

    /// Gives these chunks to a fresh instance and finishes it.
    fn run(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Run, Fault>;

    /// The same for many inputs; nothing more is run once the target is lost.
    fn run_all(&self, setting: Setting<'_>, inputs: &[Vec<Chunk<'_>>]) -> Result<Vec<Result<Run, Fault>>, Lost> {
        Ok(inputs.iter().map(|chunks| self.run(setting, chunks)).collect())
    }

    /// Runs one input with all these cuts; nothing more is run once the target is lost.
    fn sweep(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Result<Swept, Lost> {
        let runs = cuts.iter().map(|cuts| self.run(setting, &atoms.chunks(cuts)).map(Run::into_events));
        Ok(Swept::of(setting.dialect.form(), runs))
    }

    /// Gives these chunks to two fresh instances in turn, each chunk to both; nothing where the target cannot.
    fn run_alternately(&self, _setting: Setting<'_>, _chunks: &[Chunk<'_>]) -> Option<Result<[Run; 2], Fault>> {
        None
    }

    /// Starts an instance on these chunks and drops it unfinished; nothing where the target cannot.
    fn abandon(&self, _setting: Setting<'_>, _chunks: &[Chunk<'_>]) -> Option<Result<(), Fault>> {
        None
    }

    /// How long it takes for these chunks, without what it costs to keep the events where that can be left out.
    fn time(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Duration, Fault> {
        let start = Instant::now();
        self.run(setting, chunks).map(|_| start.elapsed())
    }

    /// How long a run must take, so that what surrounds it does not count.
    fn floor(&self) -> Duration {
        Duration::from_micros(250)
    }

    /// Covers all splittings at once.
    fn prove(&self, _setting: Setting<'_>, _atoms: &Atoms<'_>, _cap: Cap) -> Attempt<Proof, Cuts> {
        Attempt::Cannot
    }

    /// Covers all orders of an input's calls at once; a fault comes with the order that shows it.
    fn prove_orders(&self, _setting: Setting<'_>, _items: &[Value], _merge: &Merge, _cap: Cap) -> OrderAttempt {
        Attempt::Cannot
    }

    /// Why nothing more can be asked of it, if that is so.
    fn given_up(&self) -> Option<String> {
        None
    }
}

/// The target was lost on one of several inputs or splittings, and begins anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// On which of them.
    pub at: usize,
    /// How.
    pub fault: Fault,
}

/// What one run gave: its events, or how it failed.
pub type Outcome = Result<Vec<Event>, Fault>;

/// What many splittings of one input gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swept {
    /// The distinct outcomes, in normal form.
    pub outcomes: Vec<Outcome>,
    /// Which of them each splitting gave.
    pub runs: Vec<usize>,
}

impl Swept {
    /// What these splittings gave, one by one.
    pub fn of(form: Form, runs: impl IntoIterator<Item = Outcome>) -> Self {
        Self::of_normal(runs.into_iter().map(|run| run.map(|events| form.normal(events))))
    }

    /// The same for events that are in normal form already.
    pub fn of_normal(runs: impl IntoIterator<Item = Outcome>) -> Self {
        let mut swept = Self::default();
        for outcome in runs {
            let number = swept.number(outcome);
            swept.runs.push(number);
        }
        swept
    }

    /// What these splittings gave, in groups: their outcomes, and which each gave.
    pub fn joined(form: Form, groups: impl IntoIterator<Item = (Vec<Outcome>, Vec<usize>)>) -> Self {
        let mut swept = Self::default();
        for (outcomes, runs) in groups {
            let numbers: Vec<usize> =
                outcomes.into_iter().map(|outcome| swept.number(outcome.map(|events| form.normal(events)))).collect();
            swept.runs.extend(runs.into_iter().map(|run| numbers[run]));
        }
        swept
    }

    fn number(&mut self, outcome: Outcome) -> usize {
        self.outcomes.iter().position(|known| *known == outcome).unwrap_or_else(|| {
            self.outcomes.push(outcome);
            self.outcomes.len() - 1
        })
    }
}

/// What came of covering all orders at once.
pub type OrderAttempt = Attempt<Vec<Ordered>, Vec<usize>>;

/// What came of covering all variations at once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Attempt<P, V> {
    /// All variations are covered.
    Proved(P),
    /// The cap was passed.
    PastCap,
    /// The target cannot be cloned and compared.
    Cannot,
    /// The target failed on this variation.
    Faulted(V, Fault),
}

/// What came out of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The events after each chunk, then those of the end: one list more than chunks.
    pub out: Vec<Vec<Event>>,
}

impl Run {
    /// All events, as they came.
    pub fn into_events(self) -> Vec<Event> {
        self.out.into_iter().flatten().collect()
    }

    /// The same chunk by chunk, without the events that show nothing new.
    pub fn news(mut self, form: Form) -> Self {
        let mut news = form.news();
        self.out.iter_mut().for_each(|events| events.retain(|event| news(event)));
        self
    }

    /// All events, in normal form.
    pub fn events(&self, form: Form) -> Vec<Event> {
        self.first(self.out.len(), form)
    }

    /// The events before the end, in normal form.
    pub fn before_end(&self, form: Form) -> Vec<Event> {
        self.first(self.out.len().saturating_sub(1), form)
    }

    /// The events of the first so many chunks, in normal form.
    pub fn first(&self, chunks: usize, form: Form) -> Vec<Event> {
        form.normal(self.out.iter().take(chunks).flatten().cloned())
    }
}
