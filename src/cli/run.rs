//! `anysplit run`: judges a target on cases.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anysplit::case::Case;
use anysplit::check::Check;
use anysplit::judge::{Judge, Splits, Status, Verdict};
use anysplit::report::{Counts, Footer, Header, JsonReport, Report, SCHEMA, TerminalReport};
use anysplit::target::Reference;
use clap::{Args, ValueEnum};

use super::output::{self, Output, unwritable};
use super::progress::Progress;
use super::select::{Select, Shard};
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
On a long input a selection is cut down, and reported as sampled.

Examples:
  anysplit run
  anysplit run --dialect markdown-fence --filter closing --jobs 1
  anysplit run --cases my-cases/ --strict
  anysplit run --shard 2/4 --format json --out report-2.ndjson")]
pub(super) struct Run {
    #[command(flatten)]
    select: Select,
    /// Let a failed should fail the run too
    #[arg(long)]
    strict: bool,
    /// How the splittings of an input are covered
    #[arg(long, value_enum, default_value_t = SplitsArg::Proof)]
    splits: SplitsArg,
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
        if let Some(shard) = self.shard {
            cases = shard.of(cases);
        }
        if cases.is_empty() {
            return Err(Problem::nothing("this shard holds no case"));
        }
        let splits = Splits::from(self.splits);
        let command =
            format!("anysplit run{} --splits {} --seed {}", self.select.case_flags(), splits.name(), self.seed);
        let judge =
            Judge { splits, seed: self.seed, command: Some(&command), checks: self.checks(), ..Judge::new(&Reference) };
        let header = Header {
            schema: SCHEMA,
            anysplit: env!("CARGO_PKG_VERSION"),
            target: judge.target.name().to_owned(),
            cases: cases.len(),
            splits: splits.name(),
            seed: self.seed,
            shard: self.shard.map(|shard| shard.to_string()),
        };
        let mut report = self.report()?;
        report.header(&header).map_err(unwritable)?;
        let footer = self.judge_all(&judge, &cases, &mut *report)?;
        report.footer(&footer).map_err(unwritable)?;
        if self.out.is_some() {
            TerminalReport::new(output::stdout()).footer(&footer).map_err(unwritable)?;
        }
        Ok(self.exit(&footer))
    }

    fn checks(&self) -> &[Check] {
        if self.check.is_empty() { &Check::ALL } else { &self.check }
    }

    fn report(&self) -> Result<Box<dyn Report>, Problem> {
        let out: Output = match &self.out {
            Some(path) => output::file(path)?,
            None => output::stdout().telling(),
        };
        Ok(match self.format {
            Format::Terminal if self.quiet => Box::new(TerminalReport::new(out).failures_only()),
            Format::Terminal => Box::new(TerminalReport::new(out)),
            Format::Json => Box::new(JsonReport::new(out)),
        })
    }

    /// Judges the cases on several threads and reports them in their order.
    fn judge_all(&self, judge: &Judge<'_>, cases: &[Case], report: &mut dyn Report) -> Result<Footer, Problem> {
        let interrupted = on_interrupt();
        let jobs = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel::<(usize, Vec<Verdict>)>();
        thread::scope(|scope| {
            for _ in 0..jobs.min(cases.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while !interrupted.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(at) else { break };
                        if sender.send((at, judge.judge(case))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let counts = self.collect(cases.len(), receiver, report)?;
            Ok(Footer { complete: counts.cases == cases.len(), counts })
        })
    }

    fn collect(
        &self,
        total: usize,
        receiver: mpsc::Receiver<(usize, Vec<Verdict>)>,
        report: &mut dyn Report,
    ) -> Result<Counts, Problem> {
        // Every case line is progress enough where the report itself goes to the terminal.
        let lines_are_seen = !self.quiet && self.out.is_none() && io::stdout().is_terminal();
        let mut progress = Progress::new(total, !lines_are_seen);
        let mut counts = Counts::default();
        let mut failed = 0;
        let mut waiting: Vec<Option<Vec<Verdict>>> = (0..total).map(|_| None).collect();
        let mut reported = 0;
        for (at, verdicts) in receiver {
            waiting[at] = Some(verdicts);
            while let Some(verdicts) = waiting.get_mut(reported).and_then(Option::take) {
                reported += 1;
                counts.add(&verdicts);
                if verdicts.iter().any(|verdict| verdict.status == Status::Fail) {
                    failed += 1;
                    progress.clear();
                }
                report.case(&verdicts).map_err(unwritable)?;
            }
            progress.at(reported, failed);
        }
        progress.clear();
        Ok(counts)
    }

    fn exit(&self, footer: &Footer) -> Exit {
        let failed = footer.counts.failed;
        if !footer.complete {
            Exit::Interrupted
        } else if failed.must > 0 || self.strict && failed.should > 0 {
            Exit::Fails
        } else if footer.counts.judged_nothing() {
            Exit::Nothing
        } else {
            Exit::Conforms
        }
    }
}

/// A flag that Ctrl-C sets, so that the run ends with a report of what was judged; a second Ctrl-C ends it at once.
fn on_interrupt() -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
        anstream::eprintln!("\ninterrupted: finishing the cases under way (again to stop at once)");
    };
    // Without a handler Ctrl-C simply ends the program, which is not worth failing for.
    let _ = ctrlc::set_handler(handler);
    &INTERRUPTED
}
