//! A chunk of the parameters is for the block that started last.
//!
//! microsoft/agent-framework#6342: arguments are attached to the call that is active, without a look at their id.
//! LibreChat-AI/agents#260: fragments of parallel calls collapse into one.
//!
//! One block after the other all is well.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent, text};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Active {
    active: String,
}

impl Habits for Active {
    fn block_of_chunk(&mut self, id: &str, update: &Map<String, Value>) -> String {
        if text(update, "stage") == Some("start") {
            self.active = id.to_owned();
        }
        self.active.clone()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "microsoft/agent-framework#6342",
        caught_by: Check::Interleave,
        target: silent(Dialect::ToolStages, |_| Plain::new(Active::default())),
    }
}
