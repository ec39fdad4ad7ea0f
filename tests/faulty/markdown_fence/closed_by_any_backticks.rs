//! A block ends at the next three backticks, wherever they stand.
//!
//! ZeroTricks/lumo-tamer#84: a fence inside a string argument ends the call. kyh/loremllm@5b90e9d: the content runs to the
//! first three backticks, inside a string or behind the JSON on the same line.
//!
//! A call that quotes a code block becomes text.

use std::ops::Range;

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Fence, Habits, Lined, closing};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Anywhere;

impl Habits for Anywhere {
    fn closing(&self, fence: &Fence, line: &str) -> Option<Range<usize>> {
        closing(fence, line).or_else(|| line.find("```").map(|at| at..at + 3))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "ZeroTricks/lumo-tamer#84",
        caught_by: Check::Conserve,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(Anywhere)),
    }
}
