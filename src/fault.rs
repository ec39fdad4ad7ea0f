//! How a target fails to give an answer, and how its panic becomes a value.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// How a target failed to give an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It raised an error, in this process.
    Panic {
        /// Its message.
        message: String,
    },
    /// It raised an error, as its adapter says.
    Raised {
        /// The message.
        message: String,
        /// Where, as its language shows it.
        trace: Option<String>,
    },
    /// It gave far more than an input of this size can mean.
    Flood,
    /// Its process gave no answer, and had to be replaced.
    Lost {
        /// In which way.
        loss: Loss,
        /// In detail.
        detail: String,
        /// The last lines that it wrote to standard error.
        stderr: Vec<String>,
    },
    /// It cannot do what was asked, as its adapter says.
    Unsupported {
        /// The command, the dialect or the option.
        what: String,
        /// Why, in its own words.
        reason: String,
    },
    /// Its process was replaced too often.
    GivenUp,
}

/// How a process fails to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// A signal ended it.
    Crash,
    /// It ended by itself.
    Exit,
    /// It wrote without end to standard output.
    Flood,
    /// It wrote something that is no answer.
    Garbage,
    /// It ended within a line.
    HalfALine,
    /// It did not answer in time.
    Hang,
    /// What it wrote is not UTF-8.
    InvalidUtf8,
    /// It took more memory than it may.
    Memory,
    /// It wrote without end to standard error.
    StderrFlood,
    /// It could not be started.
    Unstartable,
    /// It answered with more or fewer lists than asked for.
    WrongCount,
    /// It answered another request.
    WrongId,
}

impl Loss {
    /// The name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Exit => "exit",
            Self::Flood => "flood",
            Self::Garbage => "garbage",
            Self::HalfALine => "half-a-line",
            Self::Hang => "hang",
            Self::InvalidUtf8 => "invalid-utf-8",
            Self::Memory => "memory",
            Self::StderrFlood => "stderr-flood",
            Self::Unstartable => "unstartable",
            Self::WrongCount => "wrong-count",
            Self::WrongId => "wrong-id",
        }
    }
}

impl Fault {
    /// The name, as in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Panic { .. } => "panic",
            Self::Raised { .. } => "error",
            Self::Flood => "flood",
            Self::Lost { loss, .. } => loss.name(),
            Self::Unsupported { .. } => "unsupported",
            Self::GivenUp => "given-up",
        }
    }

    /// The same, with where it happened.
    pub(crate) fn noting(mut self, place: &str) -> Self {
        if let Self::Panic { message: words } | Self::Raised { message: words, .. } | Self::Lost { detail: words, .. } =
            &mut self
        {
            *words = format!("{words} ({place})");
        }
        self
    }

    /// Whether the target has to begin anew after it, which takes time: nothing more is asked about this case.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::GivenUp)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic { message } => write!(f, "it panicked: {message}"),
            Self::Raised { message, trace: None } => write!(f, "it raised: {message}"),
            Self::Raised { message, trace: Some(trace) } => {
                write!(f, "it raised: {message}")?;
                trace.lines().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Self::Flood => f.write_str("it gave far more than an input of this size can mean"),
            Self::Lost { loss, detail, stderr } => {
                write!(f, "{}: {detail}", loss.name())?;
                if !stderr.is_empty() {
                    f.write_str("\nits last lines on standard error:")?;
                }
                stderr.iter().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Self::Unsupported { what, reason } => write!(f, "the target does not support this {what}: {reason}"),
            Self::GivenUp => f.write_str("it was not asked: its process had to be replaced too often"),
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
