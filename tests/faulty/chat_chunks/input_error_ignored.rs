//! There is no state for a call whose input is broken, so nothing becomes of it.
//!
//! TanStack/ai#718: a call that failed waits for ever as if its input were there. mastra-ai/mastra#12390: a call that
//! only streams its input freezes the stream.
//!
//! The spinner never stops.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NoSuchState;

impl Habits for NoSuchState {
    fn next(&self, _id: &str, state: State, step: Move) -> Option<State> {
        state.after(step).ok().filter(|_| step != Move::InputError)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "TanStack/ai#718",
        caught_by: Check::Close,
        target: silent(Dialect::ChatChunks, |_| Plain::new(NoSuchState)),
    }
}
