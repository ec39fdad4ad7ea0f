//! `anysplit merge`: reports and findings of many machines, joined to one.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anysplit::finding::{Finding, read_all};
use anysplit::report::{Recorded, Report as _, TerminalReport, merge};
use clap::Args;

use super::output::{self, unwritable};
use super::select::quoted;
use super::{Exit, Format, Problem};

/// Join the reports and findings of several machines
#[derive(Args)]
#[command(after_help = "\
Reports are what `anysplit run --format json` writes: all parts of one run
(--shard), or runs on different cases. Parts that are missing, cut off, doubled or
of another run are refused. The joined report is the one that a single machine
would have written; it goes to --out, or to standard output.

Findings, or folders of them, are joined by what failed: of each kind the smallest
stays, and how often it was met is added up.

Exit codes: as those of the one run, and 1 if there are findings.

Examples:
  anysplit merge report-*.ndjson --out report.ndjson
  anysplit merge findings-* --findings findings
  anysplit merge report-*.ndjson findings-* --out report.ndjson --findings findings")]
pub(super) struct Merge {
    /// Reports in NDJSON, findings, or folders of findings
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the joined report goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder for the joined findings
    #[arg(long, value_name = "DIR")]
    findings: Option<PathBuf>,
    /// Let a failed should count too
    #[arg(long)]
    strict: bool,
}

/// A command that ends with the path of a finding, which is another now.
fn moved(command: &str, path: &Path) -> String {
    let words = shlex::split(command).unwrap_or_default();
    let kept = words.iter().rev().skip(1).rev().map(|word| quoted(word));
    kept.chain([quoted(&path.display().to_string())]).collect::<Vec<_>>().join(" ")
}

impl Merge {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let (mut reports, mut findings) = (Vec::new(), Vec::new());
        let mut files = self.files.clone();
        let mut seen = HashSet::new();
        // The same file twice is no other machine.
        files.retain(|file| fs::canonicalize(file).map_or(true, |file| seen.insert(file)));
        for file in &files {
            if file.is_dir() || file.extension().is_some_and(|extension| extension == "json") {
                findings.extend(read_all(file).map_err(Problem::usage)?);
            } else {
                let text = fs::read_to_string(file)
                    .map_err(|error| Problem::usage(format!("{}: cannot be read: {error}", file.display())))?;
                let report = Recorded::read(&file.display().to_string(), &text).map_err(Problem::usage)?;
                reports.push(report);
            }
        }
        let found = self.join_findings(findings)?;
        let report = merge(reports).map_err(Problem::usage)?;
        let exit = report.map(|report| self.write(&report)).transpose()?;
        Ok(match (exit, found) {
            (Some(exit), false) => exit,
            (_, true) => Exit::Fails,
            (None, false) => Exit::Conforms,
        })
    }

    fn write(&self, report: &Recorded) -> Result<Exit, Problem> {
        match &self.out {
            Some(path) => {
                report.write(output::file(path, Format::Json)?).map_err(unwritable)?;
                TerminalReport::new(output::stdout(Format::Terminal)).footer(report.footer()).map_err(unwritable)?;
            }
            None => report.write(output::stdout(Format::Json)).map_err(unwritable)?,
        }
        Ok(Exit::of(&report.footer().counts, report.footer().complete, self.strict))
    }

    /// Joins findings of the same kind and writes them; whether there are any.
    fn join_findings(&self, findings: Vec<Finding>) -> Result<bool, Problem> {
        let mut joined: BTreeMap<String, Finding> = BTreeMap::new();
        let count = findings.len();
        for finding in findings {
            match joined.remove(&finding.file_name()) {
                Some(mut known) => {
                    known.join(finding);
                    joined.insert(known.file_name(), known);
                }
                None => drop(joined.insert(finding.file_name(), finding)),
            }
        }
        let Some(folder) = &self.findings else {
            return match count {
                0 => Ok(false),
                _ => Err(Problem::usage("there are findings among the files; say with --findings where they go")),
            };
        };
        for finding in joined.values_mut() {
            finding.record.replay = moved(&finding.record.replay, &folder.join(finding.file_name()));
            finding
                .write(folder)
                .map_err(|error| Problem::usage(format!("{}: cannot be written: {error}", folder.display())))?;
        }
        // Not among the records of a report, which may go to standard output.
        let (kinds, folder) = (joined.len(), folder.display());
        anstream::eprintln!("{count} findings of {kinds} kinds are joined in {folder}");
        Ok(kinds > 0)
    }
}
