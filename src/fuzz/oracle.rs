//! Questions that any fuzzing engine can ask: bytes in, and an error where something is wrong.
//!
//! For a dialect the bytes are a [sample](crate::sample), as a plain file has it: the reference is held against the second opinion, whole,
//! cut as the sample says, one atom at a time, and cut off; now and then every other check is asked too. The other two read what
//! comes from outside: case files, and the messages of adapters. Each of them also runs in the project's own tests, on the files of
//! `corpus/` and on seeded inputs.
//!
//! ```
//! use anysplit::fuzz::oracle;
//!
//! oracle::named("inline_tag").expect("there is one")(b"a <tool_call name=\"b\"></tool_call>\xff\x05\x09")?;
//! # Ok::<(), oracle::Wrong>(())
//! ```

use std::fmt;

use super::examine::{Examined, Failed, case_of, checks, expected_of, judge};
use super::lane::Plan;
use crate::case::{CaseFile, text_of};
use crate::dialect::Dialect;
use crate::finding::{Finding, Met};
use crate::generate::Truth;
use crate::machine::landmark;
use crate::sample::Sample;
use crate::target::{Reference, process};
use crate::variation::Cuts;

/// A question: nothing where all is well.
pub type Oracle = fn(&[u8]) -> Result<(), Wrong>;

/// All questions, by the names of the fuzz targets and of the folders in `corpus/`.
pub const ORACLES: [(&str, Oracle); 11] = [
    ("ai_sdk_parts", |data| dialect(Dialect::AiSdkParts, data)),
    ("case_file", case_file),
    ("chat_chunks", |data| dialect(Dialect::ChatChunks, data)),
    ("default_expanded", |data| dialect(Dialect::DefaultExpanded, data)),
    ("inline_tag", |data| dialect(Dialect::InlineTag, data)),
    ("markdown_fence", |data| dialect(Dialect::MarkdownFence, data)),
    ("ndjson", |data| dialect(Dialect::Ndjson, data)),
    ("protocol", protocol),
    ("sse", |data| dialect(Dialect::Sse, data)),
    ("tool_session", |data| dialect(Dialect::ToolSession, data)),
    ("tool_stages", |data| dialect(Dialect::ToolStages, data)),
];

/// The question of this name.
pub fn named(name: &str) -> Option<Oracle> {
    ORACLES.iter().find(|(known, _)| *known == name).map(|&(_, oracle)| oracle)
}

/// The question of a dialect has its name, with `_` for `-`, which names of programs do not have.
pub fn name_of(dialect: Dialect) -> String {
    dialect.name().replace('-', "_")
}

/// What is wrong, in words that a person can go on from.
#[derive(Clone, Debug)]
pub struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

/// Longer samples are none: what goes wrong on them goes wrong on shorter ones, which are tried more often.
const LONGEST: usize = 1 << 14;

/// All checks are asked of one sample in so many.
const JUDGED: u64 = 64;

/// So often a failure is asked again to make it smaller.
const SHRINKING: usize = 5_000;

/// The reference of a dialect on a sample.
pub fn dialect(dialect: Dialect, data: &[u8]) -> Result<(), Wrong> {
    if data.len() > LONGEST {
        return Ok(());
    }
    let sample = Sample::read(dialect, data);
    let plan = Plan { shrinking: SHRINKING, ..Plan::of_reference(vec![dialect], 0) };
    let finest = [Cuts::finest(sample.atoms().len())];
    if let Examined::Failed(failed) = plan.examine(&sample, &Truth::Unknown, &finest) {
        return Err(told(&plan, sample, failed));
    }
    // Cut off where the first chunk ends, or in the middle: no less may be right of a beginning than of the whole.
    let length = sample.cuts.0.first().copied().unwrap_or(sample.atoms().len() / 2);
    let beginning = sample.cut_off(length);
    if let Examined::Failed(failed) = plan.examine(&beginning, &Truth::Unknown, &[]) {
        return Err(told(&plan, beginning, failed));
    }
    if landmark(data.iter().map(|&byte| u64::from(byte))).is_multiple_of(JUDGED) {
        let expected = expected_of(&sample, false).map_err(|fault| Wrong(fault.to_string()))?;
        if let Some(failed) = judge(&Reference, &sample, expected, checks(), 0).into_iter().next() {
            return Err(told(&plan, sample, Box::new(failed)));
        }
    }
    Ok(())
}

