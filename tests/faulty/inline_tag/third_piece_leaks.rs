//! What is held waits for one more chunk and no longer: an opening tag in three pieces leaks.
//!
//! sgl-project/sglang#31351: a marker that arrives in three pieces is flushed as normal text and the call is missed.
//! vllm-project/vllm#40785: the same for `<`, `tool`, `_call>`.
//!
//! No single cut shows it, and not every pair of cuts.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, held_back};
use crate::support::{Faulty, runnable};

#[derive(Default)]
struct OneMoreChunk {
    waited: bool,
}

impl Habits for OneMoreChunk {
    fn held_back(&mut self, text: &str) -> usize {
        let held = if self.waited { 0 } else { held_back(text) };
        self.waited = held > 0;
        held
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "sgl-project/sglang#31351",
        caught_by: Check::Split,
        target: runnable(Dialect::InlineTag, |_| Buffered::new(OneMoreChunk::default())),
    }
}
