//! There is one store of calls for all streams; a new stream clears it.
//!
//! intrafind/ihub-apps#1678: pending calls are kept in a bucket that all requests share, and a stream that was cut off
//! leaves a call that a later request runs.
//!
//! One stream at a time all is well; two in turn find each other's calls.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anysplit::check::Check;
use anysplit::dialect::reducer::Listed;
use anysplit::dialect::{ChatChunks, Dialect};
use anysplit::machine::{Machine, Sink};
use serde_json::Value;

use crate::support::{Faulty, chat_chunks, runnable};

static CALLS: Mutex<Option<Listed<ChatChunks>>> = Mutex::new(None);

fn calls() -> MutexGuard<'static, Option<Listed<ChatChunks>>> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Shared;

impl Machine for Shared {
    type Chunk = [Value];

    fn feed(&mut self, chunk: &[Value], sink: &mut impl Sink) {
        if let Some(calls) = calls().as_mut() {
            calls.feed(chunk, sink);
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        if let Some(calls) = calls().take() {
            calls.finish(sink);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "intrafind/ihub-apps#1678",
        caught_by: Check::Isolate,
        target: runnable(Dialect::ChatChunks, |options| {
            *calls() = Some(chat_chunks(options));
            Shared
        }),
    }
}