/// A failure as small as it can be made: as a case to paste, with the place of its cuts, and how to see it again.
fn told(plan: &Plan<'_>, sample: Sample, failed: Box<Failed>) -> Wrong {
    let (smallest, failed) = plan.shrink(sample, failed, 0);
    let expected = plan.expected(&smallest, &failed);
    let met = Met {
        target: None,
        name: "reference".to_owned(),
        seed: 0,
        run: 0,
        when: "by a fuzzing engine".to_owned(),
        folder: "findings".to_owned(),
        replay: "anysplit replay".to_owned(),
    };
    let shown: Vec<String> = failed.actual.iter().map(|event| format!("  {event}")).collect();
    let outcome = failed.fault.clone().unwrap_or_else(|| format!("instead came\n{}", shown.join("\n")));
    let case = text_of(smallest.dialect, [&case_of(&smallest, "give-it-a-name", expected.1.clone())]);
    let check = failed.check;
    let cuts = failed.cuts.0.clone();
    let finding = Finding::new(&smallest, *failed, expected, &met);
    Wrong(format!(
        "{check} does not hold; cut at {cuts:?}, {outcome}\n\nas a case:\n{case}\nas a finding, to be written to {} and replayed with `{}`:\n{}",
        finding.file_name(),
        finding.record.replay,
        finding.text(),
    ))
}

/// Reading case files: whatever is in one, it is an error or cases; cases that are written are read as they were.
pub fn case_file(data: &[u8]) -> Result<(), Wrong> {
    let Ok(text) = str::from_utf8(data) else { return Ok(()) };
    let Ok(file) = CaseFile::parse("fuzzed", text) else { return Ok(()) };
    for case in &file.cases {
        let text = text_of(case.dialect, [case]);
        match CaseFile::parse(&case.file, &text) {
            Ok(read) if read.cases == [case.clone()] => {}
            Ok(read) => return Err(Wrong(format!("{case:?}\nwas written as\n{text}\nand read as\n{:?}", read.cases))),
            Err(error) => return Err(Wrong(format!("{case:?}\nwas written as\n{text}\nwhich is refused: {error}"))),
        }
    }
    if let Ok(finding) = Finding::of(file) {
        let text = finding.text();
        match CaseFile::parse("fuzzed", &text).map(Finding::of) {
            Ok(Ok(read)) if read == finding => {}
            other => return Err(Wrong(format!("{finding:?}\nwas written as\n{text}\nand read as\n{other:?}"))),
        }
    }
    Ok(())
}

/// Reading what adapters say: every line as the answer to each request.
pub fn protocol(data: &[u8]) -> Result<(), Wrong> {
    data.split(|&byte| byte == b'\n').try_for_each(|line| process::understand(line).map_err(Wrong))
}

/// Whether a question is asked of samples, and of which dialect.
pub fn dialect_of(name: &str) -> Option<Dialect> {
    Dialect::ALL.into_iter().find(|&dialect| name_of(dialect) == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use crate::variation::Atoms;

    #[test]
    fn every_dialect_is_asked() {
        for dialect in Dialect::ALL {
            assert!(named(&name_of(dialect)).is_some(), "{dialect}");
        }
        assert_eq!(ORACLES.iter().filter(|(name, _)| dialect_of(name).is_none()).count(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_so_that_it_can_be_replayed() {
        let sample = Sample::read(Dialect::InlineTag, b"a <tool_call name=\"b\"></tool_call>");
        let plan = Plan::of_reference(vec![Dialect::InlineTag], 0);
        let expected = expected_of(&sample, false).expect("no fault");
        let failed = Failed::of_events(Check::Expect, &Cuts::finest(Atoms::of("ab").len()), &expected[..1], &expected);
        let wrong = told(&plan, sample, Box::new(failed)).to_string();
        let at = wrong.rfind("{\n  \"dialect\"").expect("a finding");
        let file = CaseFile::parse("told", &wrong[at..]).expect("a case file");
        Finding::of(file).expect("a finding");
    }
}
