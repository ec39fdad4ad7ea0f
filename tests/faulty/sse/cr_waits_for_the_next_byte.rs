//! A CR at the end of a chunk waits until it is known whether an LF follows.
//!
//! cohere-ai/cohere-typescript#301, Soju06/codex-lb#1854: a complete event is given with the next chunk, or when the
//! stream is closed.
//!
//! Where servers send CR, every event comes with the next one.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined, line};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Waits;

impl Habits for Waits {
    fn line(&self, held: &[u8], at_end: bool) -> Option<(usize, usize)> {
        let (content, len) = line(held)?;
        match (held[content], held.get(len)) {
            (b'\r', Some(b'\n')) => Some((content, len + 1)),
            (b'\r', None) if !at_end => None,
            _ => Some((content, len)),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "cohere-ai/cohere-typescript#301",
        caught_by: Check::Prompt,
        target: provable(Dialect::Sse, |_| Lined::new(Waits)),
    }
}
