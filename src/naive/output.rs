//! The events of a whole text: what was recognised in it, and text everywhere else.

use std::ops::Range;

use serde_json::{Map, Value, json};

/// Collects the events of a text from its beginning to its end.
pub(crate) struct Output<'a> {
    text: &'a str,
    /// What stands before this byte has come out, as text or as other events.
    seam: usize,
    events: Vec<Value>,
}

impl<'a> Output<'a> {
    /// Nothing of `text` has come out yet.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, seam: 0, events: Vec::new() }
    }

    /// Puts `events` in place of the bytes `range`, after all text before them (F1, T1).
    ///
    /// Ranges must come in order and must not overlap; they may be empty.
    pub(crate) fn replace(&mut self, range: Range<usize>, events: impl IntoIterator<Item = Value>) {
        self.text_to(range.start);
        self.events.extend(events);
        self.seam = range.end;
    }

    /// Notes that what is held from byte `start` on was given up (F25, T20): the error comes before that text.
    pub(crate) fn give_up(&mut self, start: usize, limit: usize) {
        self.replace(start..start, [json!({ "type": "error", "error": "limit", "limit": limit })]);
    }

    /// All events, once the rest of the text has come out too.
    pub(crate) fn finish(mut self) -> Vec<Value> {
        self.text_to(self.text.len());
        self.events
    }

    fn text_to(&mut self, end: usize) {
        if self.seam < end {
            self.events.push(json!({ "type": "text", "text": self.text[self.seam..end] }));
        }
        self.seam = end;
    }
}

/// The option `limit`: how many bytes of something unfinished may be held (F25, T20).
pub(crate) fn limit(options: &Map<String, Value>) -> usize {
    let limit = options.get("limit").and_then(Value::as_u64).unwrap_or(1 << 20);
    usize::try_from(limit).unwrap_or(usize::MAX)
}
