//! A block that has ended is forgotten, so that it can begin again.
//!
//! coder/coder#22437: what a reader missed is replayed to it twice, and nothing notices that it was there before.
//!
//! A call that was made once is shown twice.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Forgets;

impl Habits for Forgets {
    fn forgets(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "coder/coder#22437",
        caught_by: Check::Once,
        target: silent(Dialect::ToolStages, |_| Plain::new(Forgets)),
    }
}
