//! `anysplit replay`: judges saved findings again, and moves them where they can stay.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anysplit::case::CaseFile;
use anysplit::finding::{Again, Finding, paths, write_whole};
use anysplit::fuzz::oracle::dialect_of;
use anysplit::report::{Report as _, TerminalReport};
use anysplit::target::{Process, Reference, Target};
use clap::Args;

use super::interrupt;
use super::output::{self, say, unwritable};
use super::target::ProcessLimits;
use super::{Exit, Format, Problem};

/// Judge saved findings again: fixed, failed, changed
#[derive(Args)]
#[command(after_help = "\
Each finding is put to the target that it was found with, or to --target:
  fixed    all is well now
  failed   it fails in the same way
  changed  it fails in another way
  error    the target cannot be started, or asked about it, or the file is no finding

Exit codes: 0 all are fixed, 1 some fail or are changed, 3 some cannot be judged.

A finding of the reference can stay as a case or as an input of a corpus. Give its
case a name and the rules that it shows, hold its events against the rules
(they are not written by hand yet), and then promote it: into a file of
cases, to which it is added, or into a folder of inputs.

Examples:
  anysplit replay findings
  anysplit replay findings/split-0123456789abcdef.json
  anysplit replay findings --target 'python3 fixed.py'
  anysplit replay FILE --promote spec/inline-tag/cases/strings.json
  anysplit replay FILE --promote corpus/inline_tag/")]
pub(super) struct Replay {
    /// Findings, or folders of them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The command of a target, or `reference` [default: the target that each was found with]
    #[arg(long, value_name = "CMD")]
    target: Option<String>,
    #[command(flatten)]
    limits: ProcessLimits,
    /// Move a finding of the reference into a file of cases, or a folder of inputs; it needs a name of its own, and among cases
    /// rules
    #[arg(long, value_name = "PATH")]
    promote: Option<PathBuf>,
    /// Show no diffs, one line for each only
    #[arg(long, short)]
    quiet: bool,
}

/// How many came to what.
#[derive(Default)]
struct Counts {
    fixed: usize,
    failed: usize,
    changed: usize,
    errors: usize,
}

impl Replay {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let mut files = Vec::new();
        for file in &self.files {
            files.extend(paths(file).map_err(Problem::usage)?);
        }
        if files.is_empty() {
            return Err(Problem::nothing("there is no finding in these folders"));
        }
        if let Some(place) = &self.promote {
            let findings = files.iter().map(|file| Finding::read(file)).collect::<Result<Vec<_>, _>>();
            let findings = findings.map_err(Problem::usage)?;
            return promote_all(&files.into_iter().zip(findings).collect::<Vec<_>>(), place);
        }
        let interrupted = interrupt::finishing("interrupted: finishing the finding under way (again to stop at once)");
        let mut targets = Targets { limits: self.limits, started: HashMap::new() };
        let mut counts = Counts::default();
        for path in &files {
            if interrupted.load(std::sync::atomic::Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
            let finding = match Finding::read(path) {
                Ok(finding) => finding,
                Err(error) => {
                    counts.errors += 1;
                    say(&format!("error    {error}"))?;
                    continue;
                }
            };
            let command = match self.target.as_deref() {
                Some("reference") => None,
                Some(command) => Some(command),
                None => finding.record.target.as_deref(),
            };
            self.replay(path, &finding, targets.get(command), &mut counts)?;
        }
        conclude(&counts)
    }

    fn replay(
        &self,
        path: &Path,
        finding: &Finding,
        target: Result<&dyn Target, &Problem>,
        counts: &mut Counts,
    ) -> Result<(), Problem> {
        let path = path.display();
        let (check, class) = (&finding.record.check, &finding.record.class);
        let mut error = |why: &str| {
            counts.errors += 1;
            say(&format!("error    {path}: {why}"))
        };
        let target = match target {
            Ok(target) => target,
            Err(problem) => return error(&problem.message),
        };
        let (word, failed) = match finding.replay(target) {
            Again::NotAsked => return error(&format!("{} cannot be asked about it", target.name())),
            _ if target.given_up().is_some() => return error(&target.given_up().unwrap_or_default()),
            Again::Fixed => {
                counts.fixed += 1;
                return say(&format!("fixed    {path} ({check}: {class})"));
            }
            Again::Same(failed) => {
                counts.failed += 1;
                (format!("failed   {path} ({check}: {class})"), failed)
            }
            Again::Changed(failed) => {
                counts.changed += 1;
                (format!("changed  {path} ({check}: {class}, now {}: {})", failed.check, failed.class), failed)
            }
        };
        say(&word)?;
        if self.quiet {
            return Ok(());
        }
        TerminalReport::new(output::stdout(Format::Terminal)).case(&[finding.verdict(&failed)]).map_err(unwritable)
    }
}

