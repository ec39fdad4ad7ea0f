//! The end of the stream closes an open block.
//!
//! unslothai/unsloth#5624: a call that the end of the generation cuts off is appended all the same. vercel/ai#13137: what
//! parses counts as finished.
//!
//! Cut off between its body and its closing line, a block is reported complete.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EndCloses;

impl Habits for EndCloses {
    fn end_closes(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "unslothai/unsloth#5624",
        caught_by: Check::Truncate,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(EndCloses)),
    }
}
