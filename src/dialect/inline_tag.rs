//! `inline-tag`: prose with `<tool_call name="…" args={…}></tool_call>` in it.
//!
//! The rules are in `spec/inline-tag/README.md`. Text is passed on as it comes; from a `<` on everything is held until it is
//! a whole marker, or until one character shows that it never will be.

use std::ops::Range;

use super::options::{Limit, Options, OptionsError};
use crate::event::Event;
use crate::lifecycle::{Meaning, Move, Step, Track};
use crate::machine::{Machine, Sink, landmark};
use crate::scan::json::{self, ObjectScanner, Scan, is_blank};

const OPEN: &[u8] = b"<tool_call";
const NAME: &[u8] = b"name=\"";
const ARGS: &[u8] = b"args=";
const CLOSE: &[u8] = b"</tool_call>";

/// The reference implementation of `inline-tag`.
///
/// ```
/// use anysplit::dialect::{InlineTag, Options};
/// use anysplit::event::{Event, normal_form};
/// use anysplit::machine;
///
/// let parser = InlineTag::new(&Options::default())?;
/// let events = machine::run(parser, &["Hi <tool", "_call name=\"wave\"></tool_call>!"]);
/// assert_eq!(events[1].to_string(), r#"{"type":"tool_call","args":{},"name":"wave"}"#);
/// assert_eq!(normal_form(events).len(), 3);
/// # Ok::<(), anysplit::dialect::OptionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InlineTag {
    limit: Limit,
    state: State,
    /// What came since the `<` that may begin a marker; empty in [`State::Text`].
    held: String,
    /// Where in `held` the attributes' values stand.
    name: Option<Range<usize>>,
    args: Option<Range<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Text,
    /// In `<tool_call`: how many bytes matched.
    Open(usize),
    /// Between attributes; whether a blank stands before what comes next.
    Between {
        blank: bool,
    },
    /// In `name="` or `args=`: how many bytes of it matched.
    Attribute(&'static [u8], usize),
    /// In the name, which began at this offset of `held`.
    Name(usize),
    /// In the arguments, which began at this offset of `held`.
    Args(usize, ObjectScanner),
    /// After `>`.
    Opened,
    /// In `</tool_call>`: how many bytes matched.
    Close(usize),
}

/// What the next bytes did to a marker.
enum Progress {
    /// So many bytes fit, and the marker goes on.
    Fits(usize),
    /// With so many bytes the marker is whole.
    Whole(usize),
    /// After so many bytes comes a character that no marker has there.
    Broken(usize),
}

