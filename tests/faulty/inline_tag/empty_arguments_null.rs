//! Arguments without a member come out as null.
//!
//! vllm-project/vllm#21046 and #11392: an empty object of arguments gives none in streaming. vercel/ai#6687: a tool
//! without parameters fails.
//!
//! Only calls without arguments show it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::{Value, json};

use crate::support::{Alter, Altered, Faulty, inline_tag, runnable, with};

struct NullForEmpty;

impl Alter for NullForEmpty {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        let is_empty = event.get("args") == Some(&json!({}));
        sink.event(if is_empty { with(event, "args", Value::Null) } else { event });
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#21046",
        caught_by: Check::Fidelity,
        target: runnable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), NullForEmpty)),
    }
}
