//! An input error for an id that nobody knows makes a call of it.
//!
//! vercel/ai@0103ba5 creates a part in `output-error`, while all other chunks for such an id are refused.
//!
//! A call ends that never began.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct MakesOne;

impl Habits for MakesOne {
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        match (state, step) {
            (State::Absent, Move::InputError) => Some(State::OutputError),
            _ => state.after(step).ok(),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai@0103ba5",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(MakesOne)),
    }
}