impl InlineTag {
    /// A parser at the start of a stream.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["limit"])?;
        Ok(Self::with_limit(options.limit()?))
    }

    pub(super) fn with_limit(limit: Limit) -> Self {
        Self { limit, state: State::Text, held: String::new(), name: None, args: None }
    }

    /// Passes text on up to the next `<`; returns what is left.
    fn text<'a>(&mut self, rest: &'a str, sink: &mut impl Sink) -> &'a str {
        let Some(at) = memchr::memchr(b'<', rest.as_bytes()) else {
            sink.text(rest);
            return "";
        };
        if at > 0 {
            sink.text(&rest[..at]);
        }
        self.begin();
        &rest[at + 1..]
    }

    /// Takes what belongs to the marker; returns what is left.
    fn marker<'a>(&mut self, rest: &'a str, sink: &mut impl Sink) -> &'a str {
        let progress = self.advance(rest);
        let (Progress::Fits(bytes) | Progress::Whole(bytes) | Progress::Broken(bytes)) = progress;
        if let Some(cut) = self.limit.strikes(&self.held, rest, bytes) {
            self.held.push_str(&rest[..cut]);
            sink.event(self.limit.event()); // T20
            self.release(sink);
            return &rest[cut..];
        }
        self.held.push_str(&rest[..bytes]);
        match progress {
            Progress::Fits(_) => {}
            Progress::Whole(_) => self.call(sink),
            Progress::Broken(_) => self.refute(sink),
        }
        &rest[bytes..]
    }

    /// Moves the state over as much of `rest` as it can take at once.
    fn advance(&mut self, rest: &str) -> Progress {
        match &mut self.state {
            State::Name(start) => {
                let start = *start;
                self.in_name(start, rest)
            }
            State::Args(start, scanner) => match scanner.scan(rest) {
                Scan::More => Progress::Fits(rest.len()),
                Scan::Broken(at) => Progress::Broken(at), // T9, T11
                Scan::Done(bytes) => {
                    self.args = Some(*start..self.held.len() + bytes);
                    self.state = State::Between { blank: false };
                    Progress::Fits(bytes)
                }
            },
            State::Open(matched) if *matched < OPEN.len() => in_literal(OPEN, matched, rest),
            State::Attribute(literal, matched) => {
                let (literal, progress) = (*literal, in_literal(literal, matched, rest));
                if let (Progress::Fits(bytes), true) = (&progress, *matched == literal.len()) {
                    let start = self.held.len() + bytes;
                    self.state = match literal {
                        NAME => State::Name(start),
                        _ => State::Args(start, ObjectScanner::default()),
                    };
                }
                progress
            }
            State::Close(matched) => match in_literal(CLOSE, matched, rest) {
                Progress::Fits(bytes) if *matched == CLOSE.len() => Progress::Whole(bytes),
                progress => progress,
            },
            _ => self.structure(rest.as_bytes()[0]),
        }
    }

    fn in_name(&mut self, start: usize, rest: &str) -> Progress {
        let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'<' | b'>' | b'\r' | b'\n'));
        let Some(end) = end else { return Progress::Fits(rest.len()) };
        let name = start..self.held.len() + end;
        if rest.as_bytes()[end] != b'"' || name.is_empty() {
            return Progress::Broken(end); // T4
        }
        self.name = Some(name);
        self.state = State::Between { blank: false };
        Progress::Fits(end + 1)
    }

    /// Moves the state over one byte of a marker between its fixed parts, its name and its arguments.
    fn structure(&mut self, byte: u8) -> Progress {
        let next = match self.state {
            State::Open(_) if is_blank(byte) => State::Between { blank: true }, // T2
            State::Between { .. } if is_blank(byte) => State::Between { blank: true },
            State::Between { .. } if byte == b'>' && self.name.is_some() => State::Opened, // T4
            // T3, T6: after a blank, and only an attribute that is still missing.
            State::Between { blank: true } if byte == NAME[0] && self.name.is_none() => State::Attribute(NAME, 1),
            State::Between { blank: true } if byte == ARGS[0] && self.args.is_none() => State::Attribute(ARGS, 1),
            State::Opened if is_blank(byte) => State::Opened,
            State::Opened if byte == CLOSE[0] => State::Close(1),
            _ => return Progress::Broken(0),
        };
        self.state = next;
        Progress::Fits(1)
    }

    /// Holds the `<` that may begin a marker.
    fn begin(&mut self) {
        self.held.reserve(64);
        self.held.push('<');
        self.state = State::Open(1);
    }

    /// The marker is whole: the call comes out.
    fn call(&mut self, sink: &mut impl Sink) {
        let name = self.name.clone().map(|name| self.held[name].into());
        let args = match self.args.clone() {
            Some(args) => json::value(&self.held[args]),
            None => Some(serde_json::json!({})), // T5
        };
        match (name, args) {
            (Some(name), Some(args)) => {
                self.reset();
                sink.event(Event::new("tool_call", [("name", name), ("args", args)])); // T17
            }
            // Cannot be: the states require a name and the scanner accepted the arguments. Nothing would be lost.
            _ => self.release(sink),
        }
    }

    /// The marker is none: what was held is text, but a `<` that only seemed to begin the closing tag is looked at again.
    fn refute(&mut self, sink: &mut impl Sink) {
        let again = self.state == State::Close(1); // T14; any longer part of the closing tag cannot begin a marker
        if again {
            self.held.pop();
        }
        self.release(sink);
        if again {
            self.begin();
        }
    }

    /// What was held is text. T13, T15: it is not scanned again.
    fn release(&mut self, sink: &mut impl Sink) {
        if !self.held.is_empty() {
            sink.text(&self.held);
        }
        self.reset();
    }

    fn reset(&mut self) {
        self.held.clear();
        *self = Self { held: std::mem::take(&mut self.held), ..Self::with_limit(self.limit) };
    }
}

/// Goes on in a part that every marker has as it stands, of which so many bytes matched.
fn in_literal(literal: &[u8], matched: &mut usize, rest: &str) -> Progress {
    let bytes = literal[*matched..].iter().zip(rest.as_bytes()).take_while(|(one, other)| one == other).count();
    *matched += bytes;
    if bytes == 0 { Progress::Broken(0) } else { Progress::Fits(bytes) }
}

impl Machine for InlineTag {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        let mut rest = chunk;
        while !rest.is_empty() {
            rest = match self.state {
                State::Text => self.text(rest, sink),
                _ => self.marker(rest, sink),
            };
        }
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.release(sink); // T16
    }

    fn landmark(&self) -> u64 {
        let state = match &self.state {
            State::Text => 0,
            State::Opened => 1,
            State::Name(_) => 2,
            State::Between { blank } => 3 + u64::from(*blank),
            State::Open(matched) => 10 + *matched as u64,
            State::Close(matched) => 30 + *matched as u64,
            State::Attribute(NAME, matched) => 50 + *matched as u64,
            State::Attribute(_, matched) => 60 + *matched as u64,
            State::Args(_, scanner) => 100 + scanner.landmark(),
        };
        landmark([state, u64::from(self.name.is_some()), u64::from(self.args.is_some())])
    }
}

/// A call is one event, and nothing more need come.
pub(super) fn step(event: &Event) -> Option<Step> {
    (event.kind() == "tool_call").then(|| Step {
        track: Track::Call,
        id: None,
        name: event.str("name").map(str::to_owned),
        input: event.get("args").cloned(),
        meaning: Meaning::Begins(&[Move::Input]),
    })
}
