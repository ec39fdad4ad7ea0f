//! The parameters of every update are taken, also where there are none.
//!
//! netease-lcap/wave-agent@5aa3c19 overwrites them in any case, and sends `running` with an empty string.
//!
//! The block shows no parameters while its tool runs.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent, text};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Overwrites;

impl Habits for Overwrites {
    fn parameters(&self, _before: &str, update: &Map<String, Value>) -> String {
        text(update, "parameters").unwrap_or_default().to_owned()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@5aa3c19",
        caught_by: Check::Expect,
        target: silent(Dialect::ToolStages, |_| Plain::new(Overwrites)),
    }
}
