//! The first result is for the first call, the second for the second.
//!
//! JustVugg/colibri#118, modelscope/ms-swift#10174: results are bound to calls by their position, and the id is never
//! read. theopenco/llmgateway#2789: the oldest call that waits gets the result.
//!
//! Tools that run side by side get each other's results.

use std::collections::VecDeque;

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::Move;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Queue {
    waiting: VecDeque<String>,
}

impl Habits for Queue {
    fn call(&mut self, id: &str, step: Move) -> String {
        if step == Move::Input {
            self.waiting.push_back(id.to_owned());
        }
        let first = match step {
            Move::Preliminary => self.waiting.front().cloned(),
            Move::Output | Move::OutputError => self.waiting.pop_front(),
            _ => None,
        };
        first.unwrap_or_else(|| id.to_owned())
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "JustVugg/colibri#118",
        caught_by: Check::Interleave,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Queue::default())),
    }
}
