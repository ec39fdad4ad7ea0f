//! There is one parser for all streams; a new stream resets it.
//!
//! oracle/langchain-oracle#255: the buffer belongs to the provider, so a new stream wipes another's half call and calls go
//! to the wrong stream. waybarrios/vllm-mlx#649: parser state at module level, shared by concurrent streams.
//!
//! One stream at a time all is well; two in turn feed each other's parser.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anysplit::check::Check;
use anysplit::dialect::{Dialect, InlineTag};
use anysplit::machine::{Machine, Sink};

use crate::support::{Faulty, inline_tag, runnable};

static PARSER: Mutex<Option<InlineTag>> = Mutex::new(None);

fn parser() -> MutexGuard<'static, Option<InlineTag>> {
    PARSER.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Shared;

impl Machine for Shared {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        if let Some(parser) = parser().as_mut() {
            parser.feed(chunk, sink);
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        if let Some(parser) = parser().take() {
            parser.finish(sink);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "oracle/langchain-oracle#255",
        caught_by: Check::Isolate,
        target: runnable(Dialect::InlineTag, |options| {
            *parser() = Some(inline_tag(options));
            Shared
        }),
    }
}
