//! `markdown-fence`: Markdown with ```` ```tool ```` blocks in it.
//!
//! The rules are in `spec/markdown-fence/README.md`. The grammar is lines: [`line`] follows a line that may open or close a
//! fence, [`invocation`] turns a recognised block into events, and the machine here holds what may still become a block.

mod invocation;
mod line;

use self::invocation::Invocations;
pub(super) use self::invocation::step;
use self::line::{Closing, Fence, Opened, Opening};
use serde_json::Value;

use super::options::{Limit, Options, OptionsError};
use crate::machine::{Machine, Sink, landmark};
use crate::scan::json::{self, DocumentScanner};

/// The reference implementation of `markdown-fence`.
///
/// ```
/// use anysplit::dialect::{MarkdownFence, Options};
/// use anysplit::machine;
///
/// let parser = MarkdownFence::new(&Options::default())?;
/// let events = machine::run(parser, &["```to", "ol\n{\"toolName\":\"wave\"}\n``", "`\nDone."]);
/// assert_eq!(
///     events[1].to_string(),
///     r#"{"type":"tool-input-available","input":{},"toolCallId":"tool-call-1","toolName":"wave"}"#
/// );
/// # Ok::<(), anysplit::dialect::OptionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MarkdownFence {
    limit: Limit,
    state: State,
    /// What may still become a tool block, from the first character of its opening line.
    held: String,
    invocations: Invocations,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    /// In a line that opens nothing.
    Plain,
    /// In a line that may still open a tool fence: held.
    Opening(Opening),
    /// In a line that may open another fence, but is passed on.
    OtherOpening(Opening),
    /// Inside another fence, or in what is left of a refuted block: text to the closing line (F7, F12).
    Hidden { fence: Fence, closing: Closing },
    /// Inside a tool fence: held. The body begins at `start` in `held`.
    Body { fence: Fence, closing: Closing, start: usize, body: DocumentScanner },
}

impl MarkdownFence {
    /// A parser at the start of a stream.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["limit"])?;
        let (held, invocations) = (String::new(), Invocations::default());
        Ok(Self { limit: options.limit()?, state: State::Opening(Opening::START), held, invocations })
    }

    /// Moves on over text that is passed on as it comes; returns how many bytes that is, 0 where text must be held.
    fn pass(&mut self, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        let (passed, state) = match self.state {
            State::Plain => plain_lines(bytes),
            State::Opening(Opening::START) if !Opening::may_begin(bytes[0]) => plain_lines(bytes),
            State::Opening(_) | State::Body { .. } => return 0,
            State::OtherOpening(opening) => (first_char(rest), after_opening(opening.next(bytes[0]))),
            State::Hidden { fence, closing: Closing::No } => match memchr::memchr2(b'\n', b'\r', bytes) {
                Some(end) => (end + 1, State::Hidden { fence, closing: Closing::START }),
                None => (bytes.len(), State::Hidden { fence, closing: Closing::No }),
            },
            State::Hidden { fence, closing } => match closing.next(bytes[0], fence) {
                Closing::Closed => (1, State::Opening(Opening::START)),
                closing => (first_char(rest), State::Hidden { fence, closing }),
            },
        };
        self.state = state;
        passed
    }

    /// Takes a byte of a line that may open a tool fence; returns what is left.
    fn open<'a>(&mut self, opening: Opening, rest: &'a str, sink: &mut impl Sink) -> &'a str {
        let opened = opening.next(rest.as_bytes()[0]);
        let may_be_tool = match opened {
            Opened::NotYet(next) => next.may_be_tool(),
            Opened::Tool(_) => true,
            Opened::Other(_) | Opened::Nothing | Opened::LineEnd => false,
        };
        let struck = may_be_tool && self.limit.strikes(&self.held, rest, 1).is_some();
        if struck {
            sink.event(self.limit.event()); // F25
        }
        if struck || !may_be_tool {
            self.release(sink);
            self.state = State::OtherOpening(opening); // looks at this byte again
            return rest;
        }
        self.held.push_str(&rest[..1]); // what a tool fence's opening line is made of is ASCII
        self.state = match opened {
            Opened::NotYet(next) => State::Opening(next),
            Opened::Tool(fence) => {
                let (start, body) = (self.held.len(), DocumentScanner::Before);
                State::Body { fence, closing: Closing::START, start, body }
            }
            other => after_opening(other),
        };
        &rest[1..]
    }

    /// Takes the next part of a tool fence's body, a line at most; returns what is left.
    fn body<'a>(&mut self, rest: &'a str, sink: &mut impl Sink) -> &'a str {
        let State::Body { fence, closing, start, body } = &mut self.state else { return rest };
        let (fence, before) = (*fence, *closing);
        let next = before.next(rest.as_bytes()[0], fence);
        let stride = match next {
            Closing::No => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            _ => 1,
        };
        let fits = match next {
            Closing::Closed => {
                let block = self.held[*start..].trim_end_matches([' ', '\t', char::from(fence.mark)]);
                let object = json::value(block);
                self.recognised(object, sink);
                return rest;
            }
            Closing::Marks(_) | Closing::Blanks if body.is_complete() => Ok(()),
            Closing::Marks(_) | Closing::Blanks => Err(0), // closes too early or is no JSON: F8 either way
            Closing::No | Closing::Indent(_) if before.has_marks() => Err(0), // marks, but no closing line: F5, F8
            Closing::No | Closing::Indent(_) => body.scan(&rest[..stride]),
        };
        let taken = fits.err().unwrap_or(stride);
        let struck = self.limit.strikes(&self.held, rest, taken);
        let taken = struck.unwrap_or(taken);
        self.held.push_str(&rest[..taken]);
        if struck.is_some() {
            sink.event(self.limit.event()); // F25
        }
        if struck.is_some() || fits.is_err() {
            self.release(sink);
            let closing = if taken == 0 { before } else { Closing::No };
            self.state = State::Hidden { fence, closing }; // F12
        } else {
            *closing = next;
        }
        &rest[taken..]
    }

    fn recognised(&mut self, object: Option<Value>, sink: &mut impl Sink) {
        match object {
            Some(Value::Object(fields)) => {
                self.held.clear();
                self.invocations.announce(fields, sink);
            }
            // Cannot be: the scanner accepted the body as an object. Nothing would be lost.
            _ => self.release(sink),
        }
        self.state = State::Plain; // F6: the line end after the block is text
    }

    /// What was held is text.
    fn release(&mut self, sink: &mut impl Sink) {
        if !self.held.is_empty() {
            sink.text(&self.held);
            self.held.clear();
        }
    }
}

