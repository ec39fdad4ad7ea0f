//! After a line that is no JSON nothing is read any more.
//!
//! pamelafox/ndjson-readablestream#11, neilberkman/ccrider#16: one line that is broken takes all later ones with it.
//!
//! The rest of the answer is lost.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct GivesUp;

impl Habits for GivesUp {
    fn bad_line_is_the_last(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "pamelafox/ndjson-readablestream#11",
        caught_by: Check::Expect,
        target: provable(Dialect::Ndjson, |_| Lined::new(GivesUp)),
    }
}
