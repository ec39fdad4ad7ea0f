//! Calls are kept in an object that inherits some keys: an id such as `constructor` is one that is known already.
//!
//! anomalyco/opencode#44626: a plain object, keyed by what the server sends. assistant-ui/assistant-ui#7107: such
//! calls get results of tools that never ran. In versions of vercel/ai before 5.0.277 a delta for `__proto__` changes
//! every object of the program.
//!
//! What is inherited is updated, and the call is never shown.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

const INHERITED: [&str; 5] = ["constructor", "hasOwnProperty", "toString", "valueOf", "__proto__"];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Inherits;

impl Habits for Inherits {
    fn next(&self, id: &str, state: State, step: Move) -> Option<State> {
        state.after(step).ok().filter(|_| !INHERITED.contains(&id))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "anomalyco/opencode#44626",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Inherits)),
    }
}
