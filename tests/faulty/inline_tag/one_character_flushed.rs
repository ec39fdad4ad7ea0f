//! A `<` alone at the end of a chunk is passed on; only two characters and more of the opening tag wait.
//!
//! ai-dynamo/frontend-crates#133: an overlap of one character with the marker is flushed, which destroys the marker that
//! goes on in the next chunk.
//!
//! The mirror image of `one_character_held_back`: of all single cuts through the opening tag only the first fails.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, held_back};
use crate::support::{Faulty, runnable};

struct TwoOrMore;

impl Habits for TwoOrMore {
    fn held_back(&mut self, text: &str) -> usize {
        match held_back(text) {
            1 => 0,
            more => more,
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "ai-dynamo/frontend-crates#133",
        caught_by: Check::Split,
        target: runnable(Dialect::InlineTag, |_| Buffered::new(TwoOrMore)),
    }
}
