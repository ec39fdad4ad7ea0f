//! A lane: an endless sequence of runs that depends on nothing but its number and the seed.
//!
//! The runs of a seed are numbered, and lane I takes every [`LANES`]-th from the I-th on. Each lane keeps the inputs by which it came to
//! something new, and makes others from them; it never sees another lane's. So the runs are the same in whatever order, on however
//! many threads and machines the lanes are worked off.

use std::collections::HashMap;
use std::sync::Arc;

use super::examine::{Examined, Failed, checks, examine, expected_of, is_disputed, is_quick, judge};
use super::expecting::is_met_at_once;
use super::landmarks::Landmarks;
use crate::check::Check;
use crate::dialect::{Dialect, Options};
use crate::fault::Loss;
use crate::finding::Source;
use crate::generate::{Draw, Made, Truth, bytes_of, make_with, mutant};
use crate::random::Random;
use crate::sample::{Sample, settings};
use crate::shrink::smallest;
use crate::target::Target;
use crate::variation::{Atoms, Cuts};

/// How many lanes there are, for every seed.
pub const LANES: u64 = 32;

/// Of the inputs that lead to nothing new, all checks are asked of one in so many at most.
const OTHERS: u64 = 64;

/// So many inputs a lane keeps for a dialect; then a new one takes the place of another.
const MOST_KEPT: usize = 64;

/// How often a sample on which the target hangs is asked again to make it smaller.
const MOST_HANGS: usize = 24;

/// What all lanes share.
pub struct Plan<'a> {
    /// What is fuzzed.
    pub target: &'a dyn Target,
    /// Whether it is the reference, which is held against the second opinion.
    pub is_reference: bool,
    /// The dialects, each as often as the others.
    pub dialects: Vec<Dialect>,
    /// The seed.
    pub seed: u64,
    /// The settings of samples that the target takes, by the place of their dialect.
    pub settings: Vec<Vec<Arc<Options>>>,
    /// Inputs to begin with, by the place of their dialect.
    pub seeds: Vec<Vec<Sample>>,
    /// How many more splittings are tried of each input.
    pub splittings: usize,
    /// What a run sets aside for asking all checks, which cost the square of an input's length.
    pub judging: usize,
    /// How often a failure may be asked again to make it smaller.
    pub shrinking: usize,
}

impl<'a> Plan<'a> {
    /// A plan for a target in this process.
    pub fn new(target: &'a dyn Target, dialects: Vec<Dialect>, seed: u64) -> Self {
        let seeds = vec![Vec::new(); dialects.len()];
        let taken = |&dialect: &Dialect| -> Vec<Arc<Options>> {
            let takes = |options: &&Arc<Options>| target.takes(dialect, dialect.kind(options));
            settings(dialect).iter().filter(takes).cloned().collect()
        };
        let settings = dialects.iter().map(taken).collect();
        Self {
            target,
            is_reference: false,
            dialects,
            seed,
            settings,
            seeds,
            splittings: 0,
            judging: 8,
            shrinking: 20_000,
        }
    }

