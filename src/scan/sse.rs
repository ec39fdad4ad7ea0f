//! Server-sent events, decoded as they arrive (rules E).
//!
//! ```
//! use anysplit::scan::sse::{Decoder, Frame};
//!
//! let mut decoder = Decoder::new(1 << 20);
//! let mut data = Vec::new();
//! for chunk in ["data: a\r", "\ndata: b\r\n\r", "\ndata: lost"] {
//!     decoder.feed(chunk.as_bytes(), &mut |frame| {
//!         if let Frame::Event { data: text, .. } = frame {
//!             data.push(text.to_owned());
//!         }
//!     });
//! }
//! assert_eq!(data, ["a\nb"]);
//! assert!(decoder.is_unfinished());
//! ```

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::Start;
use crate::machine::landmark;

/// The largest number that every reader of JSON takes exactly (E13).
const MOST_RETRY: u64 = (1 << 53) - 1;

/// Follows an event stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decoder {
    limit: usize,
    start: Start,
    /// Whether the last byte was a CR, to which an LF may belong (E3).
    after_cr: bool,
    line: Line,
    /// What the current line has of its bytes, where they must be kept.
    held: Vec<u8>,
    /// Bytes of the finished lines of this event (E18).
    used: usize,
    /// Whether the event has a `data` line (E9).
    has_data: bool,
    data: String,
    event: String,
    id: String,
}

/// What is known of the current line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Line {
    /// Nothing of it came yet; `true`: the event is too long and passed over.
    Empty { skipping: bool },
    /// Its bytes are kept.
    Field,
    /// It is passed over: a comment, or part of an event that is too long.
    Passed { skipping: bool },
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// An event.
    Event {
        /// Its type.
        event: &'a str,
        /// Its data.
        data: &'a str,
        /// The last event id.
        id: &'a str,
    },
    /// A new time to wait before connecting again, in milliseconds.
    Retry(u64),
    /// A line of no field that is known; it means nothing (E14).
    Unknown(&'a [u8]),
    /// An event was longer than the limit.
    Limit,
}

