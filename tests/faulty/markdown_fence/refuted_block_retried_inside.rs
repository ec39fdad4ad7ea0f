//! The lines of a refuted block are looked at again, so that a fence inside it opens.
//!
//! unslothai/unsloth#5620: after a truncated call the search goes on inside it and promotes JSON that it quotes to a call.
//!
//! A tool fence inside a broken call runs; another fence inside hides what follows.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Again;

impl Habits for Again {
    fn retries(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "unslothai/unsloth#5620",
        caught_by: Check::Once,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(Again)),
    }
}
