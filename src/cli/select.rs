//! Which cases a command is about.

use std::path::PathBuf;
use std::str::FromStr;

use anysplit::case::{self, Case};
use anysplit::dialect::Dialect;
use anysplit::level::Level;
use anysplit::spec;
use clap::Args;

use super::Problem;

/// Which cases a command is about.
#[derive(Args)]
pub(super) struct Select {
    /// Only this dialect; may be given several times
    #[arg(long, value_name = "DIALECT")]
    dialect: Vec<Dialect>,
    /// Only cases whose id contains TEXT; a whole id selects just that case; may be given several times
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Only cases that weigh at least so much
    #[arg(long, value_name = "must|should|may", default_value = "may", value_parser = level)]
    level: Level,
    /// Your own case files, or folders of them, instead of the embedded ones
    #[arg(long, value_name = "PATH", num_args = 1..)]
    cases: Vec<PathBuf>,
}

fn level(name: &str) -> Result<Level, String> {
    Level::named(name).ok_or_else(|| "there are must, should and may".to_owned())
}

/// The cases of these files, or the embedded ones where there are none.
pub(super) fn cases(paths: &[PathBuf]) -> Result<Vec<Case>, Problem> {
    if paths.is_empty() { spec::cases() } else { case::read_all(paths) }.map_err(Problem::usage)
}

impl Select {
    /// The cases, in order; an error if there are none.
    pub(super) fn cases(&self) -> Result<Vec<Case>, Problem> {
        let mut cases = cases(&self.cases)?;
        let exact = |text: &String| cases.iter().any(|case| case.id == *text);
        let exact: Vec<bool> = self.filter.iter().map(exact).collect();
        cases.retain(|case| {
            (self.dialect.is_empty() || self.dialect.contains(&case.dialect))
                && case.level <= self.level
                && (self.filter.is_empty()
                    || self.filter.iter().zip(&exact).any(|(text, &exact)| selects(text, exact, case)))
        });
        if cases.is_empty() {
            return Err(Problem::nothing("no case matches; `anysplit list` shows which there are"));
        }
        Ok(cases)
    }

    /// The dialects that were asked for; none: all of them.
    pub(super) fn dialects(&self) -> &[Dialect] {
        &self.dialect
    }

    /// Whether nothing is left out but other dialects.
    pub(super) fn is_all(&self) -> bool {
        self.filter.is_empty() && self.level == Level::May
    }

    /// The flags that give these case files again.
    pub(super) fn case_flags(&self) -> String {
        self.cases.iter().map(|path| format!(" --cases {}", quoted(&path.display().to_string()))).collect()
    }
}

/// A word as a shell would need it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./:=@%+,".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn selects(text: &str, exact: bool, case: &Case) -> bool {
    if exact { case.id == text } else { case.id.contains(text) }
}

/// A part of the cases: every N-th, beginning with the I-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    part: usize,
    parts: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (part, parts) = text.split_once('/')?;
            let (part, parts) = (part.parse().ok()?, parts.parse().ok()?);
            (1 <= part && part <= parts).then_some(Self { part, parts })
        };
        parse().ok_or_else(|| "expected I/N with 1 ≤ I ≤ N, such as 1/4".to_owned())
    }
}

impl Shard {
    /// How many parts there are.
    pub(super) fn parts(self) -> usize {
        self.parts
    }

    /// Whether the item of this number, from 0 on, belongs to this part.
    pub(super) fn holds(self, number: u64) -> bool {
        number % self.parts as u64 == self.part as u64 - 1
    }

    /// The cases of this part.
    pub(super) fn of(self, cases: Vec<Case>) -> Vec<Case> {
        cases.into_iter().skip(self.part - 1).step_by(self.parts).collect()
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}