    /// A plan for the reference.
    pub fn of_reference(dialects: Vec<Dialect>, seed: u64) -> Plan<'static> {
        Plan { is_reference: true, ..Plan::new(&crate::target::Reference, dialects, seed) }
    }

    /// A plan for a target for which every message counts.
    pub fn of_process(target: &'a dyn Target, dialects: Vec<Dialect>, seed: u64) -> Self {
        Self { splittings: 14, judging: 640, shrinking: 2_000, ..Self::new(target, dialects, seed) }
    }

    /// Adds inputs to begin with; those that the target does not take are left out.
    pub fn begin_with(&mut self, samples: impl IntoIterator<Item = Sample>) {
        for sample in samples {
            let is_taken = self.target.takes(sample.dialect, sample.input.as_chunk().kind());
            if let Some(at) = self.dialects.iter().position(|dialect| is_taken && *dialect == sample.dialect) {
                self.seeds[at].push(sample);
            }
        }
    }

    /// Whether the target is right about a sample.
    pub fn examine(&self, sample: &Sample, truth: &Truth, others: &[Cuts]) -> Examined {
        if !self.is_reference && is_disputed(sample) {
            return Examined::NotAsked;
        }
        // A reference that fails cannot say what must come out; it is itself fuzzed.
        let Ok(expected) = expected_of(sample, !self.is_reference) else { return Examined::NotAsked };
        match examine(self.target, sample, &expected, others) {
            Examined::Fine if self.is_reference => {
                against_truth(truth, &expected).map_or(Examined::Fine, Examined::Failed)
            }
            examined => examined,
        }
    }

    /// Whose word it is what must come out of a sample, and what that is.
    pub fn expected(&self, sample: &Sample, failed: &Failed) -> (Source, Vec<crate::event::Event>) {
        if !self.is_reference {
            return (Source::Reference, expected_of(sample, true).unwrap_or_default());
        }
        let expected = expected_of(sample, false).unwrap_or_default();
        if failed.check == Check::Expect && failed.fault.is_none() && failed.expected != expected {
            return (Source::Construction, failed.expected.clone());
        }
        (Source::SecondOpinion, expected)
    }

    /// The same sample as small as it can be made, and how it fails then.
    pub fn shrink(&self, sample: Sample, failed: Box<Failed>, seed: u64) -> (Sample, Box<Failed>) {
        // What is cut so that it fails is kept cut so.
        let cut = Sample { cuts: failed.cuts.clone(), ..sample.clone() };
        let (sample, mut how) = match self.fails_like(&cut, &failed, seed) {
            Some(how) => (cut, how),
            None => (sample, failed.clone()),
        };
        // One that hangs costs its deadline every time.
        let most = if failed.class == Loss::Hang.name() { self.shrinking.min(MOST_HANGS) } else { self.shrinking };
        // A target that does not always fail might not do so again: what it did is kept.
        let smallest = smallest(sample, most, |sample| match self.fails_like(sample, &failed, seed) {
            Some(found) => {
                how = found;
                true
            }
            None => false,
        });
        (smallest, how)
    }

    /// How a sample fails, if in the same way.
    pub fn fails_like(&self, sample: &Sample, like: &Failed, seed: u64) -> Option<Box<Failed>> {
        if is_quick(like.check) {
            return match self.examine(sample, &Truth::Unknown, &[]) {
                Examined::Failed(failed) => failed.is_like(like).then_some(failed),
                Examined::Fine | Examined::NotAsked => None,
            };
        }
        let expected = expected_of(sample, !self.is_reference).ok()?;
        let found = judge(self.target, sample, expected, &[like.check], seed).into_iter();
        found.map(Box::new).find(|failed| failed.is_like(like))
    }
}

/// What a run came to that is worth telling.
#[derive(Clone, Debug)]
pub enum Event {
    /// It led to something new.
    New(Sample),
    /// It fails: made as small as it could be.
    Failed {
        /// Which run of the seed it was.
        run: u64,
        /// The smallest sample.
        sample: Sample,
        /// How it fails.
        failed: Box<Failed>,
    },
    /// It fails as another did before, by its signature.
    Again {
        /// The signature of that one, behind the dialect.
        signature: String,
    },
    /// The target cannot be asked about it, or the rules leave it open.
    NotAsked,
}

/// One lane, where it has come to.
pub struct Lane {
    number: u64,
    runs: u64,
    kept: Vec<Vec<Arc<Sample>>>,
    landmarks: Vec<Landmarks>,
    /// The signatures of failures as they were met, and as they were when made small.
    known: HashMap<String, String>,
    waiting: Option<Waiting>,
}

/// An input of which all checks are asked once enough was set aside for it.
struct Waiting {
    sample: Sample,
    run: u64,
    seed: u64,
    missing: usize,
}

