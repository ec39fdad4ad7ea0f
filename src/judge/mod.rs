//! A case and a target give verdicts.
//!
//! [`Judge::judge`] runs a target on a case in every variation that the checks need, and puts the checks' questions to what
//! came out. Each run is shared by all checks that can use it.

mod cost;
mod observe;
mod splits;
mod verdict;

pub use verdict::{Coverage, Failure, How, Sentence, Status, Variations, Verdict};

use self::observe::{Observation, Observer};
use crate::case::Case;
use crate::check::{self, Check, Finding};
use crate::lifecycle::Lives;
use crate::spec;
use crate::target::{Reference, Target};
use crate::variation::Cuts;

/// How splittings are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The command that led here, for the one that repeats a failure.
    pub command: &'a str,
}

impl<'a> Judge<'a> {
    /// A judge that asks every check and proves all splittings where it can.
    pub fn new(target: &'a dyn Target) -> Self {
        Self {
            target,
            checks: &Check::ALL,
            splits: Splits::Proof,
            seed: 0,
            command: "anysplit run",
        }
    }

    /// The verdicts on one case, one for each check, in the order of [`Check::ALL`].
    pub fn judge(&self, case: &Case) -> Vec<Verdict> {
        let text = case.text();
        let observer = Observer::new(self.target, case, &text);
        let Ok(whole) = observer.run(&Cuts::NONE) else {
            return self.did_not_survive(case, &observer);
        };
        let mut trial = Trial { judge: self, case, observer, whole, observations: Vec::new() };
        let mut verdicts: Vec<Verdict> = Vec::new();
        // Survival is known last: every other check may meet a fault.
        for &check in Check::ALL.iter().filter(|&&check| check != Check::Survive) {
            if self.wants(check) {
                let answer = trial.ask(check);
                verdicts.push(self.verdict(case, check, answer));
            }
        }
        if self.wants(Check::Survive) {
            verdicts.insert(0, self.verdict(case, Check::Survive, trial.survive()));
        }
        verdicts
    }

    fn wants(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    /// A target that fails on the whole input in one chunk has nothing that could be asked.
    fn did_not_survive(&self, case: &Case, observer: &Observer<'_>) -> Vec<Verdict> {
        let verdict = |&check: &Check| {
            let answer = match check {
                Check::Survive | Check::Expect => observer.first_fault().unwrap_or(Answer::NOTHING),
                _ => Answer::not_applicable("it does not survive the whole input in one chunk"),
            };
            self.verdict(case, check, answer)
        };
        Check::ALL.iter().filter(|&&check| self.wants(check)).map(verdict).collect()
    }

    fn verdict(&self, case: &Case, check: Check, answer: Answer) -> Verdict {
        let Answer { status, note, coverage, failing } = answer;
        let failure = failing.map(|failing| Box::new(self.failure(case, failing)));
        Verdict {
            case: case.id.clone(),
            check,
            level: case.level.max(check.level()),
            status,
            note,
            coverage,
            failure,
        }
    }

    fn failure(&self, case: &Case, failing: Failing) -> Failure {
        let Failing { message, observation, failing } = failing;
        let sentence = |id: &String| {
            spec::rule(id)
                .map(|rule| Sentence { id: rule.id.clone(), sentence: rule.sentence.clone() })
        };
        Failure {
            message,
            rules: case.rules.iter().filter_map(sentence).collect(),
            chunks: observation.chunks,
            cut_off: observation.cut_off,
            expected: observation.expected,
            actual: observation.actual,
            failing,
            repeat: format!("{} --filter {}", self.command, case.id),
        }
    }
}

/// What a check answers on one case.
struct Answer {
    status: Status,
    note: Option<String>,
    coverage: Option<Coverage>,
    failing: Option<Failing>,
}

/// A failure before it is dressed for the report.
struct Failing {
    message: String,
    observation: Observation,
    failing: String,
}

impl Answer {
    const NOTHING: Self =
        Self { status: Status::NotApplicable, note: None, coverage: None, failing: None };

    fn not_applicable(why: &str) -> Self {
        Self { note: Some(why.to_owned()), ..Self::NOTHING }
    }

    fn pass(how: How, variations: Variations) -> Self {
        Self { status: Status::Pass, coverage: Some(Coverage { how, variations }), ..Self::NOTHING }
    }