fn conclude(counts: &Counts) -> Result<Exit, Problem> {
    let Counts { fixed, failed, changed, errors } = counts;
    say(&format!("\n{fixed} fixed, {failed} failed, {changed} changed, {errors} errors"))?;
    Ok(match (failed + changed, errors) {
        (0, 0) => Exit::Conforms,
        (0, _) => Exit::Unreachable,
        _ => Exit::Fails,
    })
}

/// The targets that findings are put to, each started once.
struct Targets {
    limits: ProcessLimits,
    started: HashMap<String, Result<Process, Problem>>,
}

impl Targets {
    fn get(&mut self, command: Option<&str>) -> Result<&dyn Target, &Problem> {
        let Some(command) = command else { return Ok(&Reference) };
        let limits = self.limits;
        let started = self.started.entry(command.to_owned()).or_insert_with(|| limits.start_patiently(command));
        started.as_ref().map(|process| process as &dyn Target)
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// All of them, or none: what stands in the way of one is said before anything is written.
fn promote_all(findings: &[(PathBuf, Finding)], place: &Path) -> Result<Exit, Problem> {
    let is_folder = place.is_dir() || place.to_string_lossy().ends_with('/');
    if findings.iter().any(|(path, _)| is_same(path, place)) {
        return Err(Problem::usage(format!("{}: is itself one of the findings", place.display())));
    }
    let mut cases = if is_folder || !place.exists() { None } else { Some(read(place)?) };
    let mut inputs = Vec::new();
    for (path, finding) in findings {
        let refused = |why: String| Problem::usage(format!("{}: {why}", path.display()));
        if let Some(target) = &finding.record.target {
            return Err(refused(format!("a finding of {target:?}, and only those of the reference can be promoted")));
        }
        if is_folder {
            let input = place.join(finding.own_name().map_err(&refused)?);
            let folder = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let others = dialect_of(&folder).filter(|dialect| *dialect != finding.case.dialect);
            if let Some(other) = others {
                return Err(refused(format!("{} is for inputs of {other}", place.display())));
            }
            if !finding.sample().has_known_settings() {
                return Err(refused("its settings are in no table of samples, so an input alone would lose them; promote it into a file of cases".to_owned()));
            }
            if input.exists() || inputs.iter().any(|(other, _)| *other == input) {
                return Err(refused(format!("{} is there already", input.display())));
            }
            inputs.push((input, finding.sample().write()));
        } else {
            cases = Some(finding.appended_to(cases.as_deref()).map_err(&refused)?);
        }
    }
    match cases {
        Some(cases) => {
            let file = CaseFile::parse(&place.display().to_string(), &cases).map_err(Problem::usage)?;
            let mut ids = HashSet::new();
            if let Some(case) = file.cases.iter().find(|case| !ids.insert(&case.id)) {
                return Err(Problem::usage(format!("{}: has a case {} already", place.display(), case.id)));
            }
            write(place, cases.as_bytes())?;
        }
        None => inputs.iter().try_for_each(|(input, content)| write(input, content))?,
    }
    for (path, finding) in findings {
        fs::remove_file(path).map_err(|error| Problem::usage(format!("{}: {error}", path.display())))?;
        say(&format!("promoted {} into {}", finding.name(), place.display()))?;
    }
    if !is_folder {
        let words = "events that no person wrote must be held against the rules before they are committed";
        anstream::eprintln!("note: {words}");
    }
    Ok(Exit::Conforms)
}

fn read(path: &Path) -> Result<String, Problem> {
    fs::read_to_string(path).map_err(|error| Problem::usage(format!("{}: {error}", path.display())))
}

fn write(path: &Path, content: &[u8]) -> Result<(), Problem> {
    write_whole(path, content).map_err(|error| Problem::usage(format!("{}: {error}", path.display())))
}
