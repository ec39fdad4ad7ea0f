//! The questions asked of every run.
//!
//! Each question that can be put to a list of events is a function here, which knows no target and no variation. Those about
//! variations (`split`, `interleave`, `truncate`, `isolate`, `cost`, `survive`) are asked by [`crate::judge`], which runs the target.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::event::{Event, is_prefix, joined_text};
use crate::level::Level;
use crate::lifecycle::{Life, Lives, Track};
use crate::target::Run;

/// A question asked of every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Check {
    /// The whole input in one chunk gives the case's events.
    Expect,
    /// Every splitting gives the same events.
    Split,
    /// Every order of the calls gives each call the same events.
    Interleave,
    /// Every prefix, then the end, gives what the rules say of that prefix.
    Truncate,
    /// Text comes out once, and nothing but the text.
    Conserve,
    /// What was said after a prefix stays said.
    Retract,
    /// One start and one end per call, in order.
    Once,
    /// Ids and names are there, stable and unique.
    Identity,
    /// Arguments are those of the input, types included.
    Fidelity,
    /// No call is left open at the end.
    Close,
    /// Nothing waits longer than it must.
    Prompt,
    /// Instances do not influence each other.
    Isolate,
    /// The work grows with the input, not with its square.
    Cost,
    /// No panic, no flood.
    Survive,
}

impl Check {
    /// All checks, in the order in which they are asked.
    pub const ALL: [Self; 14] = [
        Self::Survive,
        Self::Expect,
        Self::Split,
        Self::Interleave,
        Self::Truncate,
        Self::Conserve,
        Self::Retract,
        Self::Once,
        Self::Identity,
        Self::Fidelity,
        Self::Close,
        Self::Prompt,
        Self::Isolate,
        Self::Cost,
    ];

