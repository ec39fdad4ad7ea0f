//! Reports of several machines joined to one, as if one machine had judged everything.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};

use serde::Deserialize;

use super::json::Record;
use super::{Footer, Header, SCHEMA};

/// A report that was read.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What errors call it.
    name: String,
    header: Header,
    /// The lines of each case, as they stand.
    cases: VecDeque<Case>,
    footer: Footer,
}

/// The verdicts of a case.
#[derive(Clone, Debug)]
struct Case {
    id: String,
    lines: Vec<String>,
}

/// What every line says of itself. The rest of a verdict is passed over: there is no telling how deep its events nest.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(default)]
    case: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Header,
    Verdict,
    Footer,
}

/// Why reports cannot be joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// One of them is no report.
    #[error("{name}: line {line}: {problem}")]
    Bad {
        /// What it is called.
        name: String,
        /// The line, from 1 on.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// One of them has no footer.
    #[error("{name}: cut off: it has no footer, so nobody knows what it came to; judge this part again")]
    CutOff {
        /// What it is called.
        name: String,
    },
    /// They do not belong together.
    #[error("{name} does not belong to {first}: {problem}")]
    Apart {
        /// One of them.
        name: String,
        /// Another.
        first: String,
        /// In what they differ.
        problem: String,
    },
    /// A part is not among them.
    #[error("the parts {missing} of {parts} are missing")]
    Missing {
        /// Which.
        missing: String,
        /// How many there should be.
        parts: usize,
    },
}

impl Recorded {
    /// Reads the text of a report.
    pub fn read(name: &str, text: &str) -> Result<Self, MergeError> {
        let (mut header, mut footer) = (None, None);
        let mut cases: VecDeque<Case> = VecDeque::new();
        for (at, line) in text.lines().enumerate() {
            let bad = |problem: String| MergeError::Bad { name: name.to_owned(), line: at + 1, problem };
            let no_record = |error: serde_json::Error| bad(format!("no record of a report: {error}"));
            let Line { kind, case } = serde_json::from_str(line).map_err(no_record)?;
            match (kind, header.is_some(), footer.is_some()) {
                (_, _, true) => return Err(bad("stands behind the footer".to_owned())),
                (Kind::Header, false, _) => {
                    let found: Header = serde_json::from_str(line).map_err(no_record)?;
                    if found.schema != SCHEMA {
                        return Err(bad(format!("a report of version {}, not {SCHEMA}", found.schema)));
                    }
                    header = Some(found);
                }
                (Kind::Header, true, _) => return Err(bad("a second header".to_owned())),
                (_, false, _) => {
                    return Err(bad("no header before it; is this `anysplit run --format json`?".to_owned()));
                }
                (Kind::Verdict, ..) => match cases.back_mut().filter(|last| last.id == case) {
                    Some(last) => last.lines.push(line.to_owned()),
                    None => cases.push_back(Case { id: case, lines: vec![line.to_owned()] }),
                },
                (Kind::Footer, ..) => {
                    let found: Footer = serde_json::from_str(line).map_err(no_record)?;
                    let lines = cases.iter().map(|case| case.lines.len()).sum::<usize>();
                    if (cases.len(), lines) != (found.counts.cases, found.counts.verdicts()) {
                        return Err(bad("it counts other verdicts than stand above it: lines are missing".to_owned()));
                    }
                    footer = Some(found);
                }
            }
        }
        let (Some(header), Some(footer)) = (header, footer) else {
            return Err(MergeError::CutOff { name: name.to_owned() });
        };
        Ok(Self { name: name.to_owned(), header, cases, footer })
    }

    /// Which part of how many it is.
    fn part(&self) -> Option<(usize, usize)> {
        let (part, parts) = self.header.shard.as_deref()?.split_once('/')?;
        Some((part.parse().ok()?, parts.parse().ok()?))
    }

    /// What it came to.
    pub fn footer(&self) -> &Footer {
        &self.footer
    }

    /// What it was about to do.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Writes it.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let record = |record: &Record<'_>| serde_json::to_string(record).map_err(io::Error::from);
        writeln!(out, "{}", record(&Record::Header(&self.header))?)?;
        for line in self.cases.iter().flat_map(|case| &case.lines) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", record(&Record::Footer(&self.footer))?)?;
        out.flush()
    }
}

/// Joins reports: all the parts of one run in whatever order, or runs on different cases one behind the other. Nothing where
/// there is none.
pub fn merge(reports: Vec<Recorded>) -> Result<Option<Recorded>, MergeError> {
    belong_together(&reports)?;
    let parts = reports.first().and_then(Recorded::part).map(|(_, parts)| parts);
    let mut reports = match parts {
        Some(parts) => in_order(reports, parts)?,
        None => reports,
    };
    let Some(first) = reports.first() else { return Ok(None) };
    let mut merged = Recorded { cases: VecDeque::new(), ..first.clone() };
    merged.header.shard = None;
    for other in &reports[1..] {
        merged.header.cases += other.header.cases;
        merged.footer.join(&other.footer);
    }
    // The parts of a run take its cases in turn.
    while reports.iter().any(|report| !report.cases.is_empty()) {
        for report in &mut reports {
            let count = if parts.is_some() { 1 } else { report.cases.len() };
            let count = count.min(report.cases.len());
            merged.cases.extend(report.cases.drain(..count));
        }
    }
    Ok(Some(merged))
}

/// The parts by their numbers; each must be there once.
fn in_order(mut reports: Vec<Recorded>, parts: usize) -> Result<Vec<Recorded>, MergeError> {
    reports.sort_by_key(Recorded::part);
    let found = |part: usize| reports.iter().any(|report| report.part() == Some((part, parts)));
    let missing: Vec<String> = (1..=parts).filter(|&part| !found(part)).map(|part| part.to_string()).collect();
    if missing.is_empty() { Ok(reports) } else { Err(MergeError::Missing { missing: missing.join(", "), parts }) }
}

fn belong_together(reports: &[Recorded]) -> Result<(), MergeError> {
    let Some(first) = reports.first() else { return Ok(()) };
    let mut seen: HashMap<&str, &Recorded> = HashMap::new();
    for report in reports {
        let apart = |other: &Recorded, problem: &str| MergeError::Apart {
            name: report.name.clone(),
            first: other.name.clone(),
            problem: problem.to_owned(),
        };
        let (one, other) = (&first.header, &report.header);
        let differs = [
            (one.anysplit == other.anysplit, "another version of anysplit"),
            (one.target == other.target, "another target"),
            (one.splits == other.splits, "other splits"),
            (one.seed == other.seed, "another seed"),
            (first.part().is_none() || one.selection == other.selection, "a part of other cases or checks"),
            (first.part().map(|part| part.1) == report.part().map(|part| part.1), "not a part of the same run"),
        ];
        if let Some((_, problem)) = differs.iter().find(|(same, _)| !same) {
            return Err(apart(first, problem));
        }
        for case in &report.cases {
            if let Some(other) = seen.insert(&case.id, report) {
                return Err(apart(other, &format!("both judged {}", case.id)));
            }
        }
    }
    Ok(())
}
