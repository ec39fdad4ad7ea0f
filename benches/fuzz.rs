//! How many inputs a second `anysplit fuzz` puts to the reference of `inline-tag`, on one core.
//!
//! `cargo bench --bench fuzz` prints a table and fails below 100,000 checked runs a second for `inline-tag`. A run is one input of about
//! 200 bytes: made, given to the reference whole and cut, held against the second opinion and against what is known of it by
//! construction, and walked over for landmarks; now and then all other checks are asked of one. The time is that of this thread,
//! so that what else the machine does counts little.

use std::process::ExitCode;
use std::time::Duration;

use anysplit::dialect::Dialect;
use anysplit::fuzz::{Event, Lane, Plan};
use rustix::time::{ClockId, clock_gettime};

const RUNS: u64 = 50_000;
const ROUNDS: usize = 6;
const LEAST: f64 = 100_000.0;

fn main() -> ExitCode {
    println!("checked runs a second on one core; fastest of {ROUNDS} times {RUNS} runs");
    let mut good = true;
    for dialect in Dialect::ALL {
        let plan = Plan::of_reference(vec![dialect], 0);
        let mut lane = Lane::new(0, &plan);
        let mut round = || {
            let start = now();
            for _ in 0..RUNS {
                lane.step(&plan, &mut |event| assert!(matches!(event, Event::New(_)), "{event:?}"));
            }
            RUNS as f64 / (now() - start).as_secs_f64()
        };
        let fastest = (0..ROUNDS).map(|_| round()).fold(0.0, f64::max);
        let least = if dialect == Dialect::InlineTag { format!(" (at least {LEAST})") } else { String::new() };
        println!("{dialect:17} {fastest:9.0}{least}");
        good &= dialect != Dialect::InlineTag || fastest >= LEAST;
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
