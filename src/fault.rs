//! How a target fails to give an answer, and how its panic becomes a value.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use serde::Serialize;

/// How a target failed to give an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Fault {
    /// It raised an error.
    Panic {
        /// Its message.
        message: String,
    },
    /// It gave far more than an input of this size can mean.
    Flood,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic { message } => write!(f, "it panicked: {message}"),
            Self::Flood => f.write_str("it gave far more than an input of this size can mean"),
        }
    }
}

/// More events and bytes of text than any sensible output for an input of this many bytes.
pub(crate) fn flood_from(bytes: usize) -> usize {
    (64 << 10) + 64 * bytes
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Runs a target's code; its panic becomes a fault and is not printed.
pub(crate) fn catching<T>(code: impl FnOnce() -> T) -> Result<T, Fault> {
    static QUIET_HOOK: Once = Once::new();
    QUIET_HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                loud(info);
            }
        }));
    });
    let before = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(code));
    CATCHING.set(before);
    result.map_err(|payload| Fault::Panic { message: message(&*payload) })
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
