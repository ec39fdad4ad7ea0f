//! An update that comes after the end sets the stage back.
//!
//! vybestack/llxprt-code#2914: a late event overwrites that a call was cancelled. netease-lcap/wave-agent@5aa3c19
//! looks at no stage before it sets the new one.
//!
//! The block spins again, and no end will come.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain, accepts};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reopens;

impl Habits for Reopens {
    fn accepts(&self, block: Option<&str>, stage: &str) -> bool {
        let is_late = block == Some("end") && matches!(stage, "streaming" | "running");
        is_late || accepts(block, stage)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vybestack/llxprt-code#2914",
        caught_by: Check::Once,
        target: silent(Dialect::ToolStages, |_| Plain::new(Reopens)),
    }
}
