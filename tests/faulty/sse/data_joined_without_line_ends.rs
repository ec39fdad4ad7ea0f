//! Several lines of data are joined with nothing between them.
//!
//! stalwartlabs/jmap-client#19, kerlenton/mcpsnoop#18: `line1` and `line2` are `line1line2`.
//!
//! In JSON it rarely shows; in text it does.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Glued;

impl Habits for Glued {
    fn data(&self, data: &mut Option<String>, value: &str) {
        data.get_or_insert_default().push_str(value);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "stalwartlabs/jmap-client#19",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Glued)),
    }
}
