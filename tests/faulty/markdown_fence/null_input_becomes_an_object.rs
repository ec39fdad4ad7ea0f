//! An input that is null is announced as an empty object, like one that is absent.
//!
//! kyh/loremllm@5b90e9d announces `input ?? {}`, which does not tell null from nothing.
//!
//! Only a block with a null input shows it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::{Value, json};

use crate::support::{Alter, Altered, Faulty, markdown_fence, provable, with};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NoNull;

impl Alter for NoNull {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        let is_null = event.kind() == "tool-input-available" && event.get("input") == Some(&Value::Null);
        sink.event(if is_null { with(event, "input", json!({})) } else { event });
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "kyh/loremllm@5b90e9d",
        caught_by: Check::Fidelity,
        target: provable(Dialect::MarkdownFence, |options| Altered::new(markdown_fence(options), NoNull)),
    }
}
