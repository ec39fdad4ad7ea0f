//! Rust types as targets, in this process.
//!
//! Panics are caught and become a [`Fault`]. A machine that never returns cannot be stopped from inside the process; run such
//! a one as a child process instead.

use std::hash::Hash;
use std::time::Duration;

use serde_json::Value;

use super::{Attempt, Fault, Lost, OrderAttempt, Run, Setting, Swept, Target};
use crate::dialect::{Dialect, Options};
use crate::erased::{AnyMachine, State};
use crate::event::{Event, Form};
use crate::fault::{catching, flood_from};
use crate::input::{Chunk, Kind, Piece};
use crate::machine::{Discard, Joined, Machine, Recorder};
use crate::proof::{self, Cap, Proof};
use crate::variation::interleave::Merge;
use crate::variation::{Atoms, Cuts};

/// A machine under test, made anew for every run.
pub struct InProcess<F> {
    name: String,
    dialect: Dialect,
    make: F,
    violations: bool,
}

impl<M: Machine + 'static, F: Fn(&Options) -> M + Sync> InProcess<F> {
    /// Tests what `make` makes as an implementation of `dialect`.
    pub fn new(name: &str, dialect: Dialect, make: F) -> Self {
        Self { name: name.to_owned(), dialect, make, violations: true }
    }

    /// For an implementation that gives no `violation` events: they are then not asked for.
    pub fn without_violations(self) -> Self {
        Self { violations: false, ..self }
    }

    /// The same for a machine that can be cloned and compared: all splittings are proved.
    pub fn provable(self) -> Provable<F>
    where
        M: Clone + Eq + Hash,
    {
        Provable(self)
    }

    fn machine(&self, setting: Setting<'_>) -> Box<dyn AnyMachine> {
        Box::new((self.make)(setting.options))
    }
}

