//! Implementations under test.
//!
//! A [`Target`] runs inputs and tells what came out; it knows nothing of verdicts. The embedded reference is
//! [`Reference`]; any Rust type that is a [`Machine`](crate::machine::Machine) becomes one with [`InProcess`].

mod in_process;
mod reference;

use std::time::{Duration, Instant};

pub use in_process::{InProcess, Provable};
pub use reference::Reference;

use crate::dialect::{Dialect, Options};
use crate::event::{Event, normal_form};
pub use crate::fault::Fault;
use crate::proof::{Cap, Proof};
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

    /// Gives these chunks to a fresh instance and finishes it.
    fn run(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Run, Fault>;

    /// Gives these chunks to two fresh instances in turn, each chunk to both; nothing where the target cannot.
    fn run_alternately(&self, _setting: Setting<'_>, _chunks: &[&str]) -> Option<Result<[Run; 2], Fault>> {
        None
    }

    /// Starts an instance on these chunks and drops it unfinished; nothing where the target cannot.
    fn abandon(&self, _setting: Setting<'_>, _chunks: &[&str]) -> Option<Result<(), Fault>> {
        None
    }

    /// How long it takes for these chunks, without what it costs to keep the events where that can be left out.
    fn time(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Duration, Fault> {
        let start = Instant::now();
        self.run(setting, chunks).map(|_| start.elapsed())
    }

    /// Covers all splittings at once.
    fn prove(&self, _setting: Setting<'_>, _atoms: &Atoms<'_>, _cap: Cap) -> Attempt {
        Attempt::Cannot
    }
}

/// What came of covering all splittings at once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Attempt {
    /// All splittings are covered.
    Proved(Proof),
    /// The cap was passed.
    PastCap,
    /// The target cannot be cloned and compared.
    Cannot,
    /// The target failed on this splitting.
    Faulted(Cuts, Fault),
}

/// What came out of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The events after each chunk, then those of the end: one list more than chunks.
    pub out: Vec<Vec<Event>>,
}

impl Run {
    /// All events, in normal form.
    pub fn events(&self) -> Vec<Event> {
        normal_form(self.out.iter().flatten().cloned())
    }

    /// The events before the end, in normal form.
    pub fn before_end(&self) -> Vec<Event> {
        self.first(self.out.len().saturating_sub(1))
    }

    /// The events of the first so many chunks, in normal form.
    pub fn first(&self, chunks: usize) -> Vec<Event> {
        normal_form(self.out.iter().take(chunks).flatten().cloned())
    }
}
