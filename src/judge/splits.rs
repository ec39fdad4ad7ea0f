//! The check `split`: all splittings at once, or a selection of them.

use super::{Answer, Failure, How, Splits, Trial, Variations};
use crate::event::Event;
use crate::proof::Proof;
use crate::shrink::fewest_cuts;
use crate::target::Attempt;
use crate::variation::Cuts;
use crate::variation::split::{Effort, splittings};

const MESSAGE: &str = "cut so, the input does not give the events of the input in one chunk";

pub(super) fn split(trial: &mut Trial<'_>) -> Answer {
    let (effort, how) = match trial.judge.splits {
        Splits::Thorough => (Effort::Thorough, How::Thorough),
        Splits::Quick => (Effort::Quick, How::Quick),
        Splits::Proof => match trial.observer.prove() {
            Attempt::Proved(proof) => return proved(trial, proof),
            Attempt::PastCap => (Effort::Thorough, How::Sampled),
            Attempt::Cannot | Attempt::Faulted(_) => (Effort::Thorough, How::Thorough),
        },
    };
    tried(trial, effort, how)
}

fn proved(trial: &mut Trial<'_>, proof: Proof) -> Answer {
    let variations = Variations::splittings_of(trial.observer.atoms.len());
    let whole = trial.whole.actual.clone();
    let mut wrong: Vec<_> =
        proof.outcomes.into_iter().filter(|outcome| outcome.events != whole).collect();
    wrong.sort_by_key(|outcome| outcome.cuts.0.len());
    let share: f64 = wrong.iter().map(|outcome| outcome.share).sum();
    for outcome in &wrong {
        trial.observations.push(trial.observer.of_events(&outcome.cuts, outcome.events.clone()));
    }
    match wrong.into_iter().next() {
        None => Answer::pass(How::Proved, variations),
        Some(outcome) => {
            let failing = match share {
                0.0 => "only splittings with empty chunks fail".to_owned(),
                share => format!("{} of {variations} splittings fail", percent(share)),
            };
            Answer::fail(
                How::Proved,
                variations,
                failure(trial, &outcome.cuts, outcome.events, failing),
            )
        }
    }
}

fn tried(trial: &mut Trial<'_>, effort: Effort, how: How) -> Answer {
    let chosen = splittings(&trial.observer.atoms, effort, trial.judge.seed);
    let how = if chosen.sampled { How::Sampled } else { how };
    let total = chosen.splittings.len();
    let outcome = |cuts: &Cuts| trial.observer.run(cuts).ok().map(|seen| seen.actual);
    let differs = |events: &Vec<Event>| *events != trial.whole.actual;
    let mut wrong: Option<(Cuts, Vec<Event>)> = None;
    let mut count = 0;
    for cuts in chosen.splittings {
        if let Some(events) = outcome(&cuts).filter(differs) {
            count += 1;
            wrong.get_or_insert((cuts, events));
        }
    }
    let variations = Variations::Counted(total);
    let Some((cuts, events)) = wrong else { return Answer::pass(how, variations) };
    let fewest = fewest_cuts(&cuts, |fewer| outcome(fewer).is_some_and(|events| differs(&events)));
    let events = outcome(&fewest).unwrap_or(events);
    trial.observations.push(trial.observer.of_events(&fewest, events.clone()));
    let failing = format!("{count} of {total} splittings fail");
    Answer::fail(how, variations, failure(trial, &fewest, events, failing))
}

fn failure(trial: &Trial<'_>, cuts: &Cuts, events: Vec<Event>, failing: String) -> Box<Failure> {
    let seen = trial.observer.of_events(cuts, events).against(&trial.whole.actual);
    trial.observer.failure(seen, MESSAGE.to_owned(), failing)
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        tiny @ ..0.01 => format!("{tiny:.1e} %"),
        small @ ..10.0 => format!("{small:.2} %"),
        rest => format!("{rest:.0} %"),
    }
}
