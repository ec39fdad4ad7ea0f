//! How much a rule, a case or a verdict weighs.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much something weighs, from heaviest to lightest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Breaking it fails a run.
    #[default]
    Must,
    /// Breaking it fails a strict run.
    Should,
    /// Breaking it is reported.
    May,
}

impl Level {
    /// All levels, heaviest first.
    pub const ALL: [Self; 3] = [Self::Must, Self::Should, Self::May];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::May => "may",
        }
    }

    /// The level of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
