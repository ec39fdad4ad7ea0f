//! `anysplit fuzz`: random inputs, for as long as one likes.

mod corpus;
mod live;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anysplit::dialect::Dialect;
use anysplit::finding::{Again, Finding, Met, read_all};
use anysplit::fuzz::{Added, Event, Failed, Haul, LANES, Lane, Plan};
use anysplit::report::{Report as _, TerminalReport};
use anysplit::target::{Process, Reference, Target};
use clap::Args;

use self::corpus::Corpus;
use self::live::Live;
use super::interrupt;
use super::output::{self, unwritable};
use super::select::{Shard, quoted};
use super::target::ProcessLimits;
use super::{Exit, Format, Problem};

/// Put random inputs to an implementation, for as long as you like
#[derive(Args)]
#[command(after_help = "\
Each run makes an input with its truth, changes one that led to something new
before, or makes noise; gives it whole and cut; and compares. The reference is
held against the second opinion and what is known by construction, a target
against the reference. Now and then all other checks are asked of an input too.

A failure is made as small as possible and written to the folder of findings,
one file for each kind; `anysplit replay` judges it again. A seed gives the same
runs for ever, on however many threads (with --corpus: and the same corpus).

A target that is lost 20 times in a row, without an answer between, is given up.

Exit codes: 0 nothing found, 1 something found, 3 the target cannot be talked
to, 4 nothing was judged, 130 interrupted before --time or --runs was over.

Examples:
  anysplit fuzz --time 60s
  anysplit fuzz --dialect inline-tag --runs 1000000 --seed 7
  anysplit fuzz --target 'python3 adapter.py' --time 5m
  anysplit fuzz --corpus my-corpus --time 8h
  anysplit fuzz --runs 1000000 --seed 7 --shard 2/4 --findings findings-2")]
