//! A chunk is appended to the parameters, also where the update brings them with the chunk in them.
//!
//! The reader in netease-lcap/wave-agent@8d3206e appends whatever chunk there is, while the sender lets the parameters
//! win.
//!
//! The end of the parameters is there twice.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent, text, word};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Appends;

impl Habits for Appends {
    fn parameters(&self, before: &str, update: &Map<String, Value>) -> String {
        let parameters = word(update, "parameters").unwrap_or(before);
        [parameters, text(update, "parametersChunk").unwrap_or_default()].concat()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "netease-lcap/wave-agent@8d3206e",
        caught_by: Check::Expect,
        target: silent(Dialect::ToolStages, |_| Plain::new(Appends)),
    }
}
