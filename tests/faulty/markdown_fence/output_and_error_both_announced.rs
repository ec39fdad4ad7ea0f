//! A block with both an output and an error announces both.
//!
//! RooCodeInc/Roo-Code#9248: the handlers of error and result both push, two results under one id. vercel/eve#1246: two
//! results for one call.
//!
//! The call ends twice.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::Value;

use crate::support::{Alter, Altered, Faulty, markdown_fence, provable, with};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Both {
    output: Option<Value>,
}

impl Alter for Both {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        match event.kind() {
            "tool" => self.output = event.get("output").cloned(),
            "tool-output-error" => {
                let id = event.get("toolCallId").cloned();
                let available = Event::new("tool-output-available", [("toolCallId", id.into())]);
                if let Some(output) = self.output.take() {
                    sink.event(with(available, "output", output));
                }
            }
            _ => {}
        }
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "RooCodeInc/Roo-Code#9248",
        caught_by: Check::Once,
        target: provable(Dialect::MarkdownFence, |options| Altered::new(markdown_fence(options), Both::default())),
    }
}
