//! Lines that end with LF, as they arrive (rules N).

use memchr::memchr;

use super::Start;
use crate::machine::landmark;

/// Follows a stream of lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decoder {
    limit: usize,
    start: Start,
    /// What came of the current line.
    held: Vec<u8>,
    /// Whether the current line is too long and passed over.
    skipping: bool,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// A line, without its line end.
    Line(&'a [u8]),
    /// A line was longer than the limit.
    Limit,
}

impl Decoder {
    /// A decoder at the start of a stream, for lines of at most so many bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, start: Start::default(), held: Vec::new(), skipping: false }
    }

    /// How many bytes may be held.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8], out: &mut impl FnMut(Found<'_>)) {
        let (seemed, mut rest) = self.start.pass(bytes); // N8
        self.part(seemed, out);
        while let Some(end) = memchr(b'\n', rest) {
            self.end_line(&rest[..end], out);
            rest = &rest[end + 1..];
        }
        self.part(rest, out);
    }

    /// Takes the end of the stream, which ends a line too (N3).
    pub fn finish(mut self, out: &mut impl FnMut(Found<'_>)) {
        self.held.extend_from_slice(self.start.left());
        if !self.held.is_empty() {
            self.end_line(&[], out);
        }
    }

    /// Whether a part of a line has come.
    pub fn is_within(&self) -> bool {
        self.skipping || !self.held.is_empty()
    }

    /// Coarsely where it stands.
    pub(crate) fn landmark(&self) -> u64 {
        let held = match self.held.last() {
            None => 0,
            Some(b'\r') => 1,
            Some(_) => 2,
        };
        landmark([held, u64::from(self.skipping), self.start.landmark()])
    }

    fn part(&mut self, bytes: &[u8], out: &mut impl FnMut(Found<'_>)) {
        if self.skipping {
            return;
        }
        self.held.extend_from_slice(bytes);
        if without_cr(&self.held).len() > self.limit {
            self.skipping = true; // N10
            self.held.clear();
            out(Found::Limit);
        }
    }

    fn end_line(&mut self, bytes: &[u8], out: &mut impl FnMut(Found<'_>)) {
        if std::mem::take(&mut self.skipping) {
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        let line = if held.is_empty() {
            bytes
        } else {
            held.extend_from_slice(bytes);
            &held
        };
        let line = without_cr(line);
        out(if line.len() > self.limit { Found::Limit } else { Found::Line(line) });
        held.clear();
        self.held = held;
    }
}

/// N2: a CR just before the LF belongs to the line end.
fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
