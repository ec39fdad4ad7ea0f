//! Text that arrives in the same chunk after a call is dropped.
//!
//! vllm-project/vllm#39243: a call and trailing text in one delta lose the text; #43037: text between several calls in one
//! delta is lost.
//!
//! One character at a time all is well; in one chunk text is missing.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, inline_tag, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct CallsEndChunks {
    called: bool,
}

impl Alter for CallsEndChunks {
    fn begin(&mut self, _chunk: &str) {
        self.called = false;
    }

    fn text(&mut self, text: &str, sink: &mut impl Sink) {
        if !self.called {
            sink.text(text);
        }
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        self.called = true;
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#39243",
        caught_by: Check::Conserve,
        target: provable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), CallsEndChunks::default())),
    }
}
