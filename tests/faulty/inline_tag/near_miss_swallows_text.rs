//! `<tool_call` makes a marker, whatever follows: a longer word is a call that has not arrived yet, and so is all after it.
//!
//! Sawyer0/cf_ai_Micro_CoS@3079b1e takes `<tool_calls>` for an unfinished call and swallows all that follows.
//! smg-project/smg#2271: text that only begins like a call is buffered for ever, and the client gets an empty stream.
//!
//! Prose about calls vanishes.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::machine::Sink;

use super::buffered::{Buffered, Habits, Marker, OPEN, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PrefixOnly;

impl Habits for PrefixOnly {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        match marker(self, text) {
            Err(Stop::Broken(at)) if at == OPEN.len() => Err(Stop::End),
            read => read,
        }
    }

    fn unfinished(&mut self, held: &str, sink: &mut impl Sink) {
        // What is really the beginning of a marker comes out, so that only near misses show the bug.
        if !matches!(marker(self, held), Err(Stop::Broken(at)) if at == OPEN.len()) {
            sink.text(held);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "smg-project/smg#2271",
        caught_by: Check::Conserve,
        target: provable(Dialect::InlineTag, |_| Buffered::new(PrefixOnly)),
    }
}
