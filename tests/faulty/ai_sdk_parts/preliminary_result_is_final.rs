//! The first result is the last, also where it says that another will come.
//!
//! vercel/ai#21083: a preliminary output counts as complete, and the next request is sent.
//!
//! The reader is left with the progress bar.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct First;

impl Habits for First {
    fn is_preliminary(&self, _part: &Map<String, Value>) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#21083",
        caught_by: Check::Expect,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(First)),
    }
}
