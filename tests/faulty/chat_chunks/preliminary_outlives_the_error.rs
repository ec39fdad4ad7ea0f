//! The flag `preliminary` is cleared by the next output, and by nothing else.
//!
//! mui/mui-x@0a6eb63 writes the flag with every output; an error leaves it where it is.
//!
//! A call that has failed looks as if more were to come.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::Move;

use super::plain::{Habits, Plain};
use crate::invocation::OUTCOME;
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OnlyByOutput;

impl Habits for OnlyByOutput {
    fn replaced(&self, step: Move) -> &'static [&'static str] {
        if step == Move::OutputError { &["output"] } else { &OUTCOME }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mui/mui-x@0a6eb63",
        caught_by: Check::Expect,
        target: silent(Dialect::ChatChunks, |_| Plain::new(OnlyByOutput)),
    }
}
