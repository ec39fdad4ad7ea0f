//! The closing tag is searched for before the arguments are read, so one inside a string ends the call.
//!
//! vllm-project/vllm#45167, minpeter/ai-sdk-tool-call-middleware#297: a literal `</tool_call>` in a string argument cuts
//! the block, the call is dropped and its markup is returned as content.
//!
//! The call becomes text: characters come out that must not.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, CLOSE, Habits, Marker, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct TagFirst;

impl Habits for TagFirst {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        let end = text.find(CLOSE).map_or(text.len(), |at| at + CLOSE.len());
        match marker(self, &text[..end]) {
            Err(Stop::End) if text[..end].ends_with(CLOSE) => Err(Stop::Broken(end)),
            read => read,
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#45167",
        caught_by: Check::Conserve,
        target: provable(Dialect::InlineTag, |_| Buffered::new(TagFirst)),
    }
}
