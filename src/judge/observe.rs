//! Running a target on one case, and what was seen.

use std::cell::{Cell, OnceCell, RefCell};
use std::time::Duration;

use super::{Answer, Failure, How, Judge, Sentence, Variations};
use crate::case::Case;
use crate::event::Event;
use crate::lifecycle::Lives;
use crate::proof::Cap;
use crate::target::{Attempt, Fault, Run, Setting, Target};
use crate::variation::{Atoms, Cuts};
use crate::{naive, spec};

/// What came out of one variation.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) cuts: Cuts,
    /// How many characters of the input there were.
    pub(super) length: usize,
    /// What must come out, in normal form.
    pub(super) expected: Vec<Event>,
    /// What came out, in normal form.
    pub(super) actual: Vec<Event>,
    /// What came out before the end, in normal form.
    pub(super) before_end: Vec<Event>,
    lives: OnceCell<(Lives, Lives)>,
}

impl Observation {
    /// The same, held against other events.
    pub(super) fn against(self, expected: &[Event]) -> Self {
        Self { expected: expected.to_vec(), lives: OnceCell::new(), ..self }
    }

    /// Only what came before the end, held against other events.
    pub(super) fn early_against(&self, expected: &[Event]) -> Self {
        Self { actual: self.before_end.clone(), ..self.clone().against(expected) }
    }
}

/// Runs a target on one case and remembers its faults.
pub(super) struct Observer<'a> {
    judge: &'a Judge<'a>,
    case: &'a Case,
    setting: Setting<'a>,
    pub(super) atoms: Atoms<'a>,
    runs: Cell<usize>,
    faults: RefCell<Vec<(Cuts, usize, Fault)>>,
}

/// The target failed; the observer remembers how.
pub(super) struct Faulted;

impl<'a> Observer<'a> {
    pub(super) fn new(judge: &'a Judge<'a>, case: &'a Case, text: &'a str) -> Self {
        let setting = Setting { dialect: case.dialect, options: &case.options };
        Self { judge, case, setting, atoms: Atoms::of(text), runs: Cell::new(0), faults: RefCell::default() }
    }

    /// Runs the whole input with these cuts.
    pub(super) fn run(&self, cuts: &Cuts) -> Result<Observation, Faulted> {
        let run = self.run_for_pieces(self.judge.target, cuts)?;
        Ok(self.observation(cuts, &run))
    }

    /// Runs the whole input with these cuts on this target: what came out, chunk by chunk.
    pub(super) fn run_for_pieces(&self, target: &dyn Target, cuts: &Cuts) -> Result<Run, Faulted> {
        self.noting(cuts, self.atoms.len(), target.run(self.setting, &self.atoms.chunks(cuts)))
    }

    /// Runs only so many characters, in one chunk, and holds them against the second opinion.
    pub(super) fn run_prefix(&self, length: usize) -> Result<Observation, Faulted> {
        let prefix = self.atoms.slice(0, length);
        let run = self.noting(&Cuts::NONE, length, self.judge.target.run(self.setting, &[prefix]))?;
        let expected = naive::parse(self.setting.dialect, prefix, self.setting.options);
        Ok(Observation { length, ..self.observation(&Cuts::NONE, &run).against(&expected) })
    }

    /// Runs two instances in turn, where the target can.
    pub(super) fn run_alternately(&self, cuts: &Cuts) -> Option<[Observation; 2]> {
        let runs = self.judge.target.run_alternately(self.setting, &self.atoms.chunks(cuts))?;
        let runs = self.noting(cuts, self.atoms.len(), runs).ok()?;
        Some(runs.map(|run| self.observation(cuts, &run)))
    }

    /// Starts a run on half of the input and drops it, where the target can.
    pub(super) fn abandon_half(&self) {
        let half = self.atoms.len() / 2;
        if let Some(result) = self.judge.target.abandon(self.setting, &[self.atoms.slice(0, half)]) {
            // Only that it was remembered matters here.
            let _ = self.noting(&Cuts::NONE, half, result);
        }
    }

