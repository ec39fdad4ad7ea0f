//! Every chunk searches all that is held from its beginning.
//!
//! KarpelesLab/teamclaude#341: all that came of an event is split again with each chunk, 256 MiB of it in the end.
//!
//! This is the line decoder as it is; all its events are right, and only the time shows it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Lined, Sound};
use crate::support::{Faulty, runnable};

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "KarpelesLab/teamclaude#341",
        caught_by: Check::Cost,
        target: runnable(Dialect::Sse, |_| Lined::new(Sound)),
    }
}
