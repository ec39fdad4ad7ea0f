//! What an input reaches in the reference: pairs of where it stands and what comes next, and what follows on what.

use serde_json::Value;

use super::expecting::Expecting;
use crate::event::{Event, TextKind};
use crate::fault::{Fault, catching};
use crate::input::Chunk;
use crate::machine::{Discard, Sink, landmark};
use crate::sample::Sample;
use crate::target::{Setting, reference_machine};

/// A set of landmarks that were seen; some that are different count as one.
#[derive(Clone, Debug)]
pub struct Landmarks {
    bits: Box<[u64]>,
    seen: usize,
}

const WORDS: usize = 1 << 10;

impl Default for Landmarks {
    fn default() -> Self {
        Self { bits: vec![0; WORDS].into_boxed_slice(), seen: 0 }
    }
}

impl Landmarks {
    /// How many were seen.
    pub fn len(&self) -> usize {
        self.seen
    }

    /// Whether none was seen.
    pub fn is_empty(&self) -> bool {
        self.seen == 0
    }

    /// Walks the reference over a sample; whether it comes by anything that was not seen before.
    pub fn visit(&mut self, sample: &Sample) -> bool {
        // What the reference does not survive is found by those who look for that.
        self.follow(sample, |_| Discard).0
    }

    /// The same, with whether exactly these events come out.
    pub(super) fn visit_expecting(&mut self, sample: &Sample, expected: &[Event]) -> (bool, bool) {
        let (is_new, sink) = self.follow(sample, |kind| Expecting::new(sample.dialect.form(), kind, expected));
        (is_new, sink.is_ok_and(Expecting::met))
    }

    fn follow<S: Sink>(&mut self, sample: &Sample, sink: impl FnOnce(TextKind) -> S) -> (bool, Result<S, Fault>) {
        let before = self.seen;
        let setting = Setting { dialect: sample.dialect, options: &sample.options };
        let sink = catching(|| {
            let mut machine = reference_machine(setting).0;
            let mut follower = Follower { landmarks: self, before: 0, sink: sink(machine.text()) };
            sample.atoms().each_chunk(&sample.cuts, |chunk| {
                let mark = landmark([machine.landmark(), class(chunk)]);
                follower.landmarks.add(mark);
                machine.feed(chunk, &mut follower);
            });
            let mark = landmark([machine.landmark(), END]);
            follower.landmarks.add(mark);
            machine.finish(&mut follower);
            follower.sink
        });
        (self.seen > before, sink)
    }

    fn add(&mut self, mark: u64) {
        let at = (mark >> 48) as usize;
        let (word, bit) = (&mut self.bits[at / 64], 1 << (at % 64));
        self.seen += usize::from(*word & bit == 0);
        *word |= bit;
    }
}

/// What stands for the end of the input.
const END: u64 = 1 << 20;

/// What kind of thing a chunk begins with.
fn class(chunk: Chunk<'_>) -> u64 {
    match chunk {
        Chunk::Text(text) => match text.chars().next() {
            Some(char) if char.is_ascii() => u64::from(u32::from(char)),
            Some(char) => 0x100 + char.len_utf8() as u64,
            None => END + 1,
        },
        Chunk::Bytes(bytes) => match bytes.first() {
            Some(&byte) if byte.is_ascii() => u64::from(byte),
            Some(&byte) => 0x100 + u64::from(byte >> 4),
            None => END + 1,
        },
        Chunk::Objects(items) => items.first().map_or(END + 1, class_of_item),
    }
}

/// Items of the same type, with or without the same few fields, are of one class.
fn class_of_item(item: &Value) -> u64 {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let kind = text("type").or(text("stage")).or(text("action")).or(text("state")).unwrap_or_default();
    let flags = ["toolCallId", "id", "toolName", "input", "preliminary", "dynamic", "error"];
    let flags = flags.into_iter().map(|name| u64::from(item.get(name).is_some()));
    landmark(kind.bytes().map(u64::from).chain(flags))
}

/// Comes by what follows on what: rules that hold, and events.
struct Follower<'a, S> {
    landmarks: &'a mut Landmarks,
    before: u64,
    sink: S,
}

impl<S> Follower<'_, S> {
    fn pass(&mut self, name: &str, more: &str) {
        let mark = landmark(name.bytes().chain([0]).chain(more.bytes()).map(u64::from));
        self.landmarks.add(landmark([self.before, mark]));
        self.before = mark;
    }
}

impl<S: Sink> Sink for Follower<'_, S> {
    fn text(&mut self, text: &str) {
        self.sink.text(text);
    }

    fn event(&mut self, event: Event) {
        let shown = event.get("toolInvocation").and_then(|shown| shown.get("state")).and_then(Value::as_str);
        let more = event.str("rule").or(event.str("state")).or(event.str("stage")).or(shown);
        self.pass(event.kind(), more.unwrap_or_default());
        self.sink.event(event);
    }

    fn wants_events(&self) -> bool {
        self.sink.wants_events()
    }

    fn held(&mut self, rule: &'static str) {
        self.pass(rule, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn what_was_seen_is_not_new() {
        for dialect in Dialect::ALL {
            let mut landmarks = Landmarks::default();
            let first = Sample::read(dialect, b"{\"type\":\"start\"}\n");
            assert!(landmarks.visit(&first), "{dialect}");
            let seen = landmarks.len();
            assert!(!landmarks.visit(&first), "{dialect}");
            assert_eq!(landmarks.len(), seen);
        }
    }

    #[test]
    fn another_state_and_another_step_are_new() {
        let mut landmarks = Landmarks::default();
        let mut is_new = |dialect, file: &[u8]| landmarks.visit(&Sample::read(dialect, file));
        assert!(is_new(Dialect::InlineTag, b"aaa"));
        assert!(!is_new(Dialect::InlineTag, b"aaaaa"));
        assert!(is_new(Dialect::InlineTag, b"aa<tool"));
        let start = "{\"type\":\"tool-input-start\",\"toolCallId\":\"a\",\"toolName\":\"t\"}\n".repeat(2);
        assert!(is_new(Dialect::ChatChunks, &start.as_bytes()[..start.len() / 2]));
        assert!(is_new(Dialect::ChatChunks, start.as_bytes()));
    }
}