impl Lane {
    /// A lane at its beginning.
    pub fn new(number: u64, plan: &Plan<'_>) -> Self {
        let visited = |seeds: &Vec<Sample>| {
            let mut landmarks = Landmarks::default();
            for sample in seeds {
                landmarks.visit(sample);
            }
            landmarks
        };
        let landmarks = plan.seeds.iter().map(visited).collect();
        let kept = vec![Vec::new(); plan.dialects.len()];
        Self { number, runs: 0, kept, landmarks, known: HashMap::new(), waiting: None }
    }

    /// A lane that begins as another did.
    pub fn like(&self, number: u64) -> Self {
        let kept = vec![Vec::new(); self.kept.len()];
        Self { number, runs: 0, kept, landmarks: self.landmarks.clone(), known: HashMap::new(), waiting: None }
    }

    /// The number of the next run.
    pub fn next(&self) -> u64 {
        self.number + LANES * self.runs
    }

    /// Does the next run.
    pub fn step(&mut self, plan: &Plan<'_>, tell: &mut dyn FnMut(Event)) {
        let run = self.next();
        self.runs += 1;
        let seed = stream(plan.seed, run);
        let bytes = bytes_of(seed);
        let draw = &mut Draw::new(&bytes);
        let at = draw.below(plan.dialects.len());
        let made = self.made(plan, at, draw);
        let others = splittings(&made.sample, plan.splittings, draw);
        let landmarks = &mut self.landmarks[at];
        let (mut is_new, is_fine) = match plan.is_reference {
            true => agrees(landmarks, &made),
            false => (false, false),
        };
        if !is_fine {
            match plan.examine(&made.sample, &made.truth, &others) {
                Examined::Failed(failed) => return self.failed(plan, run, made.sample, failed, seed, tell),
                Examined::NotAsked => return tell(Event::NotAsked),
                Examined::Fine => is_new |= landmarks.visit(&made.sample),
            }
        }
        if is_new {
            self.keep(at, made.sample.clone());
            tell(Event::New(made.sample.clone()));
        }
        self.judge(plan, tell);
        if self.waiting.is_none() && (is_new || self.runs.is_multiple_of(OTHERS)) {
            let missing = Atoms::count(made.sample.input.as_chunk()).pow(2);
            self.waiting = Some(Waiting { sample: made.sample, run, seed, missing });
        }
    }

    fn made(&self, plan: &Plan<'_>, at: usize, draw: &mut Draw<'_>) -> Made {
        let (seeds, kept) = (&plan.seeds[at], &self.kept[at]);
        let count = seeds.len() + kept.len();
        if count == 0 || !draw.one_in(3) {
            return make_with(plan.dialects[at], &plan.settings[at], draw);
        }
        let nth = draw.below(count);
        mutant(seeds.get(nth).unwrap_or_else(|| &kept[nth - seeds.len()]), draw)
    }

    fn keep(&mut self, at: usize, sample: Sample) {
        let kept = &mut self.kept[at];
        if kept.len() < MOST_KEPT {
            kept.push(Arc::new(sample));
        } else {
            kept[self.runs as usize % MOST_KEPT] = Arc::new(sample);
        }
    }

    /// Asks all checks of the input that waits for it, once enough was set aside.
    fn judge(&mut self, plan: &Plan<'_>, tell: &mut dyn FnMut(Event)) {
        let Some(waiting) = &mut self.waiting else { return };
        waiting.missing = waiting.missing.saturating_sub(plan.judging);
        let Some(Waiting { sample, run, seed, .. }) = self.waiting.take_if(|waiting| waiting.missing == 0) else {
            return;
        };
        let Ok(expected) = expected_of(&sample, !plan.is_reference) else { return };
        if let Some(failed) = judge(plan.target, &sample, expected, checks(), seed).into_iter().next() {
            self.failed(plan, run, sample, Box::new(failed), seed, tell);
        }
    }

