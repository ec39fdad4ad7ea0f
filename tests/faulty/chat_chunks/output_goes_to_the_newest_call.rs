//! Outputs go to the call that began last.
//!
//! anthropics/anthropic-sdk-typescript#1080: events are put to the last block and not to the one they name.
//! maximhq/bifrost#1829: deltas of parallel calls are appended to the most recent one.
//!
//! One call after the other all is well.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::Move;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::invocation::Calls;
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Newest {
    newest: String,
}

impl Habits for Newest {
    fn key(&mut self, calls: &Calls, id: &str, step: Move, _chunk: &Map<String, Value>) -> String {
        if !calls.contains_key(id) && matches!(step, Move::Start | Move::Input | Move::Request) {
            self.newest = id.to_owned();
        }
        let is_outcome = matches!(step, Move::Preliminary | Move::Output | Move::OutputError);
        if is_outcome { self.newest.clone() } else { id.to_owned() }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "anthropics/anthropic-sdk-typescript#1080",
        caught_by: Check::Interleave,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Newest::default())),
    }
}
