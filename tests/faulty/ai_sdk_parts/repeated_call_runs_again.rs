//! A call that comes a second time is run a second time.
//!
//! MCPJam/inspector#1370: calls are duplicated after approval. Versions of vercel/ai run both calls of one id.
//!
//! What must be done once is done twice.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain, next};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Twice;

impl Habits for Twice {
    fn next(&self, state: State, step: Move) -> Option<State> {
        match (state, step) {
            (State::InputAvailable, Move::Input) => Some(State::InputAvailable),
            _ => next(state, step),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "MCPJam/inspector#1370",
        caught_by: Check::Once,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Twice)),
    }
}
