//! The process target with children that really misbehave.
//!
//! The children are this executable again (`child.rs`); the program that judges them is the real one. After each run nothing
//! that it started may be alive. Linux only, because that is looked up in `/proc`.

#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod fuzzing;
#[cfg(target_os = "linux")]
mod greeting;
#[cfg(target_os = "linux")]
mod harness;
#[cfg(target_os = "linux")]
mod known;
#[cfg(target_os = "linux")]
mod misbehaving;
#[cfg(target_os = "linux")]
mod planted;
#[cfg(target_os = "linux")]
mod proof;
#[cfg(target_os = "linux")]
mod signals;
#[cfg(target_os = "linux")]
mod wellbehaved;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        let mut arguments = std::env::args().skip(1);
        if arguments.next().as_deref() == Some("--child") {
            child::main(arguments);
        }
    }
    let mut arguments = Arguments::from_args();
    // Most of the time they wait for a clock to run out.
    arguments.test_threads.get_or_insert(4);
    libtest_mimic::run(&arguments, trials()).exit_code()
}

#[cfg(target_os = "linux")]
fn trials() -> Vec<Trial> {
    let groups = [
        misbehaving::trials(),
        signals::trials(),
        greeting::trials(),
        wellbehaved::trials(),
        proof::trials(),
        known::trials(),
        fuzzing::trials(),
    ];
    groups.into_iter().flatten().collect()
}

#[cfg(not(target_os = "linux"))]
fn trials() -> Vec<Trial> {
    Vec::new()
}

/// A trial that fails by panicking.
#[cfg(target_os = "linux")]
fn trial(name: impl Into<String>, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}
