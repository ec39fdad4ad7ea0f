//! A call whose input was cut off is run with what there is.
//!
//! anthropics/claude-code#67765: a stream that ends inside of a string gives `{}`, and the call is run.
//! 14790897/MiqroForge-Desktop#1094: arguments that were cut off are run all the same.
//!
//! Nobody asked for this call.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::scan::json::any;
use serde_json::{Value, json};

use super::plain::{Habits, Plain};
use crate::invocation::Invocation;
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Guesses;

impl Habits for Guesses {
    fn guessed(&self, call: &Invocation) -> Option<Value> {
        Some(any(call.deltas.as_bytes()).unwrap_or_else(|| json!({})))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "anthropics/claude-code#67765",
        caught_by: Check::Truncate,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Guesses)),
    }
}
