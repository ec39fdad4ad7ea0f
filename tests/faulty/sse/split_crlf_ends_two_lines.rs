//! A CR at the end of a chunk and an LF at the start of the next are two line ends.
//!
//! rexxars/eventsource-parser#17, ax-llm/ax#622, kaitranntt/ccs#1359: the line end is completed per chunk, and the LF
//! that is left over is a blank line.
//!
//! An event of several lines is torn in two.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PerChunk;

impl Habits for PerChunk {
    fn remembers_cr(&self) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "rexxars/eventsource-parser#17",
        caught_by: Check::Split,
        target: provable(Dialect::Sse, |_| Lined::new(PerChunk)),
    }
}
