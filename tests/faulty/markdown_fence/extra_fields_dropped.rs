//! Only the fields that the format names come out; the others are dropped.
//!
//! kyh/loremllm@5b90e9d says that additional fields are preserved and drops them. ServiceNow/eva#206,
//! crewAIInc/crewAI#5552: signatures on a call are lost because only known keys are kept.
//!
//! The `tool` event is smaller than its block.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, markdown_fence, runnable};

const KNOWN: [&str; 6] = ["toolCallId", "toolName", "state", "input", "output", "errorText"];

struct KnownOnly;

impl Alter for KnownOnly {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if event.kind() != "tool" {
            return sink.event(event);
        }
        let mut fields = event.into_fields();
        fields.retain(|name, _| KNOWN.contains(&name.as_str()));
        sink.event(Event::with_fields("tool", fields));
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "kyh/loremllm@5b90e9d",
        caught_by: Check::Expect,
        target: runnable(Dialect::MarkdownFence, |options| Altered::new(markdown_fence(options), KnownOnly)),
    }
}
