//! The check `cost`: does the work grow with the input or with its square?
//!
//! A case with `grow` can be made as long as one likes. It is fed one character (byte, item) at a time at four sizes, each twice the one
//! before, and the exponent of the growth is fitted to the fastest run of each size. The clock of a shared machine is noisy,
//! so the sizes begin where a run takes long enough to be measured, and a suspicion is measured again and again.

use std::time::Duration;

use super::observe::{Faulted, Observer};
use super::{Answer, How, Variations};
use crate::case::Case;
use crate::input::Chunk;
use crate::variation::Atoms;

/// The largest exponent that passes.
const MOST: f64 = 1.5;

/// No run is made longer than this, so that the limit of rules F25 and T20 is not met.
const LONGEST: usize = 1 << 19;

const SIZES: usize = 4;
const ROUNDS: usize = 8;

pub(super) fn cost(case: &Case, observer: &Observer<'_>) -> Answer {
    if case.grow.is_none() {
        return Answer::not_applicable("the case does not say what may grow");
    }
    let exponent = match growth(case, observer) {
        Ok(Some(exponent)) => exponent,
        Ok(None) => return Answer::not_applicable("the input stays too short to be measured"),
        Err(Faulted) => {
            return Answer::not_applicable("it does not survive the longer inputs; `survive` says why");
        }
    };
    let note = format!("the work grows with an exponent of {exponent:.2}");
    let sizes = Variations::counted(SIZES);
    if exponent <= MOST {
        return Answer::pass(How::Every, sizes).noting(note);
    }
    let failure = observer.failure_without_run(format!("{note}; {MOST} is allowed"), "all sizes count".to_owned());
    Answer::fail(How::Every, sizes, failure).noting(note)
}

/// The exponent of the growth; nothing if the work cannot be measured.
fn growth(case: &Case, observer: &Observer<'_>) -> Result<Option<f64>, Faulted> {
    let Some(base) = measurable(case, observer)? else { return Ok(None) };
    let mut fastest = [Duration::MAX; SIZES];
    let mut exponent = f64::INFINITY;
    for _ in 0..ROUNDS {
        for (doublings, best) in fastest.iter_mut().enumerate() {
            *best = time(case, observer, base << doublings)?.min(*best);
        }
        exponent = slope(&fastest);
        if exponent <= MOST {
            break;
        }
    }
    Ok(Some(exponent))
}

/// The slope of the line that fits log2(time) over the doublings best.
fn slope(times: &[Duration; SIZES]) -> f64 {
    let mean = (SIZES - 1) as f64 / 2.0;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (doublings, time) in times.iter().enumerate() {
        let distance = doublings as f64 - mean;
        covariance += distance * time.as_secs_f64().log2();
        variance += distance * distance;
    }
    covariance / variance
}

/// How often the growing piece must be repeated for a run to take long enough, or as long as it can be made to take.
fn measurable(case: &Case, observer: &Observer<'_>) -> Result<Option<usize>, Faulted> {
    let floor = observer.floor();
    let mut times = 64;
    loop {
        let taken = time(case, observer, times)?;
        let can_grow = case.grown(times << SIZES).is_some_and(|input| input.as_chunk().size() <= LONGEST);
        if taken >= floor || !can_grow {
            return Ok((taken >= floor / 20).then_some(times));
        }
        times *= 2;
    }
}

fn time(case: &Case, observer: &Observer<'_>, times: usize) -> Result<Duration, Faulted> {
    let Some(input) = case.grown(times) else { return Ok(Duration::ZERO) };
    let atoms = Atoms::of(input.as_chunk());
    let chunks: Vec<Chunk<'_>> = (0..atoms.len()).map(|at| atoms.slice(at, at + 1)).collect();
    observer.time(&chunks, times)
}
