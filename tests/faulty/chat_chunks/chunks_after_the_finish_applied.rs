//! Chunks that come after `finish` are taken as if nothing had been.
//!
//! vercel/ai@0103ba5 does not stop there. In mui/mui-x@0a6eb63 chunks that were buffered behind a `finish` set the
//! message back to streaming.
//!
//! Calls begin in a message that is complete.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ReadsOn;

impl Habits for ReadsOn {
    fn closes(&self) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai@0103ba5",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(ReadsOn)),
    }
}
