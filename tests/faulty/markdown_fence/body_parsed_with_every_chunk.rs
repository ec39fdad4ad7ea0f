//! Every chunk parses the body from its beginning, to show how far the call has come.
//!
//! assistant-ui/assistant-ui#7166, PrimeIntellect-ai/prime-agent#980: the whole prefix of the arguments is parsed again on
//! each delta, 8.5 million characters for an argument of 4 KB.
//!
//! All events are right and come in time; only the time they take shows it.

use std::hint::black_box;

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::Value;

use crate::support::{Alter, Altered, Faulty, markdown_fence, runnable};

#[derive(Default)]
struct Preview {
    line: String,
    body: Option<String>,
}

impl Alter for Preview {
    fn begin(&mut self, chunk: &str) {
        for part in chunk.split_inclusive('\n') {
            if let Some(body) = &mut self.body {
                body.push_str(part);
                continue;
            }
            self.line.push_str(part);
            if part.ends_with('\n') {
                self.body = (self.line == "```tool\n").then(String::new);
                self.line.clear();
            }
        }
        if let Some(body) = &self.body {
            black_box(serde_json::from_str::<Value>(body).ok());
        }
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        self.body = None;
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "assistant-ui/assistant-ui#7166",
        caught_by: Check::Cost,
        target: runnable(Dialect::MarkdownFence, |options| Altered::new(markdown_fence(options), Preview::default())),
    }
}