impl Machine for MarkdownFence {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let mut passed = 0;
            while let Some(more) = rest.get(passed..).filter(|more| !more.is_empty()) {
                match self.pass(more) {
                    0 => break,
                    bytes => passed += bytes,
                }
            }
            if passed > 0 {
                sink.text(&rest[..passed]);
                rest = &rest[passed..];
            } else if let State::Opening(opening) = self.state {
                rest = self.open(opening, rest, sink);
            } else {
                rest = self.body(rest, sink);
            }
        }
    }

    fn finish(mut self, sink: &mut impl Sink) {
        // The end of the stream ends a closing line (F5); anything else that is held is text (F14).
        if let State::Body { fence, closing, .. } = &self.state
            && closing.next(b'\n', *fence) == Closing::Closed
        {
            self.body("\n", sink);
        }
        self.release(sink);
    }

    fn landmark(&self) -> u64 {
        let fence = |fence: &Fence| u64::from(fence.mark) + 256 * (fence.len.min(6) as u64);
        landmark(match &self.state {
            State::Plain => [0; 4],
            State::Opening(opening) => [1, opening.landmark(), 0, 0],
            State::OtherOpening(opening) => [2, opening.landmark(), 0, 0],
            State::Hidden { fence: open, closing } => [3, closing.landmark(), fence(open), 0],
            State::Body { fence: open, closing, body, .. } => [4, closing.landmark(), fence(open), body.landmark()],
        })
    }
}

/// Goes over whole lines that cannot open a fence: how many bytes, and the state after them.
fn plain_lines(bytes: &[u8]) -> (usize, State) {
    for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        match bytes.get(end + 1) {
            Some(&next) if !Opening::may_begin(next) => {}
            _ => return (end + 1, State::Opening(Opening::START)),
        }
    }
    (bytes.len(), State::Plain)
}

fn after_opening(opened: Opened) -> State {
    match opened {
        Opened::NotYet(opening) => State::OtherOpening(opening),
        Opened::Nothing => State::Plain,
        Opened::LineEnd => State::Opening(Opening::START),
        Opened::Other(fence) | Opened::Tool(fence) => State::Hidden { fence, closing: Closing::START },
    }
}

fn first_char(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}
