//! `done` comes twice: once from the loop, once from the code that cleans up after it.
//!
//! RayBytes/ChatMock#114: two chunks that finish one answer, and clients that believe the last drop its calls.
//!
//! Everything before is right.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, runnable, tool_session};

struct Twice;

impl Alter for Twice {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if event.kind() == "done" {
            sink.event(event.clone());
        }
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "RayBytes/ChatMock#114",
        caught_by: Check::Expect,
        target: runnable(Dialect::ToolSession, |options| Altered::new(tool_session(options), Twice)),
    }
}
