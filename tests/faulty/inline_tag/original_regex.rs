//! The parser that the document *Tool Integration Guide* describes, as it was really written.
//!
//! Its regular expression has no `>` between the arguments and the closing tag, so the documented form never matches. Its
//! arguments end at the first `}`; text is cut at the last opening in the buffer; JSON that does not parse is dropped with
//! its marker; and the flush at the end runs the same code on an empty chunk, which drains nothing
//! (`edge-worker/src/tool-parser.ts` in Sawyer0/cf_ai_Micro_CoS at 3079b1e; 7 of its own 9 tests fail).
//!
//! It shows at once: any marker of the document holds back the rest of the stream for ever.

use std::sync::LazyLock;

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use regex::Regex;
use serde_json::Value;

use super::buffered::OPEN;
use crate::support::{Faulty, provable};

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"<tool_call\s+name="([^"]+)"\s+args=(\{[^}]*\})</tool_call>"#).expect("the pattern is fixed")
});

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Original {
    buffer: String,
}

impl Machine for Original {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.buffer.push_str(chunk);
        let (mut text, mut calls, mut end) = (String::new(), Vec::new(), 0);
        for found in MARKER.captures_iter(&self.buffer) {
            let whole = found.get_match();
            text.push_str(&self.buffer[end..whole.start()]);
            end = whole.end();
            if let Ok(args) = serde_json::from_str::<Value>(&found[2]) {
                calls.push(Event::new("tool_call", [("name", found[1].into()), ("args", args)]));
            }
        }
        let keep = self.buffer.rfind(OPEN).filter(|&at| at >= end).unwrap_or(self.buffer.len());
        text.push_str(&self.buffer[end..keep]);
        self.buffer.drain(..keep);
        sink.text(&text);
        calls.into_iter().for_each(|call| sink.event(call));
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.feed("", sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "Sawyer0/cf_ai_Micro_CoS@3079b1e",
        caught_by: Check::Expect,
        target: provable(Dialect::InlineTag, |_| Original::default()),
    }
}
