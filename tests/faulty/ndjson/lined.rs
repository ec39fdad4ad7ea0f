//! A decoder of `ndjson` as it is often written: collect a line, parse it, go on.
//!
//! By itself it is right, except that it searches the same line again with every chunk and knows no limit (N10). Each of
//! its [`Habits`] can be spoilt, so that a faulty implementation is one bad habit and nothing else.

use std::borrow::Cow;

use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use anysplit::scan::json::{any, is_blank};

/// How the decoder does what; by itself, rightly.
pub(crate) trait Habits {
    /// The bytes that are kept of a chunk.
    fn bytes<'a>(&self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        chunk.into()
    }

    /// Where a line ends.
    fn line_end(&self, held: &[u8]) -> Option<usize> {
        held.iter().position(|&byte| byte == b'\n')
    }

    /// The line without what belongs to its end.
    fn content<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Whether a chunk ends a line.
    fn chunk_ends_line(&self) -> bool {
        false
    }

    /// Whether the end of the stream ends a line.
    fn end_ends_line(&self) -> bool {
        true
    }

    /// Whether nothing is read after a bad line.
    fn bad_line_is_the_last(&self) -> bool {
        false
    }
}

/// No bad habits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sound;

impl Habits for Sound {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lined<H> {
    habits: H,
    held: Vec<u8>,
    begun: bool,
    stopped: bool,
}

impl<H: Habits> Lined<H> {
    pub(crate) fn new(habits: H) -> Self {
        Self { habits, held: Vec::new(), begun: false, stopped: false }
    }

    fn take(&mut self, line: &[u8], sink: &mut impl Sink) {
        let mut line = self.habits.content(line);
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if self.stopped || line.iter().all(|&byte| is_blank(byte)) {
            return;
        }
        match any(line) {
            Some(value) => sink.event(Event::new("value", [("value", value)])),
            None => {
                sink.event(Event::new("error", [("line", String::from_utf8_lossy(line).into())]));
                self.stopped = self.habits.bad_line_is_the_last();
            }
        }
    }

    fn take_rest(&mut self, sink: &mut impl Sink) {
        let rest = std::mem::take(&mut self.held);
        if !rest.is_empty() {
            self.take(&rest, sink);
        }
    }
}

impl<H: Habits> Machine for Lined<H> {
    type Chunk = [u8];

    fn feed(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        self.held.extend_from_slice(&self.habits.bytes(chunk));
        let held = std::mem::take(&mut self.held);
        let mut rest = &held[..];
        while let Some(end) = self.habits.line_end(rest) {
            self.take(&rest[..end], sink);
            rest = &rest[end + 1..];
        }
        self.held = rest.to_vec();
        if self.habits.chunk_ends_line() {
            self.take_rest(sink);
        }
    }

    fn finish(mut self, sink: &mut impl Sink) {
        if self.habits.end_ends_line() {
            self.take_rest(sink);
        }
    }
}
