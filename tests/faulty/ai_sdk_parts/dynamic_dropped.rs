//! Where a call is handed on, `dynamic` is left behind.
//!
//! vercel/ai#17807: the flag is dropped on the way, and valid calls of tools that nobody declared are marked as
//! invalid. vercel/ai#20068: a dynamic tool comes out as another.
//!
//! The call is taken for one of a tool that is known.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Static;

impl Habits for Static {
    fn dynamic(&self, _part: Option<bool>, _start: bool) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#17807",
        caught_by: Check::Expect,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Static)),
    }
}
