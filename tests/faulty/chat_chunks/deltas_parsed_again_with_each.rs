//! Every delta parses all deltas so far.
//!
//! assistant-ui/assistant-ui#7166, PrimeIntellect-ai/prime-agent#980: the whole prefix is parsed with each delta, 8.5
//! million characters for an argument of 4119. get-convex/agent#190: each new chunk replays all earlier deltas.
//!
//! All events are right, and only the time shows it.

use std::hint::black_box;

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::scan::json::any;

use super::plain::{Habits, Plain};
use crate::invocation::Invocation;
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reparses;

impl Habits for Reparses {
    fn delta(&self, call: &Invocation) {
        black_box(any(call.deltas.as_bytes()));
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "assistant-ui/assistant-ui#7166",
        caught_by: Check::Cost,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Reparses)),
    }
}
