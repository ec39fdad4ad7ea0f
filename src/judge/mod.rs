//! A case and a target give verdicts.
//!
//! [`Judge::judge`] runs a target on a case in every variation that the checks need, and puts the checks' questions to what
//! came out. Each run is shared by all checks that can use it.

mod cost;
mod observe;
mod orders;
mod splits;
mod verdict;

pub use verdict::{Coverage, Failure, How, Sentence, Status, Variations, Verdict};

use self::observe::{Observation, Observer};
use crate::case::Case;
use crate::check::{self, Check, Finding};
use crate::event::Event;
use crate::lifecycle::Lives;
use crate::target::{Reference, Run, Target};
use crate::variation::{Cuts, truncate};

/// How splittings are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Splits {
    /// All at once where the target can be cloned and compared, else thorough.
    #[default]
    Proof,
    /// The thorough selection.
    Thorough,
    /// The quick selection.
    Quick,
}

impl Splits {
    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proof => "proof",
            Self::Thorough => "thorough",
            Self::Quick => "quick",
        }
    }
}

/// Judges one target.
pub struct Judge<'a> {
    /// The target.
    pub target: &'a dyn Target,
    /// Which checks to ask.
    pub checks: &'a [Check],
    /// How splittings are covered.
    pub splits: Splits,
    /// The seed of random splittings.
    pub seed: u64,
    /// The command that led here, if there is one, for the command that repeats a failure.
    pub command: Option<&'a str>,
}

impl<'a> Judge<'a> {
    /// A judge that asks every check and proves all splittings where it can.
    pub fn new(target: &'a dyn Target) -> Self {
        Self { target, checks: &Check::ALL, splits: Splits::Proof, seed: 0, command: None }
    }

    /// The verdicts on one case, one for each check, in the order of [`Check::ALL`].
    pub fn judge(&self, case: &Case) -> Vec<Verdict> {
        if !self.target.speaks(case.dialect) {
            let reason = format!("the target does not speak {}", case.dialect);
            return self.every_verdict(case, |_| Answer::not_applicable(&reason));
        }
        let input = case.whole();
        let kind = input.as_chunk().kind();
        if !self.target.takes(case.dialect, kind) {
            let reason = format!("the target does not take {} as {}", case.dialect, kind.units());
            return self.every_verdict(case, |_| Answer::not_applicable(&reason));
        }
        let observer = Observer::new(self, case, &input);
        let Ok(whole) = observer.run(&Cuts::NONE) else {
            return self.every_verdict(case, |check| did_not_survive(check, &observer));
        };
        let mut trial = Trial { judge: self, case, observer, whole, observations: Vec::new() };
        let mut verdicts = self.every_verdict(case, |check| trial.ask(check));
        // Survival is known last: every other check may meet a fault.
        if let Some(survive) = verdicts.iter_mut().find(|verdict| verdict.check == Check::Survive) {
            *survive = self.verdict(case, Check::Survive, trial.survive());
        }
        verdicts
    }

    fn every_verdict(&self, case: &Case, mut answer: impl FnMut(Check) -> Answer) -> Vec<Verdict> {
        let asked = Check::ALL.into_iter().filter(|check| self.checks.contains(check));
        asked.map(|check| self.verdict(case, check, answer(check))).collect()
    }

    fn verdict(&self, case: &Case, check: Check, answer: Answer) -> Verdict {
        let Answer { status, note, coverage, mut failure } = answer;
        if let Some(repeat) = failure.as_mut().and_then(|failure| failure.repeat.as_mut()) {
            repeat.push_str(&only(check));
        }
        Verdict { case: case.id.clone(), check, level: case.level.max(check.level()), status, note, coverage, failure }
    }
}

/// The flags that ask just this check again, and those whose runs it looks at too.
fn only(check: Check) -> String {
    match check {
        Check::Survive => String::new(),
        Check::Conserve | Check::Once | Check::Identity | Check::Fidelity | Check::Close => {
            format!(" --check split --check {check}")
        }
        _ => format!(" --check {check}"),
    }
}

/// A target that fails on the whole input in one chunk has nothing that could be asked.
fn did_not_survive(check: Check, observer: &Observer<'_>) -> Answer {
    if let Some(why) = observer.unsupported() {
        return Answer::not_applicable(&why);
    }
    match check {
        Check::Survive | Check::Expect => observer.first_fault().unwrap_or(Answer::NOTHING),
        _ => Answer::not_applicable("it does not survive the whole input in one chunk"),
    }
}

/// What a check answers on one case.
struct Answer {
    status: Status,
    note: Option<String>,
    coverage: Option<Coverage>,
    failure: Option<Box<Failure>>,
}

impl Answer {
    const NOTHING: Self = Self { status: Status::NotApplicable, note: None, coverage: None, failure: None };

