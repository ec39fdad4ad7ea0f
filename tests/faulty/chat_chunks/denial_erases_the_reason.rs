//! A denial overwrites the answer, with the reason that the user gave.
//!
//! mui/mui-x@0a6eb63 sets the approval from the chunk alone, which rarely has a reason of its own.
//!
//! Why the user said no is forgotten.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Overwritten;

impl Habits for Overwritten {
    fn reason(&self, given: Option<String>, _before: Option<String>) -> Option<String> {
        given
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mui/mui-x@0a6eb63",
        caught_by: Check::Expect,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Overwritten)),
    }
}
