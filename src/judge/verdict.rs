//! What a case and a check came to: the records of which every report is made.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::check::Check;
use crate::event::Event;
use crate::input::Input;
use crate::level::Level;

/// What one check found on one case.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The case's id.
    pub case: String,
    /// The check.
    pub check: Check,
    /// How much a failure weighs: the lighter of the case's and the check's level.
    pub level: Level,
    /// What it came to.
    pub status: Status,
    /// Why the check does not apply, or a figure that it measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How many variations that covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Box<Failure>>,
}

/// What a verdict came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Status {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It does not, as was known before.
    Known,
    /// There was nothing to ask; never a pass.
    NotApplicable,
}

/// How many variations a verdict covers, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// How they were covered.
    pub how: How,
    /// How many there are.
    pub variations: Variations,
}

/// How variations were covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum How {
    /// All of them, by merging equal states.
    Proved,
    /// All of them, one by one.
    Every,
    /// The thorough selection.
    Thorough,
    /// The quick selection.
    Quick,
    /// A selection that leaves out some of what was asked for.
    Sampled,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Proved => "proved",
            Self::Every => "every",
            Self::Thorough => "thorough",
            Self::Quick => "quick",
            Self::Sampled => "sampled",
        })
    }
}

/// A number of variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variations {
    /// So many.
    Counted(u128),
    /// Two to this power.
    PowerOfTwo(usize),
}

impl Variations {
    /// So many.
    pub fn counted(number: usize) -> Self {
        Self::Counted(number as u128)
    }

    /// All splittings of so many characters (bytes, items).
    pub fn splittings_of(characters: usize) -> Self {
        match characters.saturating_sub(1) {
            power @ 0..20 => Self::Counted(1 << power),
            power => Self::PowerOfTwo(power),
        }
    }
}

impl fmt::Display for Variations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counted(number) => write!(f, "{number}"),
            Self::PowerOfTwo(power) => write!(f, "2^{power}"),
        }
    }
}

impl Serialize for Variations {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Variations {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let read = match text.strip_prefix("2^") {
            Some(power) => power.parse().ok().map(Self::PowerOfTwo),
            None => text.parse().ok().map(Self::Counted),
        };
        read.ok_or_else(|| D::Error::custom(format!("{text:?} is no number of variations")))
    }
}

/// What went wrong, in the smallest form that shows it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// In words.
    pub message: String,
    /// The rules that the case shows.
    pub rules: Vec<Sentence>,
    /// The input as it was delivered.
    pub chunks: Vec<Input>,
    /// How many characters (bytes, items) of the input were left out at the end.
    pub cut_off: usize,
    /// What must come out, in normal form.
    pub expected: Vec<Event>,
    /// What came out, in normal form.
    pub actual: Vec<Event>,
    /// How many of the variations fail, in words.
    pub failing: String,
    /// The name of the fault, where the target gave no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<&'static str>,
    /// The command that repeats exactly this, where a command led here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}

/// A rule, in short.
#[derive(Clone, Debug, Serialize)]
pub struct Sentence {
    /// Its id.
    pub id: String,
    /// Its normative sentence.
    pub sentence: String,
}
