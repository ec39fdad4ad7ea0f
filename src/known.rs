//! Known failures: what a target is expected to get wrong, and why.
//!
//! A file lists case × check with a reason. What fails as listed is fine; what fails otherwise, or is not listed, is a failure;
//! an entry that matches no failure although its cases were judged is *stale*, and fails the run too, so that the list stays true.
//!
//! ```
//! use anysplit::known::KnownFailures;
//!
//! let known = KnownFailures::parse("known.json", r#"{"known": [
//!     {"case": "sse/*-bom-*", "check": "*", "reason": "keeps the byte order mark", "issue": "acme/acme#1"}
//! ]}"#)?;
//! assert_eq!(known.entries.len(), 1);
//! # Ok::<(), anysplit::known::KnownError>(())
//! ```

use std::path::Path;
use std::{fmt, fs};

use serde::{Deserialize, Serialize};

use crate::check::Check;
use crate::dialect::Dialect;
use crate::event::Event;
use crate::judge::{Status, Verdict};
use crate::strict_json;

/// A list of known failures.
#[derive(Clone, Debug, Default)]
pub struct KnownFailures {
    /// Its entries.
    pub entries: Vec<Entry>,
    /// What each of them met so far.
    met: Vec<Met>,
}

/// One known failure, or a family of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The case's id; `*` stands for any characters.
    pub case: String,
    /// The check's name, or `*`.
    pub check: String,
    /// Why it fails.
    pub reason: String,
    /// Where that was reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// What comes out in place of what must; absent: anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Vec<Event>>,
}

/// What an entry met in a run.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    judged: bool,
    failed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    known: Vec<Entry>,
}

/// A file of known failures that cannot be used.
#[derive(Debug, thiserror::Error)]
pub struct KnownError {
    file: String,
    problem: String,
}

impl fmt::Display for KnownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.problem)
    }
}

impl KnownFailures {
    /// Reads a file's content; `file` is what errors call it.
    pub fn parse(file: &str, content: &str) -> Result<Self, KnownError> {
        let error = |problem: String| KnownError { file: file.to_owned(), problem };
        let value = strict_json::parse(content, "a JSON file of known failures").map_err(error)?;
        let Some(serde_json::Value::Array(entries)) = value.get("known") else {
            return Err(error("expected an object with a list \"known\"".to_owned()));
        };
        for (at, entry) in entries.iter().enumerate() {
            check_entry(entry).map_err(|problem| error(format!("known number {}: {problem}", at + 1)))?;
        }
        let File { known, .. } = serde_json::from_value(value).map_err(|problem| error(problem.to_string()))?;
        Ok(Self { met: vec![Met::default(); known.len()], entries: known })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, KnownError> {
        let file = path.display().to_string();
        let content = fs::read_to_string(path)
            .map_err(|problem| KnownError { file: file.clone(), problem: format!("cannot be read: {problem}") })?;
        Self::parse(&file, &content)
    }

    /// Marks those of a case's verdicts that fail as known.
    pub fn apply(&mut self, verdicts: &mut [Verdict]) {
        for verdict in verdicts {
            let fails = verdict.status == Status::Fail;
            for (entry, met) in self.entries.iter().zip(&mut self.met) {
                if !entry.covers(verdict) {
                    continue;
                }
                met.judged = true;
                met.failed |= fails;
                if fails && entry.is_as(verdict) {
                    verdict.status = Status::Known;
                    verdict.note = Some(format!("known: {}", entry.reason));
                } else if verdict.status == Status::Fail {
                    verdict.note = Some(format!("known, but it fails otherwise now: {}", entry.reason));
                }
            }
        }
    }

    /// The entries that met no failure, in words. A pattern, and an entry whose case did not occur, count only where all
    /// cases were judged: those of all dialects, or of these.
    pub fn stale(&self, all_judged: bool, only: &[Dialect]) -> Vec<String> {
        let entries = self.entries.iter().zip(&self.met);
        let stale = entries.filter(|(entry, met)| {
            let all_judged = all_judged && (only.is_empty() || only.iter().any(|dialect| entry.is_of(*dialect)));
            let may_be_elsewhere = entry.is_pattern() && !all_judged;
            !met.failed && !may_be_elsewhere && (met.judged || all_judged)
        });
        stale.map(|(entry, _)| format!("{} · {} ({})", entry.case, entry.check, entry.reason)).collect()
    }
}

impl Entry {
    fn is_pattern(&self) -> bool {
        self.case.contains('*') || self.check == "*"
    }

    /// Whether its cases are all of this dialect, or of none that there is.
    fn is_of(&self, dialect: Dialect) -> bool {
        let Some((name, _)) = self.case.split_once('/') else { return !self.case.contains('*') };
        name == dialect.name() || !name.contains('*') && name.parse::<Dialect>().is_err()
    }

    fn covers(&self, verdict: &Verdict) -> bool {
        (self.check == "*" || self.check == verdict.check.name()) && matches(&self.case, &verdict.case)
    }

    fn is_as(&self, verdict: &Verdict) -> bool {
        let came = verdict.failure.as_ref().map(|failure| &failure.actual);
        self.actual.as_ref().is_none_or(|pinned| came == Some(pinned))
    }
}

/// What serde would only say in its own words.
fn check_entry(entry: &serde_json::Value) -> Result<(), String> {
    let text = |name: &str| entry.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
    for name in ["case", "check", "reason"] {
        if text(name).trim().is_empty() {
            return Err(format!("{name:?} is required, a string that is not empty"));
        }
    }
    let check = text("check");
    if check != "*" && Check::named(check).is_none() {
        return Err(format!("there is no check {check:?}; there are {} and *", Check::ALL.map(Check::name).join(", ")));
    }
    serde_json::from_value::<Entry>(entry.clone()).map(drop).map_err(|problem| problem.to_string())
}

/// Whether a text is of a pattern in which `*` stands for any characters.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(before) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

/// A file to start from: every failure of these verdicts, with what was seen as its reason.
pub fn starting_from<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> String {
    let failed = verdicts.into_iter().filter(|verdict| verdict.status == Status::Fail);
    let entry = |verdict: &Verdict| {
        let seen = verdict.failure.as_ref().and_then(|failure| failure.message.lines().next()).unwrap_or_default();
        Entry {
            case: verdict.case.clone(),
            check: verdict.check.name().to_owned(),
            reason: format!("not explained yet: {seen}"),
            issue: None,
            actual: None,
        }
    };
    let file = File { schema: None, known: failed.map(entry).collect() };
    serde_json::to_string_pretty(&file).expect("entries are plain data") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, expected) in [
            ("a/b", "a/b", true),
            ("a/b", "a/bc", false),
            ("a/*", "a/bc", true),
            ("*b*", "abc", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*bc", "abcx", false),
            ("ab*ba", "aba", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let problem = |content: &str| KnownFailures::parse("k.json", content).map(drop).unwrap_err().to_string();
        assert!(problem("[]").contains("k.json: expected an object with a list \"known\""));
        assert!(
            problem(r#"{"known":[{"case":"a/b","check":"split","reason":" "}]}"#)
                .contains("known number 1: \"reason\"")
        );
        assert!(problem(r#"{"known":[{"case":"a/b","check":"spilt","reason":"x"}]}"#).contains("no check \"spilt\""));
        assert!(problem(r#"{"known":[{"case":"a","check":"*","reason":"x","isue":"y"}]}"#).contains("isue"));
        assert!(problem("{").contains("not a JSON file of known failures"));
    }
}
