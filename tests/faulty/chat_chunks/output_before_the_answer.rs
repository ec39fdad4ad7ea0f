//! An output is accepted while the user is still being asked.
//!
//! mastra-ai/mastra#14996: a tool that needs approval runs without. TriliumNext/Trilium#9340: the gate is passed by in
//! silence. pydantic/pydantic-ai#8060: an answer that is missing counts as a yes.
//!
//! What was asked for did not matter.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct DoesNotWait;

impl Habits for DoesNotWait {
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        let is_outcome = matches!(step, Move::Preliminary | Move::Output | Move::OutputError);
        let waits = state == State::ApprovalRequested && is_outcome;
        let state = if waits { State::InputAvailable } else { state };
        state.after(step).ok()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mastra-ai/mastra#14996",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(DoesNotWait)),
    }
}
