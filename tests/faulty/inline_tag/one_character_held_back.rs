//! The look-back is shorter than the marker: only a `<` at the end of a chunk waits for more.
//!
//! AmanCode22/deeperseeker#27: an opening tag longer than the look-back window leaks as raw markup for chunk sizes of 1, 3
//! and 12.
//!
//! `<` | `tool_call …` is found, `<tool` | `_call …` is not: only some splittings show it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OneCharacter;

impl Habits for OneCharacter {
    fn held_back(&mut self, text: &str) -> usize {
        usize::from(text.ends_with('<'))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "AmanCode22/deeperseeker#27",
        caught_by: Check::Split,
        target: provable(Dialect::InlineTag, |_| Buffered::new(OneCharacter)),
    }
}