pub(super) struct Fuzz {
    /// The command that starts the implementation under test, split like a shell would and run without one
    /// [default: the embedded reference]
    #[arg(long, value_name = "CMD")]
    target: Option<String>,
    #[command(flatten)]
    limits: ProcessLimits,
    /// Only this dialect; may be given several times
    #[arg(long, value_name = "DIALECT")]
    dialect: Vec<Dialect>,
    /// Stop after this time, such as 60s, 5m or 8h [default: go on until Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "runs")]
    time: Option<Duration>,
    /// Stop after so many runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// The seed of all random choices [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many runs are made at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// A folder of inputs to begin with, one folder in it per dialect (inline_tag, …); inputs that lead to something new are added
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Where failures are written
    #[arg(long, value_name = "DIR", default_value = "findings")]
    findings: PathBuf,
    /// Only the I-th of N parts of the runs; `anysplit merge` joins the findings
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

/// A number with `s`, `m` or `h` behind it.
fn duration(text: &str) -> Result<Duration, String> {
    let unit = |unit: char| {
        if unit == 's' {
            Some(1.0)
        } else if unit == 'm' {
            Some(60.0)
        } else {
            (unit == 'h').then_some(3600.0)
        }
    };
    let parse = || {
        let last = text.chars().next_back()?;
        let (number, unit) = match unit(last) {
            Some(unit) => (&text[..text.len() - 1], unit),
            None => (text, 1.0),
        };
        let seconds = number.parse::<f64>().ok()? * unit;
        (0.001..=1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
    };
    parse().ok_or_else(|| "expected a time, such as 60s, 5m or 8h".to_owned())
}

/// A lane does so many runs before it is another's turn.
const TURN: usize = 64;

/// How often the line on the terminal and the files of findings are brought up to date.
const PAUSE: Duration = Duration::from_millis(100);

impl Fuzz {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let known = self.known_findings()?;
        let process = self.target.as_deref().map(|command| self.limits.start_patiently(command)).transpose()?;
        let mut corpus = self.corpus.as_deref().map(Corpus::open).transpose()?;
        let plan = self.plan(process.as_ref(), corpus.as_ref())?;
        let jobs = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        self.announce(&plan, jobs)?;
        let known = known.into_iter().map(|known| (known.file_name(), known)).collect();
        let mut home =
            Home { fuzz: &self, plan: &plan, met: self.met(&plan), haul: Haul::default(), known, changed: false };
        home.haul.begin_with(plan.seeds.iter().flatten());
        let end = self.work(&plan, jobs, |event| home.bring(event, corpus.as_mut()))?;
        home.save()?;
        home.conclude(&end)
    }

    fn plan<'a>(&self, process: Option<&'a Process>, corpus: Option<&Corpus>) -> Result<Plan<'a>, Problem> {
        let target: &dyn Target = process.map_or(&Reference, |process| process);
        let asked = if self.dialect.is_empty() { &Dialect::ALL[..] } else { &self.dialect };
        let mut dialects: Vec<Dialect> = asked.iter().copied().filter(|&dialect| target.speaks(dialect)).collect();
        dialects.sort();
        dialects.dedup();
        if dialects.is_empty() {
            return Err(Problem::nothing(format!("{} speaks none of these dialects", target.name())));
        }
        if self.shard.is_some_and(|shard| shard.parts() as u64 > LANES) {
            return Err(Problem::usage(format!("the runs can be split into {LANES} parts at most")));
        }
        let seed = self.seed.unwrap_or_else(seed_of_the_moment);
        let mut plan = match process {
            Some(process) => Plan::of_process(process, dialects, seed),
            None => Plan::of_reference(dialects, seed),
        };
        if let Some(corpus) = corpus {
            plan.begin_with(corpus.samples()?);
        }
        Ok(plan)
    }

    /// What was found before, with how often: kinds that are met again are counted on. The folder is there from now on, so that
    /// what is found hours later can be written.
    fn known_findings(&self) -> Result<Vec<Finding>, Problem> {
        let folder = &self.findings;
        let unwritable = |error| Problem::usage(format!("{}: cannot be written: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        let probe = folder.join(format!(".probe.{}.tmp", std::process::id()));
        std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe)).map_err(unwritable)?;
        read_all(folder)
            .map_err(|error| Problem::usage(format!("{error}\nmove it away, or choose another folder with --findings")))
    }

    fn met(&self, plan: &Plan<'_>) -> Met {
        let flags = self.target.as_deref().map(|command| self.limits.flags(command)).unwrap_or_default();
        Met {
            target: self.target.clone(),
            name: plan.target.name().to_owned(),
            seed: plan.seed,
            run: 0,
            when: jiff::Timestamp::now().strftime("%FT%TZ").to_string(),
            replay: format!("anysplit replay{flags}"),
            folder: quoted(&self.findings.display().to_string()),
        }
    }

    fn announce(&self, plan: &Plan<'_>, jobs: usize) -> Result<(), Problem> {
        let dialects: Vec<&str> = plan.dialects.iter().map(|dialect| dialect.name()).collect();
        let until = match (self.time, self.runs) {
            (Some(time), _) => format!("for {} s", time.as_secs_f64()),
            (None, Some(runs)) => format!("{runs} runs"),
            (None, None) => "until Ctrl-C".to_owned(),
        };
        let part = self.shard.map(|shard| format!(", part {shard}")).unwrap_or_default();
        let mut line = format!(
            "anysplit {} fuzzes {} ({}; seed {}{part}, {jobs} jobs, {until})",
            env!("CARGO_PKG_VERSION"),
            plan.target.name(),
            dialects.join(", "),
            plan.seed,
        );
        let seeds: usize = plan.seeds.iter().map(Vec::len).sum();
        if seeds > 0 {
            let _ = write!(line, "\nbeginning with {seeds} inputs of the corpus");
        }
        output::say(&line)
    }

    /// Does the runs on several threads, and tells of each that came to something, in no order that matters.
    fn work(
        &self,
        plan: &Plan<'_>,
        jobs: usize,
        mut bring: impl FnMut(Option<Event>) -> Result<Figures, Problem>,
    ) -> Result<End, Problem> {
        let interrupted = interrupt::finishing("interrupted: finishing the runs under way (again to stop at once)");
        let start = Instant::now();
        let work = Work {
            plan,
            lanes: Mutex::new(self.lanes(plan)),
            runs: AtomicU64::new(0),
            most: self.runs,
            stop: AtomicBool::new(false),
        };
        let (sender, receiver) = mpsc::sync_channel::<Event>(1024);
        let mut live = Live::new(start);
        let result = thread::scope(|scope| {
            for _ in 0..jobs {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || work.toil(&mut |event| sender.send(event).is_ok()));
            }
            drop(sender);
            // The receiver goes before the threads are waited for, so that none of them waits for it.
            let receiver = receiver;
            loop {
                let next = match receiver.recv_timeout(PAUSE) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                };
                let over = self.time.is_some_and(|time| start.elapsed() >= time);
                if over || interrupted.load(Ordering::Relaxed) || plan.target.given_up().is_some() {
                    work.stop.store(true, Ordering::Relaxed);
                }
                let is_find = matches!(next, Some(Event::Failed { .. }));
                if is_find {
                    live.clear();
                }
                let figures = bring(next).inspect_err(|_| work.stop.store(true, Ordering::Relaxed))?;
                live.show(work.runs.load(Ordering::Relaxed), figures);
            }
        });
        live.clear();
        result?;
        let runs = work.runs.load(Ordering::Relaxed);
        let is_short = self.time.is_some() || self.runs.is_some();
        Ok(End { runs, taken: start.elapsed(), cut_short: interrupted.load(Ordering::Relaxed) && is_short })
    }

    /// The lanes of this part of the runs.
    fn lanes(&self, plan: &Plan<'_>) -> VecDeque<Lane> {
        let first = Lane::new(0, plan);
        let mine = |number: &u64| self.shard.is_none_or(|shard| shard.holds(*number));
        (0..LANES).filter(mine).map(|number| first.like(number)).collect()
    }
}

