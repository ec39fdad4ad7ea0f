//! An update without an id is for the block that was updated last.
//!
//! QwenLM/Qwen-Agent#943: a fragment without an id is taken for a continuation of the call that was seen last.
//!
//! It may be for any of them.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent, word};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Last {
    last: Option<String>,
}

impl Habits for Last {
    fn id(&mut self, update: &Map<String, Value>) -> Option<String> {
        if let Some(id) = word(update, "id") {
            self.last = Some(id.to_owned());
        }
        self.last.clone()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "QwenLM/Qwen-Agent#943",
        caught_by: Check::Expect,
        target: silent(Dialect::ToolStages, |_| Plain::new(Last::default())),
    }
}