    /// Covers all splittings at once, where the target can.
    pub(super) fn prove(&self) -> Attempt {
        self.judge.target.prove(self.setting, &self.atoms, Cap::default())
    }

    /// What a splitting gave, if only its events are known.
    pub(super) fn of_events(&self, cuts: &Cuts, actual: Vec<Event>) -> Observation {
        Observation { actual, ..self.observation(cuts, &Run { out: Vec::new() }) }
    }

    /// The calls in what must come out, and in what came.
    pub(super) fn lives<'o>(&self, seen: &'o Observation) -> &'o (Lives, Lives) {
        let of = |events: &[Event]| Lives::of(self.case.dialect, events);
        seen.lives.get_or_init(|| (of(&seen.expected), of(&seen.actual)))
    }

    /// Whether the input was cut off.
    pub(super) fn is_prefix(&self, seen: &Observation) -> bool {
        seen.length < self.atoms.len()
    }

    /// How long the target takes for a grown input.
    pub(super) fn time(&self, chunks: &[&str], times: usize) -> Result<Duration, Faulted> {
        self.judge.target.time(self.setting, chunks).map_err(|fault| {
            let message = format!("with its growing piece {times} times: {fault}");
            self.remember(&Cuts::NONE, Fault::Panic { message });
            Faulted
        })
    }

    /// Remembers a fault that something else met.
    pub(super) fn remember(&self, cuts: &Cuts, fault: Fault) {
        let _ = self.noting::<()>(cuts, self.atoms.len(), Err(fault));
    }

    /// How many runs there were.
    pub(super) fn runs(&self) -> usize {
        self.runs.get()
    }

    /// What went wrong, for the report.
    pub(super) fn failure(&self, seen: Observation, message: String, failing: String) -> Box<Failure> {
        let sentence =
            |id: &String| spec::rule(id).map(|rule| Sentence { id: rule.id.clone(), sentence: rule.sentence.clone() });
        let input = Atoms::of(self.atoms.slice(0, seen.length));
        Box::new(Failure {
            message,
            rules: self.case.rules.iter().filter_map(sentence).collect(),
            chunks: input.chunks(&seen.cuts).into_iter().map(str::to_owned).collect(),
            cut_off: self.atoms.len() - seen.length,
            expected: seen.expected,
            actual: seen.actual,
            failing,
            repeat: self.judge.command.map(|command| format!("{command} --filter {}", self.case.id)),
        })
    }

    /// What went wrong, where no events show it.
    pub(super) fn failure_without_run(&self, message: String, failing: String) -> Box<Failure> {
        self.failure(self.of_events(&Cuts::NONE, self.case.events.clone()), message, failing)
    }

    /// The fault on the smallest input, as an answer.
    pub(super) fn first_fault(&self) -> Option<Answer> {
        let faults = self.faults.borrow();
        let (cuts, length, fault) = faults.iter().min_by_key(|(cuts, length, _)| (*length, cuts.0.len()))?;
        let seen = Observation { length: *length, ..self.of_events(cuts, Vec::new()) };
        let failing = format!("{} of {} runs fail so", faults.len(), self.runs());
        let failure = self.failure(seen, fault.to_string(), failing);
        Some(Answer::fail(How::Every, Variations::Counted(self.runs()), failure))
    }

    fn observation(&self, cuts: &Cuts, run: &Run) -> Observation {
        Observation {
            cuts: cuts.clone(),
            length: self.atoms.len(),
            expected: self.case.events.clone(),
            actual: run.events(),
            before_end: run.before_end(),
            lives: OnceCell::new(),
        }
    }

    fn noting<T>(&self, cuts: &Cuts, length: usize, result: Result<T, Fault>) -> Result<T, Faulted> {
        self.runs.set(self.runs.get() + 1);
        result.map_err(|fault| {
            self.faults.borrow_mut().push((cuts.clone(), length, fault));
            Faulted
        })
    }
}
