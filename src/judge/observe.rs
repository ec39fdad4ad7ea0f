//! Running a target on one case, and what was seen.

use std::cell::{OnceCell, RefCell};

use super::{Answer, Failing, How, Variations};
use crate::case::Case;
use crate::dialect::Dialect;
use crate::event::Event;
use crate::lifecycle::Lives;
use crate::naive;
use crate::proof::Cap;
use crate::target::{Attempt, Fault, Run, Setting, Target};
use crate::variation::{Atoms, Cuts};

/// What came out of one variation.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) cuts: Cuts,
    pub(super) chunks: Vec<String>,
    /// Whether the input was cut off on purpose.
    pub(super) is_prefix: bool,
    /// How many characters were left out at the end.
    pub(super) cut_off: usize,
    /// What must come out, in normal form.
    pub(super) expected: Vec<Event>,
    /// What came out, in normal form.
    pub(super) actual: Vec<Event>,
    /// What came out before the end, in normal form.
    pub(super) before_end: Vec<Event>,
    /// What came out, chunk by chunk.
    pub(super) run: Run,
    dialect: Dialect,
    lives: OnceCell<(Lives, Lives)>,
}

impl Observation {
    /// The same, held against other events.
    pub(super) fn against(self, expected: &[Event]) -> Self {
        Self { expected: expected.to_vec(), lives: OnceCell::new(), ..self }
    }

    /// The calls in what must come out, and in what came.
    pub(super) fn lives(&self) -> &(Lives, Lives) {
        self.lives.get_or_init(|| {
            (Lives::of(self.dialect, &self.expected), Lives::of(self.dialect, &self.actual))
        })
    }
}

/// Runs a target on one case and remembers its faults.
pub(super) struct Observer<'a> {
    target: &'a dyn Target,
    case: &'a Case,
    setting: Setting<'a>,
    pub(super) atoms: Atoms<'a>,
    runs: RefCell<usize>,
    faults: RefCell<Vec<(Vec<String>, Fault)>>,
}

/// The target failed; the observer remembers how.
pub(super) struct Faulted;

impl<'a> Observer<'a> {
    pub(super) fn new(target: &'a dyn Target, case: &'a Case, text: &'a str) -> Self {
        let setting = Setting { dialect: case.dialect, options: &case.options };
        Self {
            target,
            case,
            setting,
            atoms: Atoms::of(text),
            runs: RefCell::default(),
            faults: RefCell::default(),
        }
    }

    /// Runs the whole input with these cuts.
    pub(super) fn run(&self, cuts: &Cuts) -> Result<Observation, Faulted> {
        let chunks = self.atoms.chunks(cuts);
        let run = self.noting(&chunks, self.target.run(self.setting, &chunks))?;
        Ok(self.observation(cuts, &chunks, run))
    }

    /// Runs only so many characters, in one chunk.
    pub(super) fn run_prefix(&self, length: usize) -> Result<Observation, Faulted> {
        let prefix = self.atoms.slice(0, length);
        let run = self.noting(&[prefix], self.target.run(self.setting, &[prefix]))?;
        let expected = naive::parse(self.setting.dialect, prefix, self.setting.options);
        let cut_off = self.atoms.len() - length;
        Ok(Observation {
            is_prefix: true,
            cut_off,
            expected,
            ..self.observation(&Cuts::NONE, &[prefix], run)
        })
    }

    /// Runs two instances in turn, where the target can.
    pub(super) fn run_alternately(&self, cuts: &Cuts) -> Option<[Observation; 2]> {
        let chunks = self.atoms.chunks(cuts);
        let runs = self.target.run_alternately(self.setting, &chunks)?;
        let runs = self.noting(&chunks, runs).ok()?;
        Some(runs.map(|run| self.observation(cuts, &chunks, run)))
    }

    /// Starts a run and drops it after the first chunk, where the target can.
    pub(super) fn abandon(&self, cuts: &Cuts) {
        let chunks = &self.atoms.chunks(cuts)[..1];
        if let Some(result) = self.target.abandon(self.setting, chunks) {
            let _ = self.noting(chunks, result);
        }
    }

    /// Covers all splittings at once, where the target can.
    pub(super) fn prove(&self) -> Attempt {
        self.target.prove(self.setting, &self.atoms, Cap::default())
    }

    /// What a splitting gave, if only its events are known.
    pub(super) fn of_events(&self, cuts: &Cuts, actual: Vec<Event>) -> Observation {
        let run = Run { out: Vec::new() };
        Observation { actual, ..self.observation(cuts, &self.atoms.chunks(cuts), run) }
    }

    /// How many runs there were.
    pub(super) fn runs(&self) -> usize {
        *self.runs.borrow()
    }

    /// The fault on the smallest input, as an answer.
    pub(super) fn first_fault(&self) -> Option<Answer> {
        let faults = self.faults.borrow();
        let (chunks, fault) =
            faults.iter().min_by_key(|(chunks, _)| (chunks.concat().len(), chunks.len()))?;
        let observation = Observation {
            cut_off: self.atoms.len() - chunks.concat().chars().count(),
            chunks: chunks.clone(),
            ..self.of_events(&Cuts::NONE, Vec::new())
        };
        let failing = format!("{} of {} runs fail so", faults.len(), self.runs());
        let failing = Failing { message: fault.to_string(), observation, failing };
        Some(Answer::fail(How::Every, Variations::Counted(self.runs()), failing))
    }

    fn observation(&self, cuts: &Cuts, chunks: &[&str], run: Run) -> Observation {
        Observation {
            cuts: cuts.clone(),
            chunks: chunks.iter().map(|&chunk| chunk.to_owned()).collect(),
            is_prefix: false,
            cut_off: 0,
            expected: self.case.events.clone(),
            actual: run.events(),
            before_end: run.before_end(),
            run,
            dialect: self.case.dialect,
            lives: OnceCell::new(),
        }
    }

    fn noting<T>(&self, chunks: &[&str], result: Result<T, Fault>) -> Result<T, Faulted> {
        *self.runs.borrow_mut() += 1;
        result.map_err(|fault| {
            self.faults
                .borrow_mut()
                .push((chunks.iter().map(|&chunk| chunk.to_owned()).collect(), fault));
            Faulted
        })
    }
}

/// Beyond this many characters only so many prefixes are tried, since each is a run of its own.
const MOST_PREFIXES: usize = 1024;

/// The lengths at which an input is cut off, and whether that is all of them.
pub(super) fn prefix_lengths(len: usize) -> (How, Box<dyn Iterator<Item = usize>>) {
    if len <= MOST_PREFIXES {
        (How::Every, Box::new(0..len))
    } else {
        (How::Sampled, Box::new((0..MOST_PREFIXES).map(move |nth| nth * len / MOST_PREFIXES)))
    }
}
