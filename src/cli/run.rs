//! `anysplit run`: judges a target on cases.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anysplit::case::Case;
use anysplit::check::Check;
use anysplit::judge::{Judge, Splits, Status, Verdict};
use anysplit::known::{self, KnownFailures};
use anysplit::machine::landmark;
use anysplit::report::{Counts, Footer, Header, JsonReport, Report, SCHEMA, TerminalReport};
use anysplit::target::{Reference, Target};
use clap::{Args, ValueEnum};

use super::interrupt;
use super::output::{self, Output, unwritable};
use super::progress::Progress;
use super::select::{Select, Shard, quoted};
use super::target::ProcessLimits;
use super::{Exit, Format, Problem};

/// Judge an implementation: every case, every check, every splitting
#[derive(Args)]
#[command(after_help = "\
Splits:
  proof     all 2^(n-1) splittings of an input at once, by merging equal states
  thorough  all single and pair cuts, sizes 1-16 and 64, all combinations of
            up to 14 significant cuts, 500 random splittings with empty chunks
  quick     all single cuts, sizes 1, 2, 3, 5 and 8, all combinations of up to
            6 significant cuts, 50 random splittings with empty chunks
On a long input a selection is cut down, and reported as sampled. A target that
cannot be copied and compared is tried thoroughly where a proof is asked for.

Targets are programs in any language that speak the adapter protocol; `anysplit
init` writes one to start from, `anysplit doctor` tells what is wrong with one.
Of many failures the first 20 are shown in full, and a line of each other.
One that is lost on more than 10 cases is given up, and the run ends with 3.

Examples:
  anysplit run
  anysplit run --dialect markdown-fence --filter closing --jobs 1
  anysplit run --cases my-cases/ --strict
  anysplit run --target 'python3 adapter.py' --dialect inline-tag
  anysplit run --target 'node adapter.mjs' --splits proof --known known.json
  anysplit run --shard 2/4 --format json --out report-2.ndjson")]
pub(super) struct Run {
    #[command(flatten)]
    select: Select,
    /// The command that starts the implementation under test, split like a shell would and run without one
    /// [default: the embedded reference]
    #[arg(long, value_name = "CMD")]
    target: Option<String>,
    #[command(flatten)]
    limits: ProcessLimits,
    /// Failures that are known, with their reasons; others fail the run, and so do entries that no longer fail
    #[arg(long, value_name = "FILE", conflicts_with = "write_known")]
    known: Option<PathBuf>,
    /// Write what fails to FILE, to start a list of known failures from
    #[arg(long, value_name = "FILE")]
    write_known: Option<PathBuf>,
    /// Let a failed should fail the run too
    #[arg(long)]
    strict: bool,
    /// How the splittings of an input are covered [default: proof, with --target quick]
    #[arg(long, value_enum)]
    splits: Option<SplitsArg>,
    /// The seed of random splittings
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many cases to judge at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Judge only the I-th of N equal parts of the cases
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Ask only this check; may be given several times
    #[arg(long, value_name = "CHECK", value_parser = check)]
    check: Vec<Check>,
    /// What the report looks like
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    format: Format,
    /// Write the report to FILE; the summary still goes to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Show only failures and the summary (with --format terminal)
    #[arg(long, short)]
    quiet: bool,
}

fn check(name: &str) -> Result<Check, String> {
    let names = || Check::ALL.map(Check::name).join(", ");
    Check::named(name).ok_or_else(|| format!("there are {}", names()))
}

#[derive(Clone, Copy, ValueEnum)]
enum SplitsArg {
    Proof,
    Thorough,
    Quick,
}

impl From<SplitsArg> for Splits {
    fn from(splits: SplitsArg) -> Self {
        match splits {
            SplitsArg::Proof => Self::Proof,
            SplitsArg::Thorough => Self::Thorough,
            SplitsArg::Quick => Self::Quick,
        }
    }
}

