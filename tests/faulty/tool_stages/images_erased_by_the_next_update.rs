//! The images of a block are those of the last update.
//!
//! netease-lcap/wave-agent@5aa3c19 overwrites them in any case, with nothing where there are none.
//!
//! What a tool has shown goes away.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Passing;

impl Habits for Passing {
    fn passing(&self) -> &'static [&'static str] {
        &["parametersChunk", "images"]
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@5aa3c19",
        caught_by: Check::Expect,
        target: silent(Dialect::ToolStages, |_| Plain::new(Passing)),
    }
}
