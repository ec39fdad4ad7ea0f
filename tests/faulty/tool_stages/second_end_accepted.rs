//! A block that has ended ends again.
//!
//! RooCodeInc/Roo-Code#9248: the handler of errors and that of results both give one. Later versions of
//! netease-lcap/wave-agent send a second `end` to warn of a call that was made twice.
//!
//! The first result is overwritten.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain, accepts};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EndsAgain;

impl Habits for EndsAgain {
    fn accepts(&self, block: Option<&str>, stage: &str) -> bool {
        (block, stage) == (Some("end"), "end") || accepts(block, stage)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "RooCodeInc/Roo-Code#9248",
        caught_by: Check::Once,
        target: silent(Dialect::ToolStages, |_| Plain::new(EndsAgain)),
    }
}
