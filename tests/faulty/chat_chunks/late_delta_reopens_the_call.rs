//! A delta sets the state to `input-streaming`, whatever the state was.
//!
//! mui/mui-x@0a6eb63 moves every call that exists, those that have ended included. The reducer of vercel/ai@0103ba5
//! does so as long as it has the text of the deltas, which it never drops.
//!
//! A call that was done spins again.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reopens;

impl Habits for Reopens {
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        match (state, step) {
            (State::Absent, _) => state.after(step).ok(),
            (_, Move::Delta) => Some(State::InputStreaming),
            _ => state.after(step).ok(),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mui/mui-x@0a6eb63",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Reopens)),
    }
}
