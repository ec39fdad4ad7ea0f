//! The end of the stream ends an event, as a blank line would.
//!
//! openai/openai-node#2725 and many others ask for it, because some servers leave the last blank line out. The
//! standard discards such an event, for half of it may be missing.
//!
//! A stream that broke gives an event that was never sent.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Flushes;

impl Habits for Flushes {
    fn end_ends_event(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "openai/openai-node#2725",
        caught_by: Check::Truncate,
        target: provable(Dialect::Sse, |_| Lined::new(Flushes)),
    }
}