/// The work of all threads.
struct Work<'a> {
    plan: &'a Plan<'a>,
    lanes: Mutex<VecDeque<Lane>>,
    runs: AtomicU64,
    most: Option<u64>,
    stop: AtomicBool,
}

impl Work<'_> {
    /// Takes turns with lanes until nothing is left to do; `tell` says whether anybody listens.
    fn toil(&self, tell: &mut dyn FnMut(Event) -> bool) {
        while let Some(mut lane) = self.take() {
            for _ in 0..TURN {
                if self.stop.load(Ordering::Relaxed) || self.is_done(&lane) {
                    break;
                }
                lane.step(self.plan, &mut |event| {
                    if !tell(event) {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                });
                self.runs.fetch_add(1, Ordering::Relaxed);
            }
            if !self.is_done(&lane) {
                self.lanes.lock().unwrap_or_else(PoisonError::into_inner).push_back(lane);
            }
        }
    }

    fn take(&self) -> Option<Lane> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    fn is_done(&self, lane: &Lane) -> bool {
        self.most.is_some_and(|most| lane.next() >= most)
    }
}

/// How the work ended.
struct End {
    runs: u64,
    taken: Duration,
    cut_short: bool,
}

/// What the line on the terminal tells.
#[derive(Clone, Copy, Debug)]
struct Figures {
    fresh: usize,
    findings: usize,
}

/// Where everything is brought.
struct Home<'a> {
    fuzz: &'a Fuzz,
    plan: &'a Plan<'a>,
    met: Met,
    haul: Haul,
    /// Findings of earlier runs, by the names of their files.
    known: BTreeMap<String, Finding>,
    changed: bool,
}

