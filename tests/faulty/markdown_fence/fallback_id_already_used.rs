//! A fallback id does not move on past ids that were used before.
//!
//! NousResearch/hermes-agent#67777: of two calls that share an id the second result vanishes. can1357/oh-my-pi#2055: two
//! calls under one id collapse, and one is never answered.
//!
//! A writer who uses `tool-call-2` first makes the second block collide with it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Ids, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ordinal;

impl Habits for Ordinal {
    fn fallback(&self, ids: &Ids) -> String {
        format!("tool-call-{}", ids.count)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "NousResearch/hermes-agent#67777",
        caught_by: Check::Identity,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(Ordinal)),
    }
}