    fn failed(
        &mut self,
        plan: &Plan<'_>,
        run: u64,
        sample: Sample,
        failed: Box<Failed>,
        seed: u64,
        tell: &mut dyn FnMut(Event),
    ) {
        let signature = |failed: &Failed| format!("{} {}", sample.dialect, failed.signature());
        let met = signature(&failed);
        if let Some(known) = self.known.get(&met) {
            return tell(Event::Again { signature: known.clone() });
        }
        let (smallest, failed) = plan.shrink(sample.clone(), failed, seed);
        let shrunk = signature(&failed);
        let is_known = self.known.values().any(|known| *known == shrunk);
        self.known.insert(met, shrunk.clone());
        self.known.insert(shrunk.clone(), shrunk.clone());
        if is_known {
            tell(Event::Again { signature: shrunk });
        } else {
            tell(Event::Failed { run, sample: smallest, failed });
        }
    }
}

/// Whether a sample leads to something new, and whether all agree about it: the reference, whole and as the sample is cut, the second
/// opinion, and what is known by construction. It is the quick way to the answer that nearly all samples have.
fn agrees(landmarks: &mut Landmarks, Made { sample, truth }: &Made) -> (bool, bool) {
    let Ok(expected) = expected_of(sample, false) else { return (false, false) };
    let (is_new, is_met) = landmarks.visit_expecting(sample, &expected);
    (is_new, is_met && is_met_at_once(sample, &expected) && against_truth(truth, &expected).is_none())
}

/// What is expected is no more above suspicion than what is judged by it.
fn against_truth(truth: &Truth, expected: &[crate::event::Event]) -> Option<Box<Failed>> {
    match truth {
        Truth::Unknown => None,
        Truth::Events(events) => {
            (events != expected).then(|| Box::new(Failed::of_events(Check::Expect, &Cuts::NONE, events, expected)))
        }
        Truth::Violations(count) => {
            let found = expected.iter().filter(|event| event.is_violation()).count();
            let message = format!("it was made to break {count} rules, and {found} are reported");
            let fault = (found != *count).then_some(message);
            fault.map(|fault| {
                let failed = Failed::of_events(Check::Expect, &Cuts::NONE, expected, expected);
                Box::new(Failed { fault: Some(fault), ..failed })
            })
        }
    }
}

/// Where the random numbers of a run begin, as specified in `spec/README.md`.
fn stream(seed: u64, run: u64) -> u64 {
    Random::new(seed).next_u64() ^ Random::new(!run).next_u64()
}

/// One atom at a time, and other splittings at random.
fn splittings(sample: &Sample, count: usize, draw: &mut Draw<'_>) -> Vec<Cuts> {
    if count == 0 {
        return Vec::new();
    }
    let atoms = sample.atoms().len();
    let random = (1..count).map(|_| crate::generate::cuts(atoms, draw));
    std::iter::once(Cuts::finest(atoms)).chain(random.collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(plan: &Plan<'_>, lanes: &mut [Lane], runs: u64) -> Vec<String> {
        let mut told = Vec::new();
        for lane in lanes {
            while lane.next() < runs {
                lane.step(plan, &mut |event| told.push(format!("{event:?}")));
            }
        }
        told
    }

    #[test]
    fn the_reference_has_nothing_to_be_found_in_a_while() {
        let plan = Plan::of_reference(Dialect::ALL.to_vec(), 1);
        let mut lane = Lane::new(3, &plan);
        for _ in 0..2_000 {
            lane.step(&plan, &mut |event| assert!(matches!(event, Event::New(_)), "{event:?}"));
        }
        assert!(lane.kept.iter().all(|kept| kept.len() > 3), "every dialect has inputs that led to something new");
    }

    #[test]
    fn a_lane_does_the_same_whatever_others_do() {
        let plan = Plan::of_reference(vec![Dialect::InlineTag, Dialect::Sse], 7);
        let first = Lane::new(0, &plan);
        let alone: Vec<String> = (0..4).flat_map(|number| told(&plan, &mut [first.like(number)], 5_000)).collect();
        let mut together: Vec<Lane> = (0..4).map(|number| first.like(number)).collect();
        assert_eq!(told(&plan, &mut together, 5_000), alone);
        assert!(!alone.is_empty());
    }
}
