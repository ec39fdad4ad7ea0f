//! The end of the stream releases nothing.
//!
//! vllm-project/vllm#51549: the streaming adapter never calls `finish`, so a held part of a marker is lost from the
//! content. sgl-project/sglang#31915: a buffer that is never flushed at the end of the stream.
//!
//! Nothing shows as long as markers are whole; text that ends like the beginning of one is cut.

use anysplit::check::Check;
use anysplit::dialect::{Dialect, InlineTag};
use anysplit::machine::{Machine, Sink};

use crate::support::{Faulty, inline_tag, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NeverFinished(InlineTag);

impl Machine for NeverFinished {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.0.feed(chunk, sink);
    }

    fn finish(self, _sink: &mut impl Sink) {}
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#51549",
        caught_by: Check::Truncate,
        target: provable(Dialect::InlineTag, |options| NeverFinished(inline_tag(options))),
    }
}
