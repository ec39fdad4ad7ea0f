//! Each log gets an invocation id of its own, also the two logs of one execution.
//!
//! cubist38/mlx-openai-server#216: the id changes between the deltas of one call. langchain-ai/langchain#38675: a new id is
//! generated for each chunk.
//!
//! The log of the end belongs to no execution, and the execution never ends.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, provable, tool_session, with};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct IdPerLog {
    logs: u64,
}

impl Alter for IdPerLog {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if event.kind() != "log" {
            return sink.event(event);
        }
        self.logs += 1;
        sink.event(with(event, "toolInvocationId", format!("tool-{}", self.logs)));
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "cubist38/mlx-openai-server#216",
        caught_by: Check::Once,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), IdPerLog::default())),
    }
}
