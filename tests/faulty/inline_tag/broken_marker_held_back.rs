//! A marker that can no longer become valid is held until its closing tag, or the end, proves it.
//!
//! youssofal/MTPLX#25: hallucinated markup hangs the stream. smg-project/smg#2271: what looks like a call at first is held
//! for ever.
//!
//! All events are right, and the reader waits for text that was text long before.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::machine::{Machine, Sink};

use super::buffered::{Buffered, CLOSE, Habits, Marker, Sound, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Patient;

impl Habits for Patient {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        match marker(self, text) {
            Err(Stop::Broken(_)) if !text.contains(CLOSE) => Err(Stop::End),
            read => read,
        }
    }

    fn unfinished(&mut self, held: &str, sink: &mut impl Sink) {
        let mut parser = Buffered::new(Sound);
        parser.feed(held, sink);
        parser.finish(sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "youssofal/MTPLX#25",
        caught_by: Check::Prompt,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Patient)),
    }
}
