//! A line ends wherever the language's own function for it says.
//!
//! langchain-ai/langgraph#2560: U+2028, U+0085, form feeds and others end lines in Python, and stand in JSON as they
//! are.
//!
//! The text of a model ends an event in the middle.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

const ENDS: [&str; 7] = ["\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Splitlines;

impl Habits for Splitlines {
    fn line(&self, held: &[u8], _at_end: bool) -> Option<(usize, usize)> {
        let ends = |at: usize| ENDS.iter().find(|end| held[at..].starts_with(end.as_bytes()));
        (0..held.len()).find_map(|at| ends(at).map(|end| (at, at + end.len())))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "langchain-ai/langgraph#2560",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Splitlines)),
    }
}