impl Home<'_> {
    fn bring(&mut self, event: Option<Event>, corpus: Option<&mut Corpus>) -> Result<Figures, Problem> {
        match event.map(|event| self.haul.add(self.plan, event, &self.met)) {
            None if self.changed => self.save()?,
            None | Some(Added::Nothing) => {}
            Some(Added::Again(_)) => self.changed = true,
            Some(Added::Input(sample)) => {
                if let Some(corpus) = corpus {
                    corpus.add(&sample)?;
                }
            }
            Some(Added::Finding(finding, failed)) => {
                let finding = finding.clone();
                self.forget_what_is_fixed(&finding);
                self.save()?;
                self.show(&finding, &failed)?;
            }
        }
        Ok(self.figures())
    }

    /// An earlier finding of the same kind stays where it is as long as it fails; then the new one is only counted.
    fn forget_what_is_fixed(&mut self, new: &Finding) {
        let file = new.file_name();
        if self.known.get(&file).is_some_and(|known| !matches!(known.replay(self.plan.target), Again::Same(_))) {
            self.known.remove(&file);
        }
    }

    fn figures(&self) -> Figures {
        Figures { fresh: self.haul.fresh(), findings: self.haul.findings().count() }
    }

    fn show(&self, finding: &Finding, failed: &Failed) -> Result<(), Problem> {
        let mut report = TerminalReport::new(output::stdout(Format::Terminal));
        report.case(&[finding.verdict(failed)]).map_err(unwritable)
    }

    /// Writes all findings, with how often each was met by now.
    fn save(&mut self) -> Result<(), Problem> {
        self.changed = false;
        for finding in self.haul.findings() {
            let mut finding = finding.clone();
            if let Some(known) = self.known.get(&finding.file_name()) {
                let times = known.record.times + finding.record.times;
                finding = known.clone();
                finding.record.times = times;
            }
            finding.write(&self.fuzz.findings).map_err(|error| {
                Problem::usage(format!("{}: cannot be written: {error}", self.fuzz.findings.display()))
            })?;
        }
        Ok(())
    }

    fn conclude(&self, end: &End) -> Result<Exit, Problem> {
        let seconds = end.taken.as_secs_f64();
        let not_asked = self.haul.not_asked();
        let open = if not_asked > 0 {
            format!(", {not_asked} of them not asked (unsupported, or left open by the rules)")
        } else {
            String::new()
        };
        let findings: Vec<&Finding> = self.haul.findings().collect();
        let times: u64 = findings.iter().map(|finding| finding.record.times).sum();
        let found = match findings.len() {
            0 => "nothing found".to_owned(),
            count => format!(
                "found {count} {} of failure, {times} times in all, in {}",
                if count == 1 { "kind" } else { "kinds" },
                self.fuzz.findings.display()
            ),
        };
        let mut files = String::new();
        for finding in &findings {
            let (file, record) = (self.fuzz.findings.join(finding.file_name()), &finding.record);
            let _ =
                write!(files, "\n  {} ({}: {}), {} times", file.display(), record.check, record.class, record.times);
        }
        output::say(&format!(
            "\n{found}{files}\n{} runs in {seconds:.1} s, {:.0} a second{open}; {} inputs led to something new",
            end.runs,
            end.runs as f64 / seconds.max(0.001),
            self.haul.fresh(),
        ))?;
        if let Some(why) = self.plan.target.given_up() {
            let exit = if findings.is_empty() { Exit::Unreachable } else { Exit::Fails };
            return Err(Problem { exit, message: why });
        }
        match (findings.is_empty(), end.cut_short) {
            (_, true) => Ok(Exit::Interrupted),
            (false, _) => Ok(Exit::Fails),
            (true, _) if end.runs == 0 => Err(Problem::nothing("there was no run in this part")),
            (true, _) if not_asked >= end.runs => {
                Err(Problem::nothing("no run was judged: the target supports nothing of what was asked"))
            }
            (true, _) => Ok(Exit::Conforms),
        }
    }
}

/// A seed that nobody chose; it is printed, so that it can be chosen again.
fn seed_of_the_moment() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() << 12 ^ u64::from(now.subsec_nanos() >> 18)
}
