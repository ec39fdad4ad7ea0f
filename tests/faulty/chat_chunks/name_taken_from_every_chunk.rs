//! The name of a call is that of the last chunk that had one.
//!
//! mui/mui-x@0a6eb63 overwrites it with every chunk that brings a name.
//!
//! The user approves one tool and sees another.

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
        origin: "mui/mui-x@0a6eb63",
        caught_by: Check::Identity,
        target: silent(Dialect::ChatChunks, |_| Plain::new(LastName)),
    }
}
