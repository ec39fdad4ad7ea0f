//! Deltas are passed over: the input comes with its own chunk anyway.
//!
//! mui/mui-x@0a6eb63 has no case for them that keeps anything.
//!
//! All that is shown is right, and the input that is run may be another than the one that was streamed: only who reports
//! violations can be seen to miss it.

use anysplit::check::Check;
use anysplit::dialect::reducer::Listed;
use anysplit::dialect::{ChatChunks, Dialect};
use anysplit::machine::{Machine, Sink};
use serde_json::Value;

use crate::support::{Faulty, chat_chunks, provable};

#[derive(Clone, PartialEq, Eq, Hash)]
struct WithoutDeltas(Listed<ChatChunks>);

impl Machine for WithoutDeltas {
    type Chunk = [Value];

    fn feed(&mut self, chunk: &[Value], sink: &mut impl Sink) {
        for item in chunk.iter().filter(|item| item["type"] != "tool-input-delta") {
            self.0.feed(std::slice::from_ref(item), sink);
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        self.0.finish(sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mui/mui-x@0a6eb63",
        caught_by: Check::Expect,
        target: provable(Dialect::ChatChunks, |options| WithoutDeltas(chat_chunks(options))),
    }
}
