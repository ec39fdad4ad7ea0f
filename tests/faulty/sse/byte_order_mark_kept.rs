//! A byte order mark is part of the first field's name.
//!
//! agentic-os-org/ANOLISA#2209: the first line is of a field that nobody knows.
//!
//! The first event is lost in silence.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kept;

impl Habits for Kept {
    fn passes_over_mark(&self) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "agentic-os-org/ANOLISA#2209",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Kept)),
    }
}
