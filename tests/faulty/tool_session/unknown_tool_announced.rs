//! A call is announced before its name is looked up, so that the client is told of calls of tools that do not exist.
//!
//! ZeroTricks/lumo-tamer#84: undeclared names are accepted. pydantic/pydantic-ai#5292: a call is announced before it is
//! validated, and the client may already run it.
//!
//! A call begins that must not, and never ends.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::json;

use crate::support::{Alter, Altered, Faulty, provable, tool_session};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AnnouncedFirst;

impl Alter for AnnouncedFirst {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if let Some(name) = event.str("error").and_then(|error| error.strip_prefix("Unknown tool: ")) {
            // The session has kept the arguments to itself; that a call comes at all is what matters here.
            sink.event(Event::new("tool_call", [("name", name.into()), ("args", json!({}))]));
        }
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "ZeroTricks/lumo-tamer#84",
        caught_by: Check::Once,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), AnnouncedFirst)),
    }
}
