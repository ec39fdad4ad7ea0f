//! A decoder of `sse` as it is often written: collect a line, look at it, go on.
//!
//! By itself it is right, except that it searches the same line again with every chunk and knows no limit (E18). Each of
//! its [`Habits`] can be spoilt, so that a faulty implementation is one bad habit and nothing else.

use std::borrow::Cow;

use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};

/// How the decoder does what; by itself, rightly.
pub(crate) trait Habits {
    /// The bytes that are kept of a chunk.
    fn bytes<'a>(&self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        chunk.into()
    }

    /// The length of the first line, without and with its end; nothing if it has not ended.
    fn line(&self, held: &[u8], _at_end: bool) -> Option<(usize, usize)> {
        line(held)
    }

    /// Whether a CR at the end of a chunk is remembered.
    fn remembers_cr(&self) -> bool {
        true
    }

    fn passes_over_mark(&self) -> bool {
        true
    }

    /// The line as it is read; nothing for a comment.
    fn field<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        field(line)
    }

    /// The value of a field, given what stands after the colon.
    fn value<'a>(&self, value: &'a str) -> &'a str {
        value.strip_prefix(' ').unwrap_or(value)
    }

    /// Takes a line of data.
    fn data(&self, data: &mut Option<String>, value: &str) {
        match data {
            None => *data = Some(value.to_owned()),
            Some(data) => data.extend(["\n", value]),
        }
    }

    /// Whether an id is for one event only.
    fn forgets_id(&self) -> bool {
        false
    }

    /// Whether the end of the stream ends an event.
    fn end_ends_event(&self) -> bool {
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
    /// What came of a line that has not ended.
    held: Vec<u8>,
    after_cr: bool,
    begun: bool,
    data: Option<String>,
    event: String,
    id: String,
}

impl<H: Habits> Lined<H> {
    pub(crate) fn new(habits: H) -> Self {
        let (event, id) = Default::default();
        Self { habits, held: Vec::new(), after_cr: false, begun: false, data: None, event, id }
    }

    fn lines(&mut self, at_end: bool, sink: &mut impl Sink) {
        let held = std::mem::take(&mut self.held);
        let mut rest = &held[..];
        loop {
            if let (true, Some(first)) = (self.after_cr, rest.first()) {
                rest = &rest[usize::from(*first == b'\n')..];
                self.after_cr = false;
            }
            let Some((content, len)) = self.habits.line(rest, at_end) else { break };
            self.after_cr = rest[len - 1] == b'\r';
            self.take(&rest[..content], sink);
            rest = &rest[len..];
        }
        self.held = rest.to_vec();
    }

    fn take(&mut self, line: &[u8], sink: &mut impl Sink) {
        let line = String::from_utf8_lossy(line);
        let mut line = &*line;
        if !std::mem::replace(&mut self.begun, true) && self.habits.passes_over_mark() {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(sink);
        }
        let Some((name, value)) = self.habits.field(line) else { return };
        let value = self.habits.value(value);
        match name {
            "data" => self.habits.data(&mut self.data, value),
            "event" => self.event = value.to_owned(),
            "id" if !value.contains('\0') => self.id = value.to_owned(),
            "retry" => {
                if let Some(retry) = retry(value) {
                    sink.event(Event::new("retry", [("retry", retry.into())]));
                }
            }
            _ => {}
        }
    }

    fn dispatch(&mut self, sink: &mut impl Sink) {
        let event = std::mem::take(&mut self.event);
        if let Some(data) = self.data.take() {
            let event = if event.is_empty() { "message" } else { &event };
            let fields = [("event", event.into()), ("data", data.into()), ("id", self.id.as_str().into())];
            sink.event(Event::new("event", fields));
        }
        if self.habits.forgets_id() {
            self.id.clear();
        }
    }
}

impl<H: Habits> Machine for Lined<H> {
    type Chunk = [u8];

    fn feed(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        self.held.extend_from_slice(&self.habits.bytes(chunk));
        self.lines(false, sink);
        self.after_cr &= self.habits.remembers_cr();
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.lines(true, sink);
        if self.habits.end_ends_event() {
            let rest = std::mem::take(&mut self.held);
            if !rest.is_empty() {
                self.take(&rest, sink);
            }
            self.dispatch(sink);
        }
    }
}

pub(crate) fn line(held: &[u8]) -> Option<(usize, usize)> {
    held.iter().position(|byte| matches!(byte, b'\r' | b'\n')).map(|end| (end, end + 1))
}

pub(crate) fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    (!line.starts_with(':')).then_some((name, value))
}

fn retry(value: &str) -> Option<u64> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|&retry| is_number && retry < 1 << 53)
}
