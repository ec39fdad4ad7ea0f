//! Rust types as targets, in this process.
//!
//! Panics are caught and become a [`Fault`]. A machine that never returns cannot be stopped from inside the process; run such
//! a one as a child process instead.

use std::hash::Hash;
use std::time::Duration;

use super::{Attempt, Fault, Run, Setting, Target};
use crate::dialect::{Dialect, Options};
use crate::fault::{catching, flood_from};
use crate::machine::{Discard, Machine, Recorder};
use crate::proof::{self, Cap};
use crate::variation::{Atoms, Cuts};

/// A machine under test, made anew for every run.
pub struct InProcess<F> {
    name: String,
    dialect: Dialect,
    make: F,
}

impl<M: Machine, F: Fn(&Options) -> M + Sync> InProcess<F> {
    /// Tests what `make` makes as an implementation of `dialect`.
    pub fn new(name: &str, dialect: Dialect, make: F) -> Self {
        Self { name: name.to_owned(), dialect, make }
    }

    /// The same for a machine that can be cloned and compared: all splittings are proved.
    pub fn provable(self) -> Provable<F>
    where
        M: Clone + Eq + Hash,
    {
        Provable(self)
    }
}

impl<M: Machine, F: Fn(&Options) -> M + Sync> Target for InProcess<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn speaks(&self, dialect: Dialect) -> bool {
        dialect == self.dialect
    }

    fn run(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Run, Fault> {
        run(|| (self.make)(setting.options), chunks)
    }

    fn run_alternately(&self, setting: Setting<'_>, chunks: &[&str]) -> Option<Result<[Run; 2], Fault>> {
        Some(run_alternately(|| (self.make)(setting.options), chunks))
    }

    fn abandon(&self, setting: Setting<'_>, chunks: &[&str]) -> Option<Result<(), Fault>> {
        Some(abandon(|| (self.make)(setting.options), chunks))
    }

    fn time(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Duration, Fault> {
        time(|| (self.make)(setting.options), chunks)
    }
}

/// An [`InProcess`] target whose machine can be cloned and compared.
pub struct Provable<F>(InProcess<F>);

impl<M, F> Target for Provable<F>
where
    M: Machine + Clone + Eq + Hash,
    F: Fn(&Options) -> M + Sync,
{
    fn name(&self) -> &str {
        self.0.name()
    }

    fn speaks(&self, dialect: Dialect) -> bool {
        self.0.speaks(dialect)
    }

    fn run(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Run, Fault> {
        self.0.run(setting, chunks)
    }

    fn run_alternately(&self, setting: Setting<'_>, chunks: &[&str]) -> Option<Result<[Run; 2], Fault>> {
        self.0.run_alternately(setting, chunks)
    }

    fn abandon(&self, setting: Setting<'_>, chunks: &[&str]) -> Option<Result<(), Fault>> {
        self.0.abandon(setting, chunks)
    }

    fn time(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Duration, Fault> {
        self.0.time(setting, chunks)
    }

    fn prove(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cap: Cap) -> Attempt {
        prove(|| (self.0.make)(setting.options), atoms, cap)
    }
}

pub(super) fn run<M: Machine>(make: impl FnOnce() -> M, chunks: &[&str]) -> Result<Run, Fault> {
    catching(|| {
        let mut machine = make();
        let mut recorder = recorder::<M>(chunks);
        let mut out = Vec::with_capacity(chunks.len() + 1);
        for chunk in chunks {
            machine.feed(chunk, &mut recorder);
            out.push(recorder.take());
        }
        machine.finish(&mut recorder);
        out.push(recorder.take());
        if recorder.overflowed() { Err(Fault::Flood) } else { Ok(Run { out }) }
    })?
}

pub(super) fn run_alternately<M: Machine>(make: impl Fn() -> M, chunks: &[&str]) -> Result<[Run; 2], Fault> {
    catching(|| {
        let mut machines = [(make(), recorder::<M>(chunks)), (make(), recorder::<M>(chunks))];
        let mut runs = [Run { out: Vec::new() }, Run { out: Vec::new() }];
        for chunk in chunks {
            for ((machine, recorder), run) in machines.iter_mut().zip(&mut runs) {
                machine.feed(chunk, recorder);
                run.out.push(recorder.take());
            }
        }
        for ((machine, mut recorder), run) in machines.into_iter().zip(&mut runs) {
            machine.finish(&mut recorder);
            run.out.push(recorder.take());
            if recorder.overflowed() {
                return Err(Fault::Flood);
            }
        }
        Ok(runs)
    })?
}

pub(super) fn abandon<M: Machine>(make: impl FnOnce() -> M, chunks: &[&str]) -> Result<(), Fault> {
    catching(|| {
        let mut machine = make();
        let mut recorder = recorder::<M>(chunks);
        for chunk in chunks {
            machine.feed(chunk, &mut recorder);
        }
    })
}

pub(super) fn time<M: Machine>(make: impl FnOnce() -> M, chunks: &[&str]) -> Result<Duration, Fault> {
    catching(|| {
        let start = thread_time();
        let mut machine = make();
        for chunk in chunks {
            machine.feed(chunk, &mut Discard);
        }
        machine.finish(&mut Discard);
        thread_time().saturating_sub(start)
    })
}

/// How long this thread has run: what other threads and processes do is left out.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// How long this process has run, where there is no clock for a thread.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

pub(super) fn prove<M>(make: impl FnOnce() -> M, atoms: &Atoms<'_>, cap: Cap) -> Attempt
where
    M: Machine + Clone + Eq + Hash,
{
    match catching(make).map(|machine| proof::prove(machine, atoms, cap)) {
        Ok(Ok(Some(proof))) => Attempt::Proved(proof),
        Ok(Ok(None)) => Attempt::PastCap,
        Ok(Err((cuts, fault))) => Attempt::Faulted(cuts, fault),
        Err(fault) => Attempt::Faulted(Cuts::NONE, fault),
    }
}

fn recorder<M: Machine>(chunks: &[&str]) -> Recorder {
    Recorder::with_room(M::TEXT, flood_from(chunks.iter().map(|chunk| chunk.len()).sum()))
}
