//! The first tool that fails ends everything; only `done` still comes.
//!
//! vercel/workflow#1180: one exception in a tool kills the whole stream of the agent. XpressAI/xaibo#33: arguments that
//! do not parse do.
//!
//! What the model wrote after the call is lost.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, provable, tool_session};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Fatal {
    failed: bool,
}

impl Alter for Fatal {
    fn text(&mut self, text: &str, sink: &mut impl Sink) {
        if !self.failed {
            sink.text(text);
        }
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        let is_last = event.str("event") == Some("tool_invocation_error");
        if !self.failed || event.kind() == "done" {
            sink.event(event);
        }
        self.failed |= is_last;
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/workflow#1180",
        caught_by: Check::Conserve,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), Fatal::default())),
    }
}
