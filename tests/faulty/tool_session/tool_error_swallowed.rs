//! A tool that fails is logged, and the client is not told.
//!
//! langflow-ai/langflow#15031: a step was sent only once it had an output, so a failed tool never surfaced on the stream.
//! vercel/ai#10819: results that are errors are left out.
//!
//! The call stays open for ever.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, provable, tool_session};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OnlyLogged;

impl Alter for OnlyLogged {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        let failed = event.str("error").is_some_and(|error| error.starts_with("Tool error: "));
        if event.kind() != "error" || !failed {
            sink.event(event);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "langflow-ai/langflow#15031",
        caught_by: Check::Close,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), OnlyLogged)),
    }
}
