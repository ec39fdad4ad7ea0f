//! The end of the input is the end of the message, whether it was finished or not.
//!
//! openclaw/openclaw#108958: an end without a last event is taken for success. Hansade2005/pixel-pilot@4123d31 closes
//! the stream in any case, so that a stream that broke looks like one that ended.
//!
//! A connection that broke looks like an answer.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::Value;

use crate::support::{Alter, Altered, Faulty, chat_chunks, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AnyEnd;

impl Alter<[Value]> for AnyEnd {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if event.str("rule") != Some("C6") {
            sink.event(event);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "openclaw/openclaw#108958",
        caught_by: Check::Truncate,
        target: provable(Dialect::ChatChunks, |options| Altered::new(chat_chunks(options), AnyEnd)),
    }
}