    fn not_applicable(why: &str) -> Self {
        Self { note: Some(why.to_owned()), ..Self::NOTHING }
    }

    fn pass(how: How, variations: Variations) -> Self {
        Self { status: Status::Pass, coverage: Some(Coverage { how, variations }), ..Self::NOTHING }
    }

    fn fail(how: How, variations: Variations, failure: Box<Failure>) -> Self {
        Self { status: Status::Fail, failure: Some(failure), ..Self::pass(how, variations) }
    }

    fn noting(self, note: String) -> Self {
        Self { note: Some(note), ..self }
    }
}

/// One case under one target, while its checks are asked.
struct Trial<'a> {
    judge: &'a Judge<'a>,
    case: &'a Case,
    observer: Observer<'a>,
    /// The whole input in one chunk.
    whole: Observation,
    /// What was seen so far of other variations, for the questions that are put to all of it.
    observations: Vec<Observation>,
}

impl Trial<'_> {
    /// The answer of a check, unless the target is lost over this case: then little was seen, and `survive` says why.
    fn ask(&mut self, check: Check) -> Answer {
        let answer = if self.observer.is_lost() { Answer::NOTHING } else { self.put(check) };
        if self.observer.is_lost() && answer.status != Status::Fail {
            return Answer::not_applicable("it does not survive another variation; `survive` says which");
        }
        answer
    }

    fn put(&mut self, check: Check) -> Answer {
        match check {
            Check::Survive => Answer::NOTHING,
            Check::Expect => self.expect(),
            Check::Split => splits::split(self),
            Check::Interleave => orders::interleave(self),
            Check::Truncate => self.truncate(),
            Check::Conserve => self.conserve(),
            Check::Retract => self.retract(),
            Check::Once => self.about_calls(check::once),
            Check::Identity => self.about_calls(check::identity),
            Check::Fidelity => self.about_calls(check::fidelity),
            Check::Close => self.about_calls(check::close),
            Check::Prompt => self.prompt(),
            Check::Isolate => self.isolate(),
            Check::Cost => cost::cost(self.case, &self.observer),
        }
    }

    fn expect(&self) -> Answer {
        let seen = if self.whole.actual == self.observer.expected() { None } else { Some(self.whole.clone()) };
        self.about_one(seen, || "the whole input in one chunk does not give the case's events".to_owned())
    }

    fn truncate(&mut self) -> Answer {
        let how = self.observe_prefixes();
        let cut: Vec<&Observation> = self.observations.iter().filter(|seen| self.observer.is_prefix(seen)).collect();
        self.answer(how, &cut, |seen| {
            (seen.actual != seen.expected)
                .then(|| "cut off here, the input does not give what the rules say".to_owned())
        })
    }

    fn conserve(&mut self) -> Answer {
        if !self.case.dialect.has_text() {
            return Answer::not_applicable("no text comes out in this dialect");
        }
        self.about_all(|seen, _| check::conserve(&seen.expected, &seen.actual))
    }

    fn retract(&mut self) -> Answer {
        let how = self.observe_prefixes();
        let all = &self.whole.actual;
        let cut = self.observations.iter().filter(|seen| self.observer.is_prefix(seen));
        let cut: Vec<&Observation> = cut.collect();
        let early = |seen: &Observation| seen.early_against(all);
        self.answer_showing(early, how, &cut, |seen| check::retract(&seen.before_end, all))
    }

    fn prompt(&mut self) -> Answer {
        let cuts = Cuts::finest(self.observer.atoms.len());
        let due = self.observer.run_for_pieces(&Reference, &cuts);
        let (Ok(due), Ok(came)) = (due, self.observer.run_for_pieces(self.judge.target, &cuts)) else {
            return Answer::not_applicable("it does not survive one character at a time");
        };
        let (form, units) = (self.case.dialect.form(), self.observer.atoms.whole().kind().units());
        // An event that shows nothing new need not come, so it cannot be late.
        let (due, came) = (due.news(form), came.news(form));
        let normal = |run: &Run, chunks: usize| self.observer.asked_for(run.first(chunks, form));
        if normal(&due, usize::MAX) != normal(&came, usize::MAX) {
            return Answer::not_applicable("one character at a time it does not give the events of the reference");
        }
        let counts = |event: &Event| self.judge.target.reports_violations() || !event.is_violation();
        let Some(lag) = check::hold_back(&due, &came, counts) else {
            let note = "nothing is held back longer than by the reference".to_owned();
            return self.about_one(None, String::new).noting(note);
        };
        // Shown where it begins: what had to be out by then, and what was.
        let chunks = lag.at + 1;
        let fed = cuts.0.get(lag.at).copied().unwrap_or(self.observer.atoms.len());
        let seen = self.observer.of_events(&Cuts(vec![fed]), normal(&came, chunks)).against(normal(&due, chunks));
        let note = format!("the largest hold-back is {} {units} more than the reference's", lag.chunks);
        let message = format!("at the cut this must be out, and comes {} {units} later", lag.chunks);
        self.about_one(Some(seen), || message.clone()).noting(note)
    }

    fn isolate(&mut self) -> Answer {
        let finest = Cuts::finest(self.observer.atoms.len());
        let mut seen: Vec<Observation> = Vec::new();
        if let (Ok(alone), Some(pair)) = (self.observer.run(&finest), self.observer.run_alternately(&finest)) {
            seen.extend(pair.into_iter().map(|one| one.against(alone.actual.clone())));
        }
        // Another stream that was cut off must leave nothing behind.
        self.observer.abandon_half();
        if let Ok(again) = self.observer.run(&Cuts::NONE) {
            seen.push(again.against(self.whole.actual.clone()));
        }
        self.answer(How::Every, &seen.iter().collect::<Vec<_>>(), |seen| {
            (seen.actual != seen.expected)
                .then(|| "another instance, or an earlier run, changes what comes out".to_owned())
        })
    }

    fn survive(&self) -> Answer {
        let runs = Variations::counted(self.observer.runs());
        self.observer.first_fault().unwrap_or_else(|| Answer::pass(How::Every, runs))
    }

    /// Puts a question to everything that was seen.
    fn about_all(&mut self, question: impl Fn(&Observation, &Observer<'_>) -> Finding) -> Answer {
        let how = self.observe_prefixes();
        self.observe_finest();
        self.answer(how, &self.seen(), |seen| question(seen, &self.observer))
    }

    /// The same for questions about the lives of calls, where there are any.
    fn about_calls(&mut self, question: impl Fn(&Lives, &Lives) -> Finding) -> Answer {
        let answer = self.about_all(|seen, observer| {
            let (must, lives) = observer.lives(seen);
            question(must, lives)
        });
        let has_calls = |seen: &&Observation| {
            let (must, lives) = self.observer.lives(seen);
            !must.calls.is_empty() || !lives.calls.is_empty()
        };
        if answer.status == Status::Pass && !self.seen().iter().any(has_calls) {
            return Answer::not_applicable("there is no call in this input");
        }
        answer
    }

    fn seen(&self) -> Vec<&Observation> {
        [&self.whole].into_iter().chain(&self.observations).collect()
    }

    /// Observes every prefix, unless that was done before.
    fn observe_prefixes(&mut self) -> How {
        let (lengths, all) = truncate::lengths(&self.observer.atoms);
        if !self.observations.iter().any(|seen| self.observer.is_prefix(seen)) {
            let seen = self.observer.run_prefixes(&lengths);
            self.observations.extend(seen);
        }
        if all { How::Every } else { How::Sampled }
    }

    /// Observes one character at a time, unless that was done before.
    fn observe_finest(&mut self) {
        let cuts = Cuts::finest(self.observer.atoms.len());
        if !self.observations.iter().any(|seen| seen.cuts == cuts && !self.observer.is_prefix(seen)) {
            self.observations.extend(self.observer.run(&cuts).ok());
        }
    }

    /// The answer to a question about one variation: the observation that fails, if it does.
    fn about_one(&self, failing: Option<Observation>, message: impl Fn() -> String) -> Answer {
        let one = Variations::Counted(1);
        match failing {
            None => Answer::pass(How::Every, one),
            Some(seen) => {
                let failure = self.observer.failure(seen, message(), "the one variation fails".to_owned());
                Answer::fail(How::Every, one, failure)
            }
        }
    }

    /// Puts a question to observations; the one with the fewest cuts and the least input shows a failure.
    fn answer(&self, how: How, seen: &[&Observation], question: impl Fn(&Observation) -> Finding) -> Answer {
        self.answer_showing(Observation::clone, how, seen, question)
    }

    /// The same, where a failure shows something else than the whole observation.
    fn answer_showing(
        &self,
        shown: impl Fn(&Observation) -> Observation,
        how: How,
        seen: &[&Observation],
        question: impl Fn(&Observation) -> Finding,
    ) -> Answer {
        let findings: Vec<(String, &Observation)> =
            seen.iter().filter_map(|&seen| question(seen).map(|message| (message, seen))).collect();
        let variations = Variations::counted(seen.len());
        let smallest = findings.iter().min_by_key(|(_, seen)| (seen.cuts.0.len(), seen.length));
        match smallest {
            None => Answer::pass(how, variations),
            Some((message, observation)) => {
                let failing = format!("{} of {} variations fail", findings.len(), seen.len());
                let failure = self.observer.failure(shown(observation), message.clone(), failing);
                Answer::fail(how, variations, failure)
            }
        }
    }
}
