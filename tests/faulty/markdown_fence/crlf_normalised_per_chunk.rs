//! Line ends are made LF chunk by chunk, so that a CRLF cut in two becomes two line ends.
//!
//! kaitranntt/ccs#1359: normalising each chunk turns a split CRLF into a blank line. ax-llm/ax#622 and
//! rexxars/eventsource-parser#17: a CR at the end of a chunk and the LF at the start of the next count twice.
//!
//! CRLF in one piece gives one line end, cut in two it gives two.

use anysplit::check::Check;
use anysplit::dialect::{Dialect, MarkdownFence};
use anysplit::machine::{Machine, Sink};

use crate::support::{Faulty, markdown_fence, runnable};

struct Normalised(MarkdownFence);

impl Machine for Normalised {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.0.feed(&chunk.replace("\r\n", "\n").replace('\r', "\n"), sink);
    }

    fn finish(self, sink: &mut impl Sink) {
        self.0.finish(sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "kaitranntt/ccs#1359",
        caught_by: Check::Split,
        target: runnable(Dialect::MarkdownFence, |options| Normalised(markdown_fence(options))),
    }
}