impl<M: Machine + 'static, F: Fn(&Options) -> M + Sync> Target for InProcess<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn speaks(&self, dialect: Dialect) -> bool {
        dialect == self.dialect
    }

    fn takes(&self, _dialect: Dialect, kind: Kind) -> bool {
        kind == M::Chunk::KIND
    }

    fn reports_violations(&self) -> bool {
        self.violations
    }

    fn run(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Run, Fault> {
        run(&|| self.machine(setting), chunks)
    }

    fn sweep(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Result<Swept, Lost> {
        Ok(sweep(&|| self.machine(setting), setting.dialect.form(), atoms, cuts))
    }

    fn run_alternately(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Option<Result<[Run; 2], Fault>> {
        Some(run_alternately(&|| self.machine(setting), chunks))
    }

    fn abandon(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Option<Result<(), Fault>> {
        Some(abandon(&|| self.machine(setting), chunks))
    }

    fn time(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Duration, Fault> {
        time(&|| self.machine(setting), chunks)
    }
}

/// An [`InProcess`] target whose machine can be cloned and compared.
pub struct Provable<F>(InProcess<F>);

impl<M, F> Provable<F>
where
    M: Machine + Clone + Eq + Hash + 'static,
    F: Fn(&Options) -> M + Sync,
{
    fn state(&self, setting: Setting<'_>) -> State {
        State::of((self.0.make)(setting.options))
    }
}

impl<M, F> Target for Provable<F>
where
    M: Machine + Clone + Eq + Hash + 'static,
    F: Fn(&Options) -> M + Sync,
{
    fn name(&self) -> &str {
        self.0.name()
    }

    fn speaks(&self, dialect: Dialect) -> bool {
        self.0.speaks(dialect)
    }

    fn takes(&self, dialect: Dialect, kind: Kind) -> bool {
        self.0.takes(dialect, kind)
    }

    fn reports_violations(&self) -> bool {
        self.0.reports_violations()
    }

    fn run(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Run, Fault> {
        self.0.run(setting, chunks)
    }

    fn sweep(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Result<Swept, Lost> {
        self.0.sweep(setting, atoms, cuts)
    }

    fn run_alternately(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Option<Result<[Run; 2], Fault>> {
        self.0.run_alternately(setting, chunks)
    }

    fn abandon(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Option<Result<(), Fault>> {
        self.0.abandon(setting, chunks)
    }

    fn time(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Duration, Fault> {
        self.0.time(setting, chunks)
    }

    fn prove(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cap: Cap) -> Attempt<Proof, Cuts> {
        prove(&|| self.state(setting), atoms, cap)
    }

    fn prove_orders(&self, setting: Setting<'_>, items: &[Value], merge: &Merge, cap: Cap) -> OrderAttempt {
        prove_orders(&|| self.state(setting), setting.dialect, items, merge, cap)
    }
}

/// Makes a machine whose type no longer matters.
pub(super) type Make<'a> = dyn Fn() -> Box<dyn AnyMachine> + 'a;

pub(super) fn run(make: &Make<'_>, chunks: &[Chunk<'_>]) -> Result<Run, Fault> {
    catching(|| {
        let mut machine = make();
        let mut recorder = recorder(&*machine, chunks);
        let mut out = Vec::with_capacity(chunks.len() + 1);
        for &chunk in chunks {
            machine.feed(chunk, &mut recorder);
            out.push(recorder.take());
        }
        machine.finish(&mut recorder);
        out.push(recorder.take());
        if recorder.overflowed() { Err(Fault::Flood) } else { Ok(Run { out }) }
    })?
}

/// All these splittings, each with a fresh machine.
pub(super) fn sweep(make: &Make<'_>, form: Form, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Swept {
    let room = flood_from(atoms.whole().size());
    let run = |cuts: &Cuts| {
        catching(|| {
            let mut machine = make();
            let mut sink = Joined::with_room(form, machine.text(), room);
            atoms.each_chunk(cuts, |chunk| machine.feed(chunk, &mut sink));
            machine.finish(&mut sink);
            sink.finish().ok_or(Fault::Flood)
        })?
    };
    Swept::of_normal(cuts.iter().map(run))
}

pub(super) fn run_alternately(make: &Make<'_>, chunks: &[Chunk<'_>]) -> Result<[Run; 2], Fault> {
    catching(|| {
        let mut machines = [make(), make()].map(|machine| {
            let recorder = recorder(&*machine, chunks);
            (machine, recorder)
        });
        let mut runs = [Run { out: Vec::new() }, Run { out: Vec::new() }];
        for &chunk in chunks {
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

pub(super) fn abandon(make: &Make<'_>, chunks: &[Chunk<'_>]) -> Result<(), Fault> {
    catching(|| {
        let mut machine = make();
        let mut recorder = recorder(&*machine, chunks);
        for &chunk in chunks {
            machine.feed(chunk, &mut recorder);
        }
    })
}

pub(super) fn time(make: &Make<'_>, chunks: &[Chunk<'_>]) -> Result<Duration, Fault> {
    catching(|| {
        let start = thread_time();
        let mut machine = make();
        for &chunk in chunks {
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

pub(super) fn prove(make: &dyn Fn() -> State, atoms: &Atoms<'_>, cap: Cap) -> Attempt<Proof, Cuts> {
    match catching(make).map(|state| proof::prove_state(state, atoms, cap)) {
        Ok(Ok(Some(proof))) => Attempt::Proved(proof),
        Ok(Ok(None)) => Attempt::PastCap,
        Ok(Err((cuts, fault))) => Attempt::Faulted(cuts, fault),
        Err(fault) => Attempt::Faulted(Cuts::NONE, fault),
    }
}

pub(super) fn prove_orders(
    make: &dyn Fn() -> State,
    dialect: Dialect,
    items: &[Value],
    merge: &Merge,
    cap: Cap,
) -> OrderAttempt {
    let call_of = |event: &Event| dialect.call_of_event(event);
    match catching(make).map(|state| proof::prove_orders_of(state, items, merge, &call_of, cap)) {
        Ok(Ok(Some(outcomes))) => Attempt::Proved(outcomes),
        Ok(Ok(None)) => Attempt::PastCap,
        Ok(Err((order, fault))) => Attempt::Faulted(order, fault),
        Err(fault) => Attempt::Faulted(Vec::new(), fault),
    }
}

fn recorder(machine: &dyn AnyMachine, chunks: &[Chunk<'_>]) -> Recorder {
    Recorder::with_room(machine.text(), flood_from(chunks.iter().map(|chunk| chunk.size()).sum()))
}
