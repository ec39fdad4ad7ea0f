//! What an aborted stream held is still there when the next one begins.
//!
//! intrafind/ihub-apps#1678: pending calls live in a shared bucket, and one that an aborted stream left is executed by a
//! later request. sgl-project/sglang#11373: pooled parsers leak state between requests.
//!
//! As long as streams are finished, also several at a time, all is well.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anysplit::check::Check;
use anysplit::dialect::{Dialect, InlineTag};
use anysplit::machine::{Machine, Sink};

use crate::support::{Faulty, inline_tag, runnable};

static POOL: Mutex<Option<InlineTag>> = Mutex::new(None);

fn pool() -> MutexGuard<'static, Option<InlineTag>> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A parser that goes back to the pool when its stream is dropped, and is not reset.
struct Pooled {
    parser: Option<InlineTag>,
}

impl Machine for Pooled {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        if let Some(parser) = &mut self.parser {
            parser.feed(chunk, sink);
        }
    }

    fn finish(mut self, sink: &mut impl Sink) {
        if let Some(parser) = self.parser.take() {
            parser.finish(sink);
        }
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        if let Some(parser) = self.parser.take() {
            *pool() = Some(parser);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "intrafind/ihub-apps#1678",
        caught_by: Check::Isolate,
        target: runnable(Dialect::InlineTag, |options| {
            let pooled = pool().take();
            Pooled { parser: Some(pooled.unwrap_or_else(|| inline_tag(options))) }
        }),
    }
}
