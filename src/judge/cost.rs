//! The check `cost`: does the work grow with the input or with its square?
//!
//! A case with `grow` can be made as long as one likes. It is fed one character at a time at four sizes, each twice the one
//! before, and the exponent of the growth is estimated from the fastest of several runs. The clock of a shared machine is
//! noisy, so the sizes start where a run takes long enough to be measured and a suspicion is measured again.

use std::time::Duration;

use super::{Answer, How, Variations};
use crate::case::Case;
use crate::judge::observe::Observer;
use crate::target::{Fault, Setting, Target};
use crate::variation::{Atoms, Cuts};

/// The largest exponent that passes.
const MOST: f64 = 1.5;

/// A run must take this long to be measured.
const FLOOR: Duration = Duration::from_micros(250);

/// No run is made longer than this, so that the limit of rules F25 and T20 is not met.
const LONGEST: usize = 1 << 19;

const DOUBLINGS: u32 = 3;

pub(super) fn cost(target: &dyn Target, case: &Case, observer: &Observer<'_>) -> Answer {
    if case.grow.is_none() {
        return Answer::not_applicable("the case does not say what may grow");
    }
    let sizes = Variations::Counted(DOUBLINGS as usize + 1);
    let exponent = match growth(target, case) {
        Ok(Some(exponent)) => exponent,
        Ok(None) => return Answer::not_applicable("the input stays too short to be measured"),
        Err(_) => return Answer::not_applicable("it does not survive the longer inputs"),
    };
    let note = format!("the work grows with an exponent of {exponent:.2}");
    if exponent <= MOST {
        return Answer::pass(How::Every, sizes).noting(note);
    }
    let seen = observer.of_events(&Cuts::finest(observer.atoms.len()), case.events.clone());
    let failure =
        observer.failure(seen, format!("{note}; {MOST} is allowed"), "all sizes count".to_owned());
    Answer::fail(How::Every, sizes, failure).noting(note)
}

/// The exponent of the growth; nothing if the work cannot be measured.
fn growth(target: &dyn Target, case: &Case) -> Result<Option<f64>, Fault> {
    let Some(base) = measurable(target, case)? else { return Ok(None) };
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let small = fastest(target, case, base)?;
        let large = fastest(target, case, base << DOUBLINGS)?;
        best = best.min((large.as_secs_f64() / small.as_secs_f64()).log2() / f64::from(DOUBLINGS));
        if best <= MOST {
            break;
        }
    }
    Ok(Some(best))
}

/// How often the growing piece must be repeated for a run to take long enough, or as long as it can be made to take.
fn measurable(target: &dyn Target, case: &Case) -> Result<Option<usize>, Fault> {
    let mut times = 64;
    loop {
        let taken = fastest(target, case, times)?;
        let can_grow =
            case.grown((2 * times) << DOUBLINGS).is_some_and(|text| text.len() <= LONGEST);
        if taken >= FLOOR || !can_grow {
            return Ok((taken >= FLOOR / 20).then_some(times));
        }
        times *= 2;
    }
}

fn fastest(target: &dyn Target, case: &Case, times: usize) -> Result<Duration, Fault> {
    let text = case.grown(times).unwrap_or_default();
    let atoms = Atoms::of(&text);
    let chunks: Vec<&str> = (0..atoms.len()).map(|at| atoms.slice(at, at + 1)).collect();
    let setting = Setting { dialect: case.dialect, options: &case.options };
    let mut best = Duration::MAX;
    for _ in 0..3 {
        best = best.min(target.time(setting, &chunks)?);
        if best > Duration::from_millis(250) {
            break;
        }
    }
    Ok(best)
}
