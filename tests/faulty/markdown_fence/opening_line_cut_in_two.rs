//! Outside of blocks each chunk is split into lines on its own, so that an opening line is found only in one piece.
//!
//! minpeter/ai-sdk-tool-call-middleware#34: a partial opening fence is sliced wrongly. graniet/llm#90: a chunk border
//! inside a line gives two halves that are both lost.
//!
//! `` ```to `` | `ol` opens nothing, and three backticks that only begin a chunk open a block.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ChunkByChunk;

impl Habits for ChunkByChunk {
    fn waits(&self) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "minpeter/ai-sdk-tool-call-middleware#34",
        caught_by: Check::Split,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(ChunkByChunk)),
    }
}
