//! The last chunk of the parameters is kept with the block.
//!
//! netease-lcap/wave-agent@8d3206e stores it as the last one that came, and shows it with every later update.
//!
//! A reader that appends it appends it twice.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Keeps;

impl Habits for Keeps {
    fn passing(&self) -> &'static [&'static str] {
        &[]
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@8d3206e",
        caught_by: Check::Expect,
        target: silent(Dialect::ToolStages, |_| Plain::new(Keeps)),
    }
}
