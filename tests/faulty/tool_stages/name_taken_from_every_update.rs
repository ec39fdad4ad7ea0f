//! The name of a block is that of the last update.
//!
//! The reader in netease-lcap/wave-agent@8d3206e spreads each update over the block, the name included.
//!
//! One execution of one tool is shown as that of another.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LastName;

impl Habits for LastName {
    fn renames(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@8d3206e",
        caught_by: Check::Identity,
        target: silent(Dialect::ToolStages, |_| Plain::new(LastName)),
    }
}
