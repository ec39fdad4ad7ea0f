//! The input is what the deltas join to; the one that comes as a whole is not looked at.
//!
//! lidge-jun/opencodex#4652: arguments that are given only in the last event are not forwarded.
//! anthropics/claude-code#67765: what does not parse becomes an empty object.
//!
//! A call that did not stream its input runs without any.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::scan::json::any;
use serde_json::{Value, json};

use super::plain::{Habits, Plain};
use crate::invocation::Invocation;
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Joined;

impl Habits for Joined {
    fn input(&self, call: &Invocation, _given: Value) -> Value {
        any(call.deltas.as_bytes()).unwrap_or_else(|| json!({}))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "lidge-jun/opencodex#4652",
        caught_by: Check::Fidelity,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Joined)),
    }
}
