//! The check `split`: all splittings at once, or a selection of them.

use super::{Answer, Failure, How, Splits, Trial, Variations};
use crate::event::Event;
use crate::proof::Proof;
use crate::shrink::fewest_cuts;
use crate::target::{Attempt, Fault};
use crate::variation::Cuts;
use crate::variation::split::{Effort, splittings};

pub(super) fn split(trial: &mut Trial<'_>) -> Answer {
    if !trial.judge.target.cuts(trial.observer.atoms.whole().kind()) {
        return Answer::not_applicable("the target takes items one by one");
    }
    let (effort, how) = match trial.judge.splits {
        Splits::Thorough => (Effort::Thorough, How::Thorough),
        Splits::Quick => (Effort::Quick, How::Quick),
        Splits::Proof => match trial.observer.prove() {
            Attempt::Proved(proof) => return proved(trial, proof),
            Attempt::Faulted(cuts, fault) => return faulted(trial, &cuts, fault),
            Attempt::PastCap => (Effort::Thorough, How::Sampled),
            Attempt::Cannot => (Effort::Thorough, How::Thorough),
        },
    };
    tried(trial, effort, how)
}

fn proved(trial: &mut Trial<'_>, proof: Proof) -> Answer {
    let variations = Variations::splittings_of(trial.observer.atoms.len());
    let whole = trial.whole.actual.clone();
    let form = trial.case.dialect.form();
    let mut wrong: Vec<_> = proof.outcomes;
    for outcome in &mut wrong {
        outcome.events = trial.observer.asked_for(form.normal(std::mem::take(&mut outcome.events)));
    }
    wrong.retain(|outcome| outcome.events != whole);
    wrong.sort_by_key(|outcome| outcome.cuts.0.len());
    let share: f64 = wrong.iter().map(|outcome| outcome.share).sum();
    let failing = match share {
        _ if wrong.iter().all(|outcome| outcome.only_with_empty_chunks) => {
            "only splittings with empty chunks fail".to_owned()
        }
        share => format!("{} of {variations} splittings fail", percent(share)),
    };
    for outcome in &wrong {
        trial.observations.push(trial.observer.of_events(&outcome.cuts, outcome.events.clone()));
    }
    match wrong.into_iter().next() {
        None => Answer::pass(How::Proved, variations),
        Some(outcome) => {
            let failure = failure(trial, &outcome.cuts, Outcome::Events(outcome.events), failing);
            Answer::fail(How::Proved, variations, failure)
        }
    }
}

/// The walk over all splittings met a fault: that splitting shows it, with as few cuts as still do.
fn faulted(trial: &Trial<'_>, cuts: &Cuts, fault: Fault) -> Answer {
    trial.observer.remember(cuts, fault.clone());
    // A target that was lost would be lost again with every try.
    let fewest = match fault.is_fatal() {
        true => cuts.clone(),
        false => fewest_cuts(cuts, |fewer| matches!(outcome(trial, fewer), Outcome::Fault)),
    };
    let variations = Variations::splittings_of(trial.observer.atoms.len());
    let failing = "found before all splittings were covered".to_owned();
    let failure = failure(trial, &fewest, Outcome::Fault, failing);
    Answer::fail(How::Sampled, variations, failure).noting(fault.to_string())
}

fn tried(trial: &mut Trial<'_>, effort: Effort, how: How) -> Answer {
    let chosen = splittings(&trial.observer.atoms, effort, trial.judge.seed);
    let how = if chosen.sampled { How::Sampled } else { how };
    let total = chosen.splittings.len();
    let variations = Variations::counted(total);
    let swept = match trial.observer.sweep(&chosen.splittings) {
        Ok(swept) => swept,
        Err(lost) => return lost_over(trial, &chosen.splittings[lost.at], lost.fault),
    };
    let outcomes = swept.outcomes.into_iter().map(|outcome| match outcome {
        Ok(events) => Outcome::Events(trial.observer.asked_for(events)),
        Err(_) => Outcome::Fault,
    });
    let differs: Vec<bool> = outcomes.map(|outcome| outcome.differs(trial)).collect();
    let wrong: Vec<usize> = (0..total).filter(|&at| differs[swept.runs[at]]).collect();
    let Some(&first) = wrong.first() else { return Answer::pass(how, variations) };
    let fewest = fewest_cuts(&chosen.splittings[first], |cuts| outcome(trial, cuts).differs(trial));
    let outcome = outcome(trial, &fewest);
    if let Outcome::Events(events) = &outcome {
        trial.observations.push(trial.observer.of_events(&fewest, events.clone()));
    }
    let failing = format!("{} of {total} splittings fail", wrong.len());
    Answer::fail(how, variations, failure(trial, &fewest, outcome, failing))
}

/// The target was lost on this splitting.
fn lost_over(trial: &Trial<'_>, cuts: &Cuts, fault: Fault) -> Answer {
    let failing = "found before all splittings were tried".to_owned();
    let variations = Variations::Counted(1);
    Answer::fail(How::Sampled, variations, failure(trial, cuts, Outcome::Fault, failing)).noting(fault.to_string())
}

/// What a splitting leads to.
enum Outcome {
    Events(Vec<Event>),
    /// The observer remembers which.
    Fault,
}

impl Outcome {
    /// Whether it is anything else than what the whole input in one chunk gives.
    fn differs(&self, trial: &Trial<'_>) -> bool {
        match self {
            Self::Events(events) => *events != trial.whole.actual,
            Self::Fault => true,
        }
    }
}

fn outcome(trial: &Trial<'_>, cuts: &Cuts) -> Outcome {
    trial.observer.run(cuts).map_or(Outcome::Fault, |seen| Outcome::Events(seen.actual))
}

fn failure(trial: &Trial<'_>, cuts: &Cuts, outcome: Outcome, failing: String) -> Box<Failure> {
    let (events, message) = match outcome {
        Outcome::Events(events) => (events, "cut so, the input does not give the events of the input in one chunk"),
        Outcome::Fault => (Vec::new(), "cut so, it gives no answer; `survive` says why"),
    };
    let seen = trial.observer.of_events(cuts, events).against(trial.whole.actual.clone());
    trial.observer.failure(seen, message.to_owned(), failing)
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        none @ ..1e-300 if none >= 0.0 => "a vanishing part".to_owned(),
        tiny @ ..0.01 => format!("{tiny:.1e} %"),
        small @ ..10.0 => format!("{small:.2} %"),
        rest @ ..99.5 => format!("{rest:.0} %"),
        _ => "more than 99 %".to_owned(),
    }
}
