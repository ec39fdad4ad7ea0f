//! Running a target on one case, and what was seen.

use std::cell::{Cell, OnceCell, RefCell};
use std::time::Duration;

use serde_json::Value;

use super::{Answer, Failure, How, Judge, Sentence, Variations};
use crate::case::Case;
use crate::event::Event;
use crate::input::{Chunk, Input};
use crate::lifecycle::Lives;
use crate::proof::{Cap, Proof};
use crate::target::{Attempt, Fault, Lost, OrderAttempt, Run, Setting, Swept, Target};
use crate::variation::interleave::Merge;
use crate::variation::{Atoms, Cuts};
use crate::{naive, spec};

/// What came out of one variation.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) cuts: Cuts,
    /// How many atoms of the input there were.
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
    pub(super) fn against(self, expected: Vec<Event>) -> Self {
        Self { expected, lives: OnceCell::new(), ..self }
    }

    /// Only what came before the end, held against other events.
    pub(super) fn early_against(&self, expected: &[Event]) -> Self {
        Self { actual: self.before_end.clone(), ..self.clone().against(expected.to_vec()) }
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
    pub(super) fn new(judge: &'a Judge<'a>, case: &'a Case, input: &'a Input) -> Self {
        let setting = Setting { dialect: case.dialect, options: &case.options };
        Self {
            judge,
            case,
            setting,
            atoms: Atoms::of(input.as_chunk()),
            runs: Cell::new(0),
            faults: RefCell::default(),
        }
    }

    /// Runs the whole input with these cuts.
    pub(super) fn run(&self, cuts: &Cuts) -> Result<Observation, Faulted> {
        let run = self.run_for_pieces(self.judge.target, cuts)?;
        Ok(self.observation(cuts, &run, self.expected()))
    }

    /// Runs the whole input with these cuts on this target: what came out, chunk by chunk.
    pub(super) fn run_for_pieces(&self, target: &dyn Target, cuts: &Cuts) -> Result<Run, Faulted> {
        self.noting(cuts, self.atoms.len(), || target.run(self.setting, &self.atoms.chunks(cuts)))
    }

    /// Runs only so many atoms, in one chunk, for each of these lengths, and holds them against the second opinion.
    pub(super) fn run_prefixes(&self, lengths: &[usize]) -> Vec<Observation> {
        if self.is_lost() {
            return Vec::new();
        }
        let prefix = |&length: &usize| vec![self.atoms.slice(0, length)];
        let inputs: Vec<Vec<Chunk<'_>>> = lengths.iter().map(prefix).collect();
        match self.judge.target.run_all(self.setting, &inputs) {
            Err(Lost { at, fault }) => {
                self.note(&Cuts::NONE, lengths[at], fault);
                Vec::new()
            }
            Ok(runs) => {
                let seen = lengths.iter().zip(runs).map(|(&length, run)| self.of_prefix(length, run));
                seen.filter_map(Result::ok).collect()
            }
        }
    }

    fn of_prefix(&self, length: usize, run: Result<Run, Fault>) -> Result<Observation, Faulted> {
        let run = self.noting(&Cuts::NONE, length, || run)?;
        let prefix = self.atoms.slice(0, length);
        let expected = self.asked_for(naive::parse(self.setting.dialect, prefix, self.setting.options));
        Ok(Observation { length, ..self.observation(&Cuts::NONE, &run, expected) })
    }

    /// Runs the whole input with all these cuts. Where the target is lost over it: on which, and how.
    pub(super) fn sweep(&self, cuts: &[Cuts]) -> Result<Swept, Lost> {
        self.runs.set(self.runs.get() + cuts.len());
        let swept = self.judge.target.sweep(self.setting, &self.atoms, cuts);
        match &swept {
            Err(Lost { at, fault }) => self.note(&cuts[*at], self.atoms.len(), fault.clone()),
            Ok(swept) => {
                for (number, outcome) in swept.outcomes.iter().enumerate() {
                    let first = swept.runs.iter().position(|&run| run == number);
                    if let (Err(fault), Some(first)) = (outcome, first) {
                        self.note(&cuts[first], self.atoms.len(), fault.clone());
                    }
                }
            }
        }
        swept
    }

    /// Runs two instances in turn, where the target can.
    pub(super) fn run_alternately(&self, cuts: &Cuts) -> Option<[Observation; 2]> {
        let runs = self.judge.target.run_alternately(self.setting, &self.atoms.chunks(cuts))?;
        let runs = self.noting(cuts, self.atoms.len(), || runs).ok()?;
        Some(runs.map(|run| self.observation(cuts, &run, self.expected())))
    }

    /// Starts a run on half of the input and drops it, where the target can.
    pub(super) fn abandon_half(&self) {
        let half = self.atoms.len() / 2;
        if let Some(result) = self.judge.target.abandon(self.setting, &[self.atoms.slice(0, half)]) {
            // Only that it was remembered matters here.
            let _ = self.noting(&Cuts::NONE, half, || result);
        }
    }

    /// Covers all splittings at once, where the target can.
    pub(super) fn prove(&self) -> Attempt<Proof, Cuts> {
        self.judge.target.prove(self.setting, &self.atoms, Cap::default())
    }

    /// Covers all orders of the calls at once, where the target can.
    pub(super) fn prove_orders(&self, items: &[Value], merge: &Merge) -> OrderAttempt {
        let cap = Cap { pairs: 1024, feeds: 200_000, ..Cap::default() };
        self.judge.target.prove_orders(self.setting, items, merge, cap)
    }

    /// Runs these items in place of the input.
    pub(super) fn run_items(&self, items: &[Value]) -> Result<Observation, Faulted> {
        let run = || self.judge.target.run(self.setting, &[Chunk::Objects(items)]);
        let run = self.noting(&Cuts::NONE, self.atoms.len(), run)?;
        Ok(self.observation(&Cuts::NONE, &run, self.expected()))
    }

    /// What a splitting gave, if only its events are known.
    pub(super) fn of_events(&self, cuts: &Cuts, actual: Vec<Event>) -> Observation {
        Observation {
            actual: self.asked_for(actual),
            ..self.observation(cuts, &Run { out: Vec::new() }, self.expected())
        }
    }

    /// The calls in what must come out, and in what came.
    pub(super) fn lives<'o>(&self, seen: &'o Observation) -> &'o (Lives, Lives) {
        let of = |events: &[Event]| Lives::of(self.case.dialect, events);
        seen.lives.get_or_init(|| (of(&seen.expected), of(&seen.actual)))
    }

    /// The case's events, as far as they are asked of this target.
    pub(super) fn expected(&self) -> Vec<Event> {
        self.asked_for(self.case.events.clone())
    }

    /// The events that are asked of this target: violations only where it reports them.
    pub(super) fn asked_for(&self, mut events: Vec<Event>) -> Vec<Event> {
        if !self.judge.target.reports_violations() {
            events.retain(|event| !event.is_violation());
        }
        events
    }

    /// What a list of items gave in another order, for the report: the items themselves are shown.
    pub(super) fn failure_of_items(
        &self,
        items: Vec<Value>,
        seen: Observation,
        message: String,
        failing: String,
    ) -> Box<Failure> {
        let mut failure = self.failure(seen, message, failing);
        failure.chunks = vec![Input::Objects(items)];
        failure
    }

    /// Whether the input was cut off.
    pub(super) fn is_prefix(&self, seen: &Observation) -> bool {
        seen.length < self.atoms.len()
    }

    /// How long the target takes for a grown input.
    pub(super) fn time(&self, chunks: &[Chunk<'_>], times: usize) -> Result<Duration, Faulted> {
        self.judge.target.time(self.setting, chunks).map_err(|fault| {
            self.remember(&Cuts::NONE, fault.noting(&format!("with its growing piece {times} times")));
            Faulted
        })
    }

    /// How long a run must take to be measured.
    pub(super) fn floor(&self) -> Duration {
        self.judge.target.floor()
    }

    /// Remembers a fault that something else met.
    pub(super) fn remember(&self, cuts: &Cuts, fault: Fault) {
        self.runs.set(self.runs.get() + 1);
        self.note(cuts, self.atoms.len(), fault);
    }

    /// Whether the target was lost over this case: then nothing more is asked about it.
    pub(super) fn is_lost(&self) -> bool {
        self.faults.borrow().iter().any(|(_, _, fault)| fault.is_fatal())
    }

    /// Why the target cannot be asked about this case, if it says so itself.
    pub(super) fn unsupported(&self) -> Option<String> {
        let faults = self.faults.borrow();
        let unsupported = |(_, _, fault): &&(Cuts, usize, Fault)| matches!(fault, Fault::Unsupported { .. });
        faults.iter().find(unsupported).map(|(_, _, fault)| fault.to_string())
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
            chunks: input.chunks(&seen.cuts).into_iter().map(Chunk::to_input).collect(),
            cut_off: self.atoms.len() - seen.length,
            expected: seen.expected,
            actual: seen.actual,
            failing,
            fault: None,
            repeat: self.judge.command.map(|command| format!("{command} --filter {}", self.case.id)),
        })
    }

    /// What went wrong, where no events show it.
    pub(super) fn failure_without_run(&self, message: String, failing: String) -> Box<Failure> {
        self.failure(self.of_events(&Cuts::NONE, self.expected()), message, failing)
    }

    /// The fault on the smallest input, as an answer.
    pub(super) fn first_fault(&self) -> Option<Answer> {
        let faults = self.faults.borrow();
        let (cuts, length, fault) = faults.iter().min_by_key(|(cuts, length, _)| (*length, cuts.0.len()))?;
        let seen = Observation { length: *length, ..self.of_events(cuts, Vec::new()) };
        let failing = format!("{} of {} runs fail so", faults.len(), self.runs());
        let mut failure = self.failure(seen, fault.to_string(), failing);
        failure.fault = Some(fault.name());
        Some(Answer::fail(How::Every, Variations::counted(self.runs()), failure))
    }

    fn observation(&self, cuts: &Cuts, run: &Run, expected: Vec<Event>) -> Observation {
        Observation {
            cuts: cuts.clone(),
            length: self.atoms.len(),
            expected,
            actual: self.asked_for(run.events(self.setting.dialect.form())),
            before_end: self.asked_for(run.before_end(self.setting.dialect.form())),
            lives: OnceCell::new(),
        }
    }

    /// Runs something, unless the target was lost before, and remembers how it fails.
    fn noting<T>(&self, cuts: &Cuts, length: usize, run: impl FnOnce() -> Result<T, Fault>) -> Result<T, Faulted> {
        if self.is_lost() {
            return Err(Faulted);
        }
        self.runs.set(self.runs.get() + 1);
        run().map_err(|fault| {
            self.note(cuts, length, fault);
            Faulted
        })
    }

    fn note(&self, cuts: &Cuts, length: usize, fault: Fault) {
        self.faults.borrow_mut().push((cuts.clone(), length, fault));
    }
}