    fn fail(how: How, variations: Variations, failing: Failing) -> Self {
        Self { status: Status::Fail, failing: Some(failing), ..Self::pass(how, variations) }
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
    fn ask(&mut self, check: Check) -> Answer {
        match check {
            Check::Expect => self.expect(),
            Check::Split => splits::split(self),
            Check::Truncate => self.truncate(),
            Check::Conserve => self.about_all(|seen| check::conserve(&seen.expected, &seen.actual)),
            Check::Retract => self.retract(),
            Check::Once => self.about_calls(check::once),
            Check::Identity => self.about_calls(check::identity),
            Check::Fidelity => self.about_calls(check::fidelity),
            Check::Close => self.about_calls(|_, lives| check::close(lives)),
            Check::Prompt => self.prompt(),
            Check::Isolate => self.isolate(),
            Check::Cost => cost::cost(self.judge.target, self.case),
            Check::Survive => self.survive(),
        }
    }

    fn expect(&self) -> Answer {
        let one = (How::Every, Variations::Counted(1));
        if self.whole.actual == self.case.events {
            return Answer::pass(one.0, one.1);
        }
        let message = "the whole input in one chunk does not give the case's events".to_owned();
        let failing = Failing {
            message,
            observation: self.whole.clone(),
            failing: "the one variation fails".to_owned(),
        };
        Answer::fail(one.0, one.1, failing)
    }

    fn truncate(&mut self) -> Answer {
        self.truncated(|cut| {
            (cut.actual != cut.expected)
                .then(|| "cut off here, the input does not give what the rules say".to_owned())
        })
    }

    fn retract(&mut self) -> Answer {
        let all = self.whole.actual.clone();
        let asked = self.truncated(|cut| check::retract(&cut.before_end, &all));
        match asked.failing {
            Some(mut failing) => {
                failing.observation.actual = std::mem::take(&mut failing.observation.before_end);
                failing.observation.expected.clone_from(&all);
                Answer { failing: Some(failing), ..asked }
            }
            None => asked,
        }
    }

    /// Puts a question to the input cut off after each of its characters.
    fn truncated(&mut self, question: impl Fn(&Observation) -> Finding) -> Answer {
        let how = self.observe_prefixes();
        let cut: Vec<&Observation> =
            self.observations.iter().filter(|seen| seen.is_prefix).collect();
        answer(how, &cut, question)
    }

    /// Puts a question to everything that was seen.
    fn about_all(&mut self, question: impl Fn(&Observation) -> Finding) -> Answer {
        let how = self.observe_prefixes();
        self.observe_characters();
        answer(how, &self.seen(), question)
    }

    /// The same for questions about the lives of calls, where there are any.
    fn about_calls(&mut self, question: impl Fn(&Lives, &Lives) -> Finding) -> Answer {
        let answer = self.about_all(|seen| {
            let (must, lives) = seen.lives();
            question(must, lives)
        });
        let has_calls = |seen: &&Observation| {
            let (must, lives) = seen.lives();
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

    fn prompt(&mut self) -> Answer {
        let cuts = Cuts::every(self.observer.atoms.len());
        let reference = Observer::new(&Reference, self.case, self.observer.atoms.text());
        let (Ok(due), Ok(came)) = (reference.run(&cuts), self.observer.run(&cuts)) else {
            return Answer::not_applicable("it does not survive one character at a time");
        };
        if due.actual != came.actual {
            return Answer::not_applicable(
                "one character at a time it does not give the events of the reference",
            );
        }
        let held = check::hold_back(&due.run, &came.run);
        let note = format!("the largest hold-back is {held} characters more than the reference's");
        let one = (How::Every, Variations::Counted(1));
        if held == 0 {
            return Answer::pass(one.0, one.1);
        }
        let failing = Failing {
            message: note.clone(),
            observation: came,
            failing: "the one variation fails".to_owned(),
        };
        Answer::fail(one.0, one.1, failing).noting(note)
    }

    fn isolate(&mut self) -> Answer {
        let everywhere = Cuts::every(self.observer.atoms.len());
        let mut seen: Vec<Observation> = Vec::new();
        let alone = self.observer.run(&everywhere);
        if let (Ok(alone), Some(pair)) = (alone, self.observer.run_alternately(&everywhere)) {
            seen.extend(pair.into_iter().map(|one| one.against(&alone.actual)));
        }
        // Another stream that was cut off must leave nothing behind.
        let half = Cuts(vec![self.observer.atoms.len() / 2]);
        self.observer.abandon(&half);
        if let Ok(again) = self.observer.run(&Cuts::NONE) {
            seen.push(again.against(&self.whole.actual));
        }
        answer(How::Every, &seen.iter().collect::<Vec<_>>(), |seen| {
            (seen.actual != seen.expected)
                .then(|| "another instance, or an earlier run, changes what comes out".to_owned())
        })
    }

    fn survive(&self) -> Answer {
        let runs = Variations::Counted(self.observer.runs());
        self.observer.first_fault().unwrap_or_else(|| Answer::pass(How::Every, runs))
    }

    /// Observes every prefix, unless that was done before.
    fn observe_prefixes(&mut self) -> How {
        let (how, lengths) = observe::prefix_lengths(self.observer.atoms.len());
        if !self.observations.iter().any(|seen| seen.is_prefix) {
            self.observations
                .extend(lengths.filter_map(|length| self.observer.run_prefix(length).ok()));
        }
        how
    }

    /// Observes one character at a time.
    fn observe_characters(&mut self) {
        let cuts = Cuts::every(self.observer.atoms.len());
        if !self.observations.iter().any(|seen| seen.cuts == cuts) {
            self.observations.extend(self.observer.run(&cuts).ok());
        }
    }
}

/// Puts a question to observations; the one with the least input and the fewest cuts shows a failure.
fn answer(how: How, seen: &[&Observation], question: impl Fn(&Observation) -> Finding) -> Answer {
    let findings: Vec<(String, &Observation)> =
        seen.iter().filter_map(|&seen| question(seen).map(|message| (message, seen))).collect();
    let variations = Variations::Counted(seen.len());
    let smallest = findings.iter().min_by_key(|(_, seen)| {
        (seen.cuts.0.len(), seen.chunks.iter().map(String::len).sum::<usize>())
    });
    match smallest {
        None => Answer::pass(how, variations),
        Some((message, observation)) => {
            let failing = format!("{} of {} variations fail", findings.len(), seen.len());
            Answer::fail(
                how,
                variations,
                Failing { message: message.clone(), observation: (*observation).clone(), failing },
            )
        }
    }
}
