//! All text of a chunk is sent before the calls of the chunk are run.
//!
//! Sawyer0/cf_ai_Micro_CoS@3079b1e sends one token with all text of a chunk, from before and after its markers, and then
//! runs its tools.
//!
//! Where a text stands depends on how the stream was cut.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, provable, tool_session};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct TextFirst {
    waiting: Vec<Event>,
}

impl Alter for TextFirst {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if event.running_text().is_some() {
            sink.event(event);
        } else {
            self.waiting.push(event);
        }
    }

    fn end(&mut self, sink: &mut impl Sink) {
        self.waiting.drain(..).for_each(|event| sink.event(event));
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "Sawyer0/cf_ai_Micro_CoS@3079b1e",
        caught_by: Check::Split,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), TextFirst::default())),
    }
}
