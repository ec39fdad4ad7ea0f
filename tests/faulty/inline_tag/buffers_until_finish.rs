//! Everything is collected and parsed when the stream ends.
//!
//! mudler/LocalAI#10351: as soon as tools are declared nothing is streamed until the end, 18 s to the first text instead of
//! 0.22 s. Every whole-text parser that is offered as a streaming one does it.
//!
//! All splittings are right, since none is looked at; only the time at which things come out shows it.

use anysplit::check::Check;
use anysplit::dialect::{Dialect, InlineTag};
use anysplit::machine::{Machine, Sink};

use crate::support::{Faulty, inline_tag, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AtTheEnd {
    parser: InlineTag,
    all: String,
}

impl Machine for AtTheEnd {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, _sink: &mut impl Sink) {
        self.all.push_str(chunk);
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.parser.feed(&self.all, sink);
        self.parser.finish(sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mudler/LocalAI#10351",
        caught_by: Check::Prompt,
        target: provable(Dialect::InlineTag, |options| AtTheEnd { parser: inline_tag(options), all: String::new() }),
    }
}