impl Run {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let mut cases = self.select.cases()?;
        if let Some(path) = self.write_known.as_deref().filter(|path| path.exists()) {
            let file = path.display();
            return Err(Problem::usage(format!(
                "{file} is there already, perhaps with reasons that somebody wrote; run with --known {file}, or name another file"
            )));
        }
        let mut known = self.known.as_deref().map(KnownFailures::read).transpose().map_err(Problem::usage)?;
        let process = self.target.as_deref().map(|command| self.limits.start(command)).transpose()?;
        let target: &dyn Target = process.as_ref().map_or(&Reference, |process| process);
        let splits = self.splits();
        let command = self.command(splits);
        let judge =
            Judge { splits, seed: self.seed, command: Some(&command), checks: self.checks(), ..Judge::new(target) };
        if process.is_some() {
            self.leave_out_what_is_not_spoken(target, &mut cases)?;
        }
        let selection = self.selection(&cases)?;
        if let Some(shard) = self.shard {
            cases = shard.of(cases);
        }
        let header = Header {
            schema: SCHEMA,
            anysplit: env!("CARGO_PKG_VERSION").to_owned(),
            target: target.name().to_owned(),
            cases: cases.len(),
            splits: splits.name().to_owned(),
            seed: self.seed,
            selection,
            shard: self.shard.map(|shard| shard.to_string()),
        };
        let mut report = self.report()?;
        report.header(&header).map_err(unwritable)?;
        let mut failures = Vec::new();
        let footer = self.judge_all(&judge, &cases, &mut *report, known.as_mut(), &mut failures)?;
        report.footer(&footer).map_err(unwritable)?;
        if cases.is_empty() {
            // Its report is there all the same: `merge` asks for every part.
            return Err(Problem::nothing("this shard holds no case"));
        }
        if self.out.is_some() {
            TerminalReport::new(output::stdout(Format::Terminal)).footer(&footer).map_err(unwritable)?;
        }
        if let Some(path) = self.write_known.as_ref().filter(|_| !footer.complete || footer.counts.judged_nothing()) {
            anstream::eprintln!("note: {} is not written: not every case was judged", path.display());
        }
        if let Some(why) = target.given_up() {
            let message = format!("{why}; `anysplit doctor` with the same --target looks closer");
            return Err(Problem { exit: Exit::Unreachable, message });
        }
        match &self.write_known {
            Some(path) if footer.complete && !footer.counts.judged_nothing() => write_known(path, &failures),
            _ => Ok(Exit::of(&footer.counts, footer.complete, self.strict)),
        }
    }

    /// Cases of dialects that the target does not speak are not even counted, unless they were asked for.
    fn leave_out_what_is_not_spoken(&self, target: &dyn Target, cases: &mut Vec<Case>) -> Result<(), Problem> {
        if self.select.dialects().is_empty() {
            cases.retain(|case| target.speaks(case.dialect));
        }
        if cases.is_empty() {
            return Err(Problem::nothing(format!("{} speaks none of the dialects of these cases", target.name())));
        }
        Ok(())
    }

    /// What tells this run from others, and its parts not from each other.
    fn selection(&self, cases: &[Case]) -> Result<String, Problem> {
        let known = self.known.as_deref().map(std::fs::read).transpose();
        let mut asked = known.map_err(|error| Problem::usage(error.to_string()))?.unwrap_or_default();
        asked.extend(self.checks().iter().flat_map(|check| check.name().bytes()));
        for Case { id, options, input, events, .. } in cases {
            asked.extend(serde_json::to_vec(&(id, options, input, events)).unwrap_or_default());
        }
        Ok(format!("{:016x}", landmark(asked.into_iter().map(u64::from))))
    }

    fn splits(&self) -> Splits {
        let default = if self.target.is_some() { SplitsArg::Quick } else { SplitsArg::Proof };
        self.splits.unwrap_or(default).into()
    }

    /// The command that repeats this run, up to the choice of a case.
    fn command(&self, splits: Splits) -> String {
        let target = self.target.as_deref().map(|command| self.limits.flags(command)).unwrap_or_default();
        let known = self.known.as_ref().map(|path| format!(" --known {}", quoted(&path.display().to_string())));
        let (cases, known) = (self.select.case_flags(), known.unwrap_or_default());
        format!("anysplit run{target}{cases}{known} --splits {} --seed {}", splits.name(), self.seed)
    }

    /// Whether all cases and checks are asked, so that a known failure that does not occur occurs nowhere.
    fn is_all(&self) -> bool {
        self.select.is_all() && self.shard.is_none() && self.check.is_empty()
    }

    fn checks(&self) -> &[Check] {
        if self.check.is_empty() { &Check::ALL } else { &self.check }
    }

    fn report(&self) -> Result<Box<dyn Report>, Problem> {
        let out: Output = match &self.out {
            Some(path) => output::file(path, self.format)?,
            None => output::stdout(self.format).telling(),
        };
        Ok(match self.format {
            Format::Terminal if self.quiet => Box::new(TerminalReport::new(out).failures_only()),
            Format::Terminal => Box::new(TerminalReport::new(out)),
            Format::Json => Box::new(JsonReport::new(out)),
        })
    }

    /// Judges the cases on several threads and reports them in their order; keeps the failures where they are to be written.
    fn judge_all(
        &self,
        judge: &Judge<'_>,
        cases: &[Case],
        report: &mut dyn Report,
        mut known: Option<&mut KnownFailures>,
        failures: &mut Vec<Verdict>,
    ) -> Result<Footer, Problem> {
        let interrupted = interrupt::finishing(INTERRUPTED);
        let jobs = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel::<(usize, Vec<Verdict>)>();
        thread::scope(|scope| {
            for _ in 0..jobs.min(cases.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while !interrupted.load(Ordering::Relaxed) && judge.target.given_up().is_none() {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(at) else { break };
                        let verdicts = judge.judge(case);
                        // A case on which the target was not asked to the end any more was not judged.
                        let given_up = verdicts.iter().filter_map(|verdict| verdict.failure.as_ref());
                        let given_up = given_up.filter(|failure| failure.fault == Some("given-up")).count() > 0;
                        if given_up || sender.send((at, verdicts)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut counts = self.collect(cases.len(), receiver, report, |verdicts| {
                if let Some(known) = &mut known {
                    known.apply(verdicts);
                }
                if self.write_known.is_some() {
                    failures.extend(verdicts.iter().filter(|verdict| verdict.status == Status::Fail).cloned());
                }
            })?;
            let complete = counts.cases == cases.len();
            let stale = known
                .filter(|_| complete)
                .map(|known| known.stale(self.is_all(), self.select.dialects()))
                .unwrap_or_default();
            counts.stale = stale.len();
            Ok(Footer { complete, counts, stale })
        })
    }

    fn collect(
        &self,
        total: usize,
        receiver: mpsc::Receiver<(usize, Vec<Verdict>)>,
        report: &mut dyn Report,
        mut look_at: impl FnMut(&mut [Verdict]),
    ) -> Result<Counts, Problem> {
        // Every case line is progress enough where the report itself goes to the terminal.
        let lines_are_seen = !self.quiet && self.out.is_none() && io::stdout().is_terminal();
        let mut progress = Progress::new(total, !lines_are_seen);
        let mut counts = Counts::default();
        let mut failed = 0;
        let mut waiting: Vec<Option<Vec<Verdict>>> = (0..total).map(|_| None).collect();
        let mut reported = 0;
        let mut tell = |mut verdicts: Vec<Verdict>, progress: &mut Progress| {
            look_at(&mut verdicts);
            counts.add(&verdicts);
            if verdicts.iter().any(|verdict| verdict.status == Status::Fail) {
                failed += 1;
                progress.clear();
            }
            report.case(&verdicts).map_err(unwritable).map(|()| failed)
        };
        for (at, verdicts) in receiver {
            waiting[at] = Some(verdicts);
            while let Some(verdicts) = waiting.get_mut(reported).and_then(Option::take) {
                reported += 1;
                let failed = tell(verdicts, &mut progress)?;
                progress.at(reported, failed);
            }
        }
        // What was judged behind a case that was not.
        for verdicts in waiting.into_iter().flatten() {
            tell(verdicts, &mut progress)?;
        }
        progress.clear();
        Ok(counts)
    }
}

fn write_known(path: &Path, failures: &[Verdict]) -> Result<Exit, Problem> {
    std::fs::write(path, known::starting_from(failures))
        .map_err(|error| Problem::usage(format!("{}: cannot be written: {error}", path.display())))?;
    // Not among the records, which may go to standard output.
    anstream::eprintln!("{} failures are now known in {}; give each its reason", failures.len(), path.display());
    Ok(Exit::Conforms)
}

const INTERRUPTED: &str = "interrupted: finishing the cases under way (again to stop at once)";
