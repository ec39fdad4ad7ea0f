//! The end of the stream ends all blocks, as failures that nobody reported.
//!
//! netease-lcap/wave-agent@1da8703 gives every open block an `end` of its own making.
//!
//! That a stream broke looks like a tool that failed.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EndsAll;

impl Habits for EndsAll {
    fn ends_all(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@1da8703",
        caught_by: Check::Truncate,
        target: silent(Dialect::ToolStages, |_| Plain::new(EndsAll)),
    }
}
