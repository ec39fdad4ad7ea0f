//! The arguments come out as JSON in a string instead of as an object.
//!
//! pydantic/pydantic-ai#4193: dumped messages have their input as a string of JSON. vllm-project/vllm#54964: arguments are
//! encoded once more.
//!
//! Names, number and order of the calls are right.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::Value;

use crate::support::{Alter, Altered, Faulty, inline_tag, provable, with};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Encoded;

impl Alter for Encoded {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        let args = event.get("args").map(Value::to_string);
        sink.event(with(event, "args", args));
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "pydantic/pydantic-ai#4193",
        caught_by: Check::Fidelity,
        target: provable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), Encoded)),
    }
}
