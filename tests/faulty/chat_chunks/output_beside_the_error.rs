//! An error is written beside the output that is there.
//!
//! huggingface/ml-intern#247: an error flag that is kept wins over a later output. mui/mui-x@0a6eb63 spreads the old
//! invocation and adds the fields of the chunk: the output stays when an error comes.
//!
//! The reader is told two things at once.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::Move;

use super::plain::{Habits, Plain};
use crate::invocation::OUTCOME;
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Spread;

impl Habits for Spread {
    fn replaced(&self, step: Move) -> &'static [&'static str] {
        if step == Move::OutputError { &["preliminary"] } else { &OUTCOME }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "huggingface/ml-intern#247",
        caught_by: Check::Expect,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Spread)),
    }
}
