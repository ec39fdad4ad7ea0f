//! A call that the user denied gets its output all the same.
//!
//! vercel/eve#312: a tool that was denied is told of as a success. mui/mui-x@0a6eb63 moves a call from any state to
//! any other.
//!
//! The user said no, and sees that it was done.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NoIsYes;

impl Habits for NoIsYes {
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        let state = match (state, step) {
            (State::Denied, Move::Preliminary | Move::Output | Move::OutputError) => State::Approved,
            _ => state,
        };
        state.after(step).ok()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/eve#312",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(NoIsYes)),
    }
}