    /// The name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expect => "expect",
            Self::Split => "split",
            Self::Interleave => "interleave",
            Self::Truncate => "truncate",
            Self::Conserve => "conserve",
            Self::Retract => "retract",
            Self::Once => "once",
            Self::Identity => "identity",
            Self::Fidelity => "fidelity",
            Self::Close => "close",
            Self::Prompt => "prompt",
            Self::Isolate => "isolate",
            Self::Cost => "cost",
            Self::Survive => "survive",
        }
    }

    /// The check of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// What holds when it passes.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Expect => "The whole input in one chunk gives the case's events.",
            Self::Split => "Every splitting gives the same events as the input in one chunk.",
            Self::Interleave => "Every order in which the calls' items can be merged gives each call the same events.",
            Self::Truncate => "Every prefix, then the end, gives what the rules say: no cut call is reported complete.",
            Self::Conserve => "All text comes out once and unchanged, and nothing but the text.",
            Self::Retract => "What came out after a prefix is how the final sequence begins.",
            Self::Once => "Every call begins once and ends once, in order.",
            Self::Identity => "Ids and names are there, stable, and unique unless the input repeats them.",
            Self::Fidelity => "The arguments of every call are those of the input, types included.",
            Self::Close => "No call is left open at the end.",
            Self::Prompt => "Nothing waits longer than it must.",
            Self::Isolate => "Instances and earlier runs do not influence each other.",
            Self::Cost => "The work grows in proportion to the input, one character at a time.",
            Self::Survive => "No input and no splitting makes it raise an error, crash, hang or flood.",
        }
    }

    /// How much a failure weighs at most.
    pub fn level(self) -> Level {
        match self {
            Self::Prompt | Self::Cost => Level::Should,
            _ => Level::Must,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a question found, in words; nothing where all is well.
pub type Finding = Option<String>;

/// Text out is the text that must come out, whatever stands between.
pub fn conserve(expected: &[Event], actual: &[Event]) -> Finding {
    let (expected, actual) = (joined_text(expected), joined_text(actual));
    if actual == expected {
        return None;
    }
    let same = expected.chars().zip(actual.chars()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| Value::from(text.chars().skip(same).take(24).collect::<String>());
    Some(format!(
        "the text that came out differs after {same} characters: {} must follow, {} came",
        rest(&expected),
        rest(&actual)
    ))
}

/// What came out early is how all begins.
pub fn retract(early: &[Event], all: &[Event]) -> Finding {
    (!is_prefix(early, all)).then(|| "what came out early is not how the final sequence begins".to_owned())
}

/// Each call begins once and goes on in order, and there are as many as there must be.
pub fn once(must: &Lives, lives: &Lives) -> Finding {
    if let Some(stray) = lives.out_of_order.first() {
        return Some(stray.clone());
    }
    let count = |lives: &Lives, track: Track| lives.calls.iter().filter(|life| life.track == track).count();
    [(Track::Call, "calls"), (Track::Log, "logged executions")].into_iter().find_map(|(track, what)| {
        let (must, came) = (count(must, track), count(lives, track));
        (must != came).then(|| format!("{came} {what} began, {must} must"))
    })
}

/// Names are whole and stay the same; ids are there, and unique unless the input itself repeats them.
pub fn identity(must: &Lives, lives: &Lives) -> Finding {
    if let Some(renamed) = lives.renamed.first() {
        return Some(renamed.clone());
    }
    let count = |lives: &Lives, id: &Option<String>| lives.calls.iter().filter(|life| life.id == *id).count();
    lives.calls.iter().find_map(|life| {
        let named_so = must.calls.iter().any(|other| other.track == life.track && other.name == life.name);
        let ids = has_ids(must, life.track);
        if !named_so {
            Some(format!("no call is named {:?}", life.name.as_deref().unwrap_or_default()))
        } else if ids && life.id.as_deref().is_none_or(str::is_empty) {
            Some("a call has no id".to_owned())
        } else if ids && count(lives, &life.id) > count(must, &life.id).max(1) {
            Some(format!("the id {:?} stands for more than one call", life.id.as_deref().unwrap_or_default()))
        } else {
            None
        }
    })
}

fn has_ids(lives: &Lives, track: Track) -> bool {
    lives.calls.iter().any(|life| life.track == track && life.id.is_some())
}

/// No call has arguments that no call of the input has.
pub fn fidelity(must: &Lives, lives: &Lives) -> Finding {
    let is_right = |life: &Life| must.calls.iter().any(|other| other.name == life.name && other.input == life.input);
    lives.calls.iter().filter(|life| life.input.is_some()).find(|life| !is_right(life)).map(|life| {
        let (name, input) = (life.name.as_deref().unwrap_or_default(), life.input.as_ref());
        format!("no call of {name:?} has the arguments {}", input.unwrap_or(&Value::Null))
    })
}

/// No call is left open, unless the input itself leaves it so.
pub fn close(must: &Lives, lives: &Lives) -> Finding {
    let stays = |life: &Life| must.open().any(|other| other.id == life.id && other.name == life.name);
    let open = lives.open().find(|life| !stays(life))?;
    Some(format!("the call of {:?} is still open", open.name.as_deref().unwrap_or_default()))
}

/// Something that came later than it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// After which chunk it had to be out, counted from 0.
    pub at: usize,
    /// How many chunks later it came.
    pub chunks: usize,
}

/// The largest lag behind the reference, when both get the same chunks and give the same events; nothing if there is none.
/// Only events that count are looked at.
pub fn hold_back(reference: &Run, actual: &Run, counts: impl Fn(&Event) -> bool) -> Option<Lag> {
    let (due, came) = (progress(reference, &counts), progress(actual, &counts));
    let lag = |(at, due): (usize, usize)| Lag { at, chunks: came.partition_point(|&came| came < due).max(at) - at };
    let worst =
        due.into_iter().enumerate().map(lag).reduce(|worst, lag| if lag.chunks > worst.chunks { lag } else { worst });
    worst.filter(|lag| lag.chunks > 0)
}

/// How much had come out after each chunk: characters of text, and other events.
fn progress(run: &Run, counts: &impl Fn(&Event) -> bool) -> Vec<usize> {
    let size = |event: &Event| event.running_text().map_or(1, |(_, text)| text.chars().count());
    let mut total = 0;
    let add = |events: &Vec<Event>| {
        total += events.iter().filter(|event| counts(event)).map(size).sum::<usize>();
        total
    };
    run.out.iter().map(add).collect()
}
