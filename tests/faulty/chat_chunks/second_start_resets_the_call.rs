//! A start for a call that is known begins it anew.
//!
//! vercel/ai@0103ba5 resets input and output. CopilotKit/CopilotKit#5572: calls are announced again when the model is
//! asked again.
//!
//! What a call had come to is gone.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Anew;

impl Habits for Anew {
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        if step == Move::Start { Some(State::InputStreaming) } else { state.after(step).ok() }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai@0103ba5",
        caught_by: Check::Once,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Anew)),
    }
}
