//! How many splittings a second adapters in Python and Node take, and what that costs on this side of the pipe.
//!
//! The adapters do nothing but cut and echo. The same splittings of one input go as `sweep`s, as one `run` each, and with one message for
//! every chunk, as protocols that feed a stream piece by piece would. A language that is not installed is left out, and said so.

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anysplit::dialect::{Dialect, Options};
use anysplit::target::process::{Limits, Process};
use anysplit::target::{Setting, Target};
use anysplit::variation::{Atoms, Cuts};

const INPUT: &str = "Let me look that up for you. <tool_call name=\"search\" args={\"query\": \"any split\"}></tool_call> Here it is, at last.";

/// How many splittings a second there must be at least, with `sweep`.
const LANGUAGES: [(&str, &str, f64); 2] = [("python3", "echo.py", 10_000.0), ("node", "echo.mjs", 15_000.0)];

/// What this side may cost, for what the adapter costs.
const SHARE: f64 = 0.25;

/// So many sweeps are measured together, so that starting the adapter counts for little; and so often, so that what else the machine does
/// disturbs the best one least.
const SWEEPS: usize = 60;
const ROUNDS: usize = 3;

fn main() -> ExitCode {
    println!("splittings of {} characters with up to 3 cuts, one process", INPUT.chars().count());
    let mut all_good = true;
    for (program, script, least) in LANGUAGES {
        let there = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if there.is_ok_and(|status| status.success()) {
            all_good &= measure(program, script, least);
        } else {
            println!("{program:8} is not installed, and left out");
        }
    }
    if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(program: &str, script: &str, least: f64) -> bool {
    let script = format!("{}/adapters/kit/bench/{script}", env!("CARGO_MANIFEST_DIR"));
    let command = vec![program.to_owned(), script];
    let cuts = cuts(Atoms::of(INPUT).len());
    let sweep = || {
        run(&command, |target, setting, atoms| {
            for _ in 0..SWEEPS {
                target.sweep(setting, atoms, &cuts).expect("it echoes");
            }
            SWEEPS * cuts.len()
        })
    };
    let sweeps: Vec<Measured> = (0..ROUNDS).map(|_| sweep()).collect();
    let rate = sweeps.iter().map(|sweep| sweep.rate).fold(0.0, f64::max);
    let share = |sweep: &Measured| sweep.own.as_secs_f64() / sweep.adapter.as_secs_f64();
    let share = sweeps.iter().map(share).fold(f64::INFINITY, f64::min);
    let one_run = run(&command, |target, setting, atoms| {
        let inputs: Vec<_> = cuts.iter().take(8000).map(|cuts| atoms.chunks(cuts)).collect();
        target.run_all(setting, &inputs).expect("it echoes").len()
    });
    let one_chunk = run(&command, |target, setting, atoms| {
        let some = &cuts[..2000];
        for chunk in some.iter().flat_map(|cuts| atoms.chunks(cuts)) {
            target.run(setting, &[chunk]).expect("it echoes");
        }
        some.len()
    });
    println!("{program:8} sweep                   {rate:8.0} splittings/s (at least {least})");
    println!("{program:8} one message a splitting {:8.0} splittings/s", one_run.rate);
    println!("{program:8} one message a chunk     {:8.0} splittings/s", one_chunk.rate);
    println!("{program:8} this side's CPU for the adapter's, with sweep: {share:.2} (at most {SHARE})");
    rate >= least && share <= SHARE
}

struct Measured {
    rate: f64,
    own: Duration,
    adapter: Duration,
}

fn run(command: &[String], work: impl Fn(&Process, Setting<'_>, &Atoms<'_>) -> usize) -> Measured {
    let options = Options::default();
    let setting = Setting { dialect: Dialect::InlineTag, options: &options };
    let atoms = Atoms::of(INPUT);
    let (own, children) = (own_time(), childrens_time());
    let target = Process::start(command.to_vec(), Limits::default(), None).expect("the adapter starts");
    let start = Instant::now();
    let splittings = work(&target, setting, &atoms);
    let taken = start.elapsed();
    let own = own_time() - own;
    drop(target); // and reaped, so that its time counts
    Measured { rate: splittings as f64 / taken.as_secs_f64(), own, adapter: childrens_time() - children }
}

/// All splittings with one cut and two, and some with three.
fn cuts(len: usize) -> Vec<Cuts> {
    let mut cuts = vec![Cuts::NONE];
    for first in 1..len {
        cuts.push(Cuts(vec![first]));
        for second in first + 1..len {
            cuts.push(Cuts(vec![first, second]));
            if (first + second) % 3 == 0 && second + 1 < len {
                cuts.push(Cuts(vec![first, second, second + 1]));
            }
        }
    }
    cuts
}

fn own_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time of children that have ended, in hundredths of a second, as Linux counts.
fn childrens_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields.iter().skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}
