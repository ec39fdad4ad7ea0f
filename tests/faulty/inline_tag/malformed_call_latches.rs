//! After one malformed call the parser gives up: everything that follows is text.
//!
//! vllm-project/vllm#51075: one malformed block latches the parser in its failed state, and all later well-formed calls of
//! the response are lost. minpeter/ai-sdk-tool-call-middleware#303: no recovery of a valid call after a malformed one.
//!
//! A malformed call alone is treated rightly; a good one after it is missing.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::machine::Sink;

use super::buffered::{Buffered, Habits, Marker, OPEN, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Latch {
    failed: bool,
}

impl Habits for Latch {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        if self.failed { Err(Stop::Broken(OPEN.len())) } else { marker(self, text) }
    }

    fn refuted(&mut self, text: &str, broken: usize, sink: &mut impl Sink) -> usize {
        self.failed |= text[..broken].contains(" args={");
        sink.text(&text[..broken]);
        broken
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#51075",
        caught_by: Check::Once,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Latch::default())),
    }
}
