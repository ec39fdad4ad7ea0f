//! Every chunk is split into lines by itself.
//!
//! 0xPlaygrounds/rig#1758: a line that is cut in two is parsed as two. sourcegraph/cody#3481 is the opposite: a chunk
//! is taken for one line.
//!
//! While chunks and lines are the same all is well.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PerChunk;

impl Habits for PerChunk {
    fn chunk_ends_line(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "0xPlaygrounds/rig#1758",
        caught_by: Check::Split,
        target: provable(Dialect::Ndjson, |_| Lined::new(PerChunk)),
    }
}
