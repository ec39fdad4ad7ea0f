//! A parser of `inline-tag` as it is often written: append to a buffer, search it, cut off what is settled.
//!
//! By itself it is right, except that it searches the same text again and again and knows no limit (T20). Each of its
//! [`Habits`] can be spoilt, so that a faulty implementation is one bad habit and nothing else.

use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use anysplit::scan::json::{self, ObjectScanner, Scan, is_blank};
use serde_json::{Value, json};

pub(crate) const OPEN: &str = "<tool_call";
pub(crate) const CLOSE: &str = "</tool_call>";

/// A whole marker.
pub(crate) struct Marker {
    /// How many bytes it has.
    pub(crate) len: usize,
    pub(crate) call: Event,
}

/// Why there is no whole marker.
pub(crate) enum Stop {
    /// The text ends before the marker does.
    End,
    /// The text before this offset is no marker, and scanning goes on there.
    Broken(usize),
}

/// How the parser does what; by itself, rightly.
pub(crate) trait Habits: Sized {
    /// How many bytes at the end of a text without an opening must wait: they may be the beginning of one.
    fn held_back(&mut self, text: &str) -> usize {
        held_back(text)
    }

    /// Reads the marker that a text begins with.
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        marker(self, text)
    }

    /// Where the object ends that a text begins with.
    fn object_end(&mut self, text: &str) -> Result<usize, Stop> {
        object_end(text)
    }

    /// Deals with a marker that broke at this offset; returns how many bytes are dealt with.
    fn refuted(&mut self, text: &str, broken: usize, sink: &mut impl Sink) -> usize {
        sink.text(&text[..broken]);
        broken
    }

    /// Deals with what is held when the stream ends.
    fn unfinished(&mut self, held: &str, sink: &mut impl Sink) {
        sink.text(held);
    }
}

/// No bad habits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sound;

impl Habits for Sound {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Buffered<H> {
    buffer: String,
    habits: H,
}

impl<H> Buffered<H> {
    pub(crate) fn new(habits: H) -> Self {
        Self { buffer: String::new(), habits }
    }
}

impl<H: Habits> Machine for Buffered<H> {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.buffer.push_str(chunk);
        let mut settled = 0;
        loop {
            let rest = &self.buffer[settled..];
            let Some(start) = rest.find(OPEN) else {
                let text = &rest[..rest.len() - self.habits.held_back(rest)];
                sink.text(text);
                settled += text.len();
                break;
            };
            sink.text(&rest[..start]);
            settled += start;
            let rest = &rest[start..];
            settled += match self.habits.read(rest) {
                Ok(marker) => {
                    sink.event(marker.call);
                    marker.len
                }
                Err(Stop::Broken(at)) => self.habits.refuted(rest, at, sink),
                Err(Stop::End) => break,
            };
        }
        self.buffer.drain(..settled);
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.habits.unfinished(&self.buffer, sink);
    }
}

pub(crate) fn held_back(text: &str) -> usize {
    (1..OPEN.len()).rev().find(|&bytes| text.ends_with(&OPEN[..bytes])).unwrap_or(0)
}

pub(crate) fn marker(habits: &mut impl Habits, text: &str) -> Result<Marker, Stop> {
    let mut reader = Reader { text, at: 0 };
    reader.literal(OPEN)?;
    let (mut name, mut args) = (None, None);
    loop {
        let blanks = reader.blanks();
        match reader.peek()? {
            b'>' if name.is_some() => break,
            b'n' if blanks > 0 && name.is_none() => name = Some(reader.name()?),
            b'a' if blanks > 0 && args.is_none() => args = Some(reader.args(habits)?),
            _ => return Err(Stop::Broken(reader.at)),
        }
    }
    reader.at += 1;
    reader.blanks();
    let closing = reader.at;
    reader.literal(CLOSE).map_err(|stop| match stop {
        Stop::Broken(_) => Stop::Broken(closing), // T14
        Stop::End => Stop::End,
    })?;
    let fields = [("name", name.into()), ("args", args.unwrap_or_else(|| json!({})))];
    Ok(Marker { len: reader.at, call: Event::new("tool_call", fields) })
}

pub(crate) fn object_end(text: &str) -> Result<usize, Stop> {
    match ObjectScanner::default().scan(text) {
        Scan::More => Err(Stop::End),
        Scan::Done(end) => Ok(end),
        Scan::Broken(at) => Err(Stop::Broken(at)),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Result<u8, Stop> {
        self.text.as_bytes().get(self.at).copied().ok_or(Stop::End)
    }

    fn literal(&mut self, literal: &str) -> Result<(), Stop> {
        for expected in literal.bytes() {
            if self.peek()? != expected {
                return Err(Stop::Broken(self.at));
            }
            self.at += 1;
        }
        Ok(())
    }

    fn blanks(&mut self) -> usize {
        let blanks = self.text[self.at..].bytes().take_while(|&byte| is_blank(byte)).count();
        self.at += blanks;
        blanks
    }

    fn name(&mut self) -> Result<&'a str, Stop> {
        self.literal("name=\"")?;
        let name = &self.text[self.at..];
        let len = name.find(['"', '<', '>', '\r', '\n']).ok_or(Stop::End)?;
        self.at += len;
        if len == 0 || self.peek()? != b'"' {
            return Err(Stop::Broken(self.at));
        }
        self.at += 1;
        Ok(&name[..len])
    }

    fn args(&mut self, habits: &mut impl Habits) -> Result<Value, Stop> {
        self.literal("args=")?;
        if self.peek()? != b'{' {
            return Err(Stop::Broken(self.at));
        }
        let start = self.at;
        let inside = |stop| match stop {
            Stop::Broken(at) => Stop::Broken(start + at),
            Stop::End => Stop::End,
        };
        self.at += habits.object_end(&self.text[start..]).map_err(inside)?;
        json::value(&self.text[start..self.at]).ok_or(Stop::Broken(self.at))
    }
}
