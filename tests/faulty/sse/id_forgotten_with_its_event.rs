//! An id is for the event it stands in.
//!
//! Effect-TS/effect#6978, EventSource/eventsource#358, mpetazzoni/sse.js#50: events after it come without.
//!
//! A reader that connects again begins from the start.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Forgets;

impl Habits for Forgets {
    fn forgets_id(&self) -> bool {
        true
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "Effect-TS/effect#6978",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Forgets)),
    }
}