impl Decoder {
    /// A decoder at the start of a stream, for events of at most so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            start: Start::default(),
            after_cr: false,
            line: Line::Empty { skipping: false },
            held: Vec::new(),
            used: 0,
            has_data: false,
            data: String::new(),
            event: String::new(),
            id: String::new(),
        }
    }

    /// How many bytes may be held.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        let (seemed, rest) = self.start.pass(bytes); // E2
        self.lines(seemed, out);
        self.lines(rest, out);
    }

    /// Whether the stream cannot end here without losing an event or a part of a line (E15).
    pub fn is_unfinished(&self) -> bool {
        let begun = matches!(self.line, Line::Field | Line::Passed { skipping: false });
        self.has_data || begun || !self.start.left().is_empty()
    }

    /// The line that has not ended, where no event has begun and nobody knows its field.
    pub fn unknown_rest(&self) -> Option<&[u8]> {
        let name = self.held.split(|&byte| byte == b':').next()?;
        let is_unknown = self.line == Line::Field && !self.has_data && self.event.is_empty() && !is_known(name);
        is_unknown.then_some(&self.held)
    }

    /// Whether a part of an event has come.
    pub fn is_within(&self) -> bool {
        let line = self.line;
        self.used > 0
            || line == Line::Field
            || matches!(line, Line::Empty { skipping } | Line::Passed { skipping } if skipping)
    }

    /// Coarsely where it stands: in which part of a line, of an event, and after which line end.
    pub(crate) fn landmark(&self) -> u64 {
        let line = match self.line {
            Line::Empty { skipping } => u64::from(skipping),
            Line::Passed { skipping } => 2 + u64::from(skipping),
            Line::Field => {
                let name = self.held.iter().take_while(|&&byte| byte != b':').count();
                let value = self.held.len() - name;
                4 + name.min(7) as u64 + 8 * value.min(3) as u64
            }
        };
        let event = [self.has_data, self.event.is_empty(), self.id.is_empty(), self.after_cr].map(u64::from);
        landmark(event.into_iter().chain([line, self.start.landmark()]))
    }

    fn lines(&mut self, mut rest: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', rest) else { return self.part(rest, out) };
            if self.whole_event(&rest[..end], &rest[end..], out) {
                rest = &rest[end + 2..];
                continue;
            }
            self.end_line(&rest[..end], out);
            self.after_cr = rest[end] == b'\r'; // E3, E16
            rest = &rest[end + 1..];
        }
    }

    /// Most events are one line of data and a blank line, and come in one chunk: these need not be copied.
    fn whole_event(&self, line: &[u8], after: &[u8], out: &mut impl FnMut(Frame<'_>)) -> bool {
        let fresh = self.line == Line::Empty { skipping: false } && self.used == 0 && !self.has_data;
        if !fresh || !self.event.is_empty() || !after.starts_with(b"\n\n") || line.len() > self.limit {
            return false;
        }
        let Some(value) = line.strip_prefix(b"data:") else { return false };
        let Ok(data) = str::from_utf8(value.strip_prefix(b" ").unwrap_or(value)) else { return false };
        out(Frame::Event { event: "message", data, id: &self.id });
        true
    }

    /// Takes bytes of a line that goes on.
    fn part(&mut self, bytes: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        self.begin(bytes);
        if self.line == Line::Field {
            if self.fits(bytes) {
                self.held.extend_from_slice(bytes);
            } else {
                self.give_up(out);
            }
        }
    }

    /// Takes the last bytes of a line.
    fn end_line(&mut self, bytes: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        self.begin(bytes);
        if self.line == Line::Field && !self.fits(bytes) {
            self.give_up(out);
        }
        let skipping = match self.line {
            Line::Empty { skipping } => {
                self.end_event(skipping, out);
                false
            }
            Line::Passed { skipping } => skipping,
            Line::Field => {
                self.used += self.held.len() + bytes.len();
                if self.held.is_empty() {
                    self.field(bytes, out);
                } else {
                    let mut line = std::mem::take(&mut self.held);
                    line.extend_from_slice(bytes);
                    self.field(&line, out);
                }
                false
            }
        };
        self.line = Line::Empty { skipping };
    }

    fn begin(&mut self, bytes: &[u8]) {
        if let (Line::Empty { skipping }, Some(&first)) = (self.line, bytes.first()) {
            // E5
            self.line = if skipping || first == b':' { Line::Passed { skipping } } else { Line::Field };
        }
    }

    fn fits(&self, bytes: &[u8]) -> bool {
        self.used + self.held.len() + bytes.len() <= self.limit
    }

    /// E18
    fn give_up(&mut self, out: &mut impl FnMut(Frame<'_>)) {
        out(Frame::Limit);
        self.held.clear();
        self.clear_event();
        self.line = Line::Passed { skipping: true };
    }

    /// E4
    fn end_event(&mut self, skipping: bool, out: &mut impl FnMut(Frame<'_>)) {
        if self.has_data && !skipping {
            let event = if self.event.is_empty() { "message" } else { &self.event }; // E10
            out(Frame::Event { event, data: &self.data, id: &self.id });
        }
        self.clear_event();
        self.used = 0;
    }

    fn clear_event(&mut self) {
        self.has_data = false;
        self.data.clear();
        self.event.clear();
    }

    fn field(&mut self, line: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        // E6, E7: colons and spaces are whole characters, so names and values can be decoded on their own.
        let (name, value) = match memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = text(value.strip_prefix(b" ").unwrap_or(value));
        match name {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push('\n'); // E8
                }
                self.data.push_str(&value);
            }
            b"event" => self.event = value.into_owned(),
            b"id" if !value.contains('\0') => self.id = value.into_owned(), // E11
            b"retry" => {
                if let Some(retry) = retry(&value) {
                    out(Frame::Retry(retry));
                }
            }
            b"id" => {}
            _ => out(Frame::Unknown(line)), // E14
        }
    }
}

/// Whether a field of this name means anything (E14).
pub fn is_known(name: &[u8]) -> bool {
    matches!(name, b"data" | b"event" | b"id" | b"retry")
}

/// E12, E13
fn retry(value: &str) -> Option<u64> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|&retry| digits && retry <= MOST_RETRY)
}

/// E1
fn text(bytes: &[u8]) -> Cow<'_, str> {
    // Nearly always it is UTF-8, which is found out much faster than where it is not.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
