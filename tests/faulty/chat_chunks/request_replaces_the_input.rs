//! An approval request overwrites the input that the call has.
//!
//! mui/mui-x@0a6eb63 takes name, input and id from every request. With requests as vercel/ai sends them, which have
//! none of these, the user approves a call of nothing.
//!
//! What is approved is not what was shown.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Overwrites;

impl Habits for Overwrites {
    fn request_replaces_input(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mui/mui-x@0a6eb63",
        caught_by: Check::Fidelity,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Overwrites)),
    }
}
