//! The last opening in the buffer is the one that counts, also where it stands inside a string.
//!
//! Sawyer0/cf_ai_Micro_CoS@3079b1e holds from the last `<tool_call` on and lets the one before leak.
//! local-inference-lab/vllm#639: a literal `<tool_call>` in a value ends the call around it.
//!
//! A call whose arguments quote a marker is text up to the quote, and where the quote is whole it runs.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, Marker, OPEN, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LastOpening;

impl Habits for LastOpening {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        let read = marker(self, text);
        let len = read.as_ref().map_or(text.len(), |marker| marker.len);
        match text[..len].rfind(OPEN) {
            Some(last) if last > 0 => Err(Stop::Broken(last)),
            _ => read,
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "local-inference-lab/vllm#639",
        caught_by: Check::Conserve,
        target: provable(Dialect::InlineTag, |_| Buffered::new(LastOpening)),
    }
}
