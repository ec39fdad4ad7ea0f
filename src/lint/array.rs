//! The elements of one JSON array, as they arrive.
//!
//! Only brackets and strings are followed: whether an element is JSON is found when it is read.

use crate::scan::Start;
use crate::scan::json::is_blank;

/// Follows one JSON array of any number of elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Decoder {
    limit: usize,
    start: Start,
    state: State,
    /// What came of the current element.
    held: Vec<u8>,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Before the opening bracket.
    Before,
    /// After the opening bracket: an element or the end.
    First,
    /// After a comma, where an element must come, or in an element.
    Inside,
    /// After an element that ended with its bracket: a comma or the end.
    Between,
    /// Up to the next comma or the end: in an element that is longer than the limit, or in what stands where none may.
    Skipping,
    /// After the closing bracket.
    After,
    /// Something stood outside of the array: said once, what follows is no better.
    Lost,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// The text of an element; nothing where one is missing.
    Element(&'a [u8]),
    /// An element was longer than the limit.
    Limit,
    /// Something else than an opening bracket comes first.
    NoArray,
    /// Something stands behind the array, or behind an element without a comma between.
    Stray,
}

impl Decoder {
    /// A decoder at the start of a stream, for elements of at most so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        let state = State::Before;
        Self { limit, start: Start::default(), state, held: Vec::new(), depth: 0, in_string: false, escaped: false }
    }

    /// How many bytes may be held.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut impl FnMut(Found<'_>)) {
        let (seemed, rest) = self.start.pass(bytes);
        for &byte in seemed.iter().chain(rest) {
            match self.state {
                State::Before if byte == b'[' => self.state = State::First,
                State::Before | State::After if is_blank(byte) => {}
                State::Before | State::After => {
                    out(if self.state == State::Before { Found::NoArray } else { Found::Stray });
                    self.state = State::Lost;
                }
                State::Lost => {}
                State::First | State::Inside | State::Between | State::Skipping => self.inside(byte, out),
            }
        }
    }

    /// Whether the array has ended.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.state, State::After | State::Lost)
    }

    /// Whether a part of an element has come.
    pub(super) fn is_within(&self) -> bool {
        self.state == State::Skipping || !self.held.is_empty()
    }

    fn inside(&mut self, byte: u8, out: &mut impl FnMut(Found<'_>)) {
        let is_complete = |byte| matches!(byte, b'}' | b']');
        let ends = !self.in_string && self.depth == 0 && matches!(byte, b',' | b']');
        if ends {
            // RFC 8259: only an array without any element has nothing before its closing bracket.
            if self.state == State::Inside || self.state == State::First && byte == b',' {
                out(Found::Element(&self.held));
            }
            self.held.clear();
            self.state = if byte == b',' { State::Inside } else { State::After };
            return;
        }
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            b'{' | b'[' if !self.in_string => self.depth += 1,
            b'}' | b']' if !self.in_string => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.state == State::Skipping || self.held.is_empty() && is_blank(byte) {
            return;
        }
        if self.state == State::Between {
            self.state = State::Skipping;
            return out(Found::Stray);
        }
        self.state = State::Inside;
        self.held.push(byte);
        if self.held.len() > self.limit {
            self.state = State::Skipping;
            self.held.clear();
            out(Found::Limit);
        } else if is_complete(byte) && self.depth == 0 && !self.in_string {
            // Whoever waits for the element need not wait for the comma too.
            out(Found::Element(&self.held));
            self.held.clear();
            self.state = State::Between;
        }
    }
}
