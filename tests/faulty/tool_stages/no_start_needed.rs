//! An update for a block that is not there makes one.
//!
//! netease-lcap/wave-agent@5aa3c19 pushes a block where it finds none, and gives no `start` at all for the first delta
//! as OpenAI sends it.
//!
//! A block is running that never began.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain, accepts};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct MakesOne;

impl Habits for MakesOne {
    fn accepts(&self, block: Option<&str>, stage: &str) -> bool {
        block.is_none() || accepts(block, stage)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@5aa3c19",
        caught_by: Check::Once,
        target: silent(Dialect::ToolStages, |_| Plain::new(MakesOne)),
    }
}
