//! An empty chunk is taken for the end: what is held comes out, and the parser begins anew.
//!
//! agentgateway/agentgateway#2147: an empty delta between the pieces of a call's arguments closes the call early.
//! karthink/gptel#799: an empty content hides the call beside it.
//!
//! Only splittings with an empty chunk inside a marker show it.

use anysplit::check::Check;
use anysplit::dialect::{Dialect, InlineTag};
use anysplit::machine::{Machine, Sink};

use crate::support::{Faulty, inline_tag, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EmptyEnds {
    parser: InlineTag,
    fresh: InlineTag,
}

impl Machine for EmptyEnds {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        if chunk.is_empty() {
            std::mem::replace(&mut self.parser, self.fresh.clone()).finish(sink);
        }
        self.parser.feed(chunk, sink);
    }

    fn finish(self, sink: &mut impl Sink) {
        self.parser.finish(sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "agentgateway/agentgateway#2147",
        caught_by: Check::Split,
        target: provable(Dialect::InlineTag, |options| EmptyEnds {
            parser: inline_tag(options),
            fresh: inline_tag(options),
        }),
    }
}
