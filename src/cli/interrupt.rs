//! Ctrl-C, and what else asks the program to end: nothing that it started may stay behind.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anysplit::target::process;

use super::Exit;

/// So long what is under way may take once somebody asked for the end; a target that hangs is not waited for.
const GRACE: Duration = Duration::from_secs(5);

/// Whether Ctrl-C came.
static CAME: AtomicBool = AtomicBool::new(false);

/// What is said then, where there is something to finish.
static FINISHING: Mutex<Option<&'static str>> = Mutex::new(None);

/// From now on Ctrl-C ends the processes of targets with this one: at once, unless there is something to finish.
pub(super) fn guard() {
    let handler = || {
        let message = *FINISHING.lock().unwrap_or_else(PoisonError::into_inner);
        match message {
            Some(message) if !CAME.swap(true, Ordering::Relaxed) => {
                process::hurry(GRACE);
                anstream::eprintln!("\n{message}");
            }
            _ => {
                process::end_all();
                std::process::exit(Exit::Interrupted as i32);
            }
        }
    };
    // It is set once; without it Ctrl-C simply ends the program, which is not worth failing for.
    let _ = ctrlc::set_handler(handler);
}

/// Whether Ctrl-C came.
pub(super) fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// A flag that Ctrl-C sets, with these words, so that the command ends with what it came to; a second Ctrl-C ends it at once.
pub(super) fn finishing(message: &'static str) -> &'static AtomicBool {
    *FINISHING.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
    guard();
    &CAME
}
