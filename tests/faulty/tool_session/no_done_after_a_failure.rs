//! After a tool has failed `done` does not come.
//!
//! editor-code-assistant/eca#559: after an error the stream closes as if nothing were wrong, and the chat stays active for
//! ever. mozilla-ai/any-llm#847: an exception closes the connection without a last event.
//!
//! A reader who waits for `done` waits for ever.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, provable, tool_session};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct OnlyOnSuccess {
    failed: bool,
}

impl Alter for OnlyOnSuccess {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        self.failed |= event.str("event") == Some("tool_invocation_error");
        if !self.failed || event.kind() != "done" {
            sink.event(event);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "editor-code-assistant/eca#559",
        caught_by: Check::Expect,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), OnlyOnSuccess::default())),
    }
}
