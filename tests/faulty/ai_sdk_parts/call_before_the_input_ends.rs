//! A call is run while its input still streams.
//!
//! vercel/ai#13137, OpenRouterTeam/ai-sdk-provider#74: a call counts as complete as soon as what has come of it looks
//! complete; what comes later is lost.
//!
//! Half of the input may have been enough to parse, and too little to run.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain, next};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Early;

impl Habits for Early {
    fn next(&self, state: State, step: Move) -> Option<State> {
        match (state, step) {
            (State::InputStreaming, Move::Input) => Some(State::InputAvailable),
            _ => next(state, step),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#13137",
        caught_by: Check::Expect,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Early)),
    }
}
