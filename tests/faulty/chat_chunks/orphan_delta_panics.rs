//! A delta for a call that did not begin is appended to nothing.
//!
//! vercel/ai#6856: `Cannot read properties of undefined (reading 'text')`. traceloop/openllmetry#4050,
//! anthropics/anthropic-sdk-python#1192: the same as `KeyError` and `IndexError`. decocms/studio#5469: the thread
//! cannot be opened any more.
//!
//! One chunk that came too late takes the whole stream with it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::{Move, State};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unchecked;

impl Habits for Unchecked {
    fn next(&self, id: &str, state: State, step: Move) -> Option<State> {
        assert!(state != State::Absent || step != Move::Delta, "there is no call {id:?} to append to");
        state.after(step).ok()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#6856",
        caught_by: Check::Survive,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Unchecked)),
    }
}
