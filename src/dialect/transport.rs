//! How bytes become the items of a lifecycle dialect (C36): server-sent events or lines.

use super::options::{Options, OptionsError};
use crate::scan::json::is_blank;
use crate::scan::{lines, sse};

/// A transport under a lifecycle dialect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// The data of server-sent events.
    Sse(sse::Decoder),
    /// Lines.
    Ndjson(lines::Decoder),
}

/// What a transport found.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    /// What must be one JSON value.
    Text(&'a [u8]),
    /// Something that cannot be one, and what was allowed instead, in words.
    Malformed(&'static str, &'static str),
    /// It was longer than this limit.
    TooLong(usize),
    /// A line that is passed over because nobody knows what it is; no item, unless there is no other.
    Unknown(&'a [u8]),
}

impl Transport {
    /// Server-sent events of at most so many bytes.
    pub fn sse(limit: usize) -> Self {
        Self::Sse(sse::Decoder::new(limit))
    }

    /// Lines of at most so many bytes.
    pub fn ndjson(limit: usize) -> Self {
        Self::Ndjson(lines::Decoder::new(limit))
    }

    /// The transport that the options name, if they name one.
    pub(super) fn of(options: &Options) -> Result<Option<Self>, OptionsError> {
        let limit = options.limit()?.bytes();
        match options.string("transport", "")?.as_str() {
            "" if !options.0.contains_key("transport") => Ok(None),
            "sse" => Ok(Some(Self::sse(limit))),
            "ndjson" => Ok(Some(Self::ndjson(limit))),
            other => Err(OptionsError::new("transport", format!("expected \"sse\" or \"ndjson\", found {other:?}"))),
        }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8], out: &mut impl FnMut(Item<'_>)) {
        match self {
            Self::Sse(decoder) => {
                let limit = decoder.limit();
                decoder.feed(bytes, &mut |frame| of_frame(frame, limit, out));
            }
            Self::Ndjson(decoder) => {
                let limit = decoder.limit();
                decoder.feed(bytes, &mut |found| of_line(found, limit, out));
            }
        }
    }

    /// Whether a part of an item has come.
    pub fn is_within(&self) -> bool {
        match self {
            Self::Sse(decoder) => decoder.is_within(),
            Self::Ndjson(decoder) => decoder.is_within(),
        }
    }

    /// What of an unfinished line is known already to mean nothing.
    pub fn unknown_rest(&self) -> Option<&[u8]> {
        if let Self::Sse(decoder) = self { decoder.unknown_rest() } else { None }
    }

    /// Coarsely where it stands.
    pub(super) fn landmark(&self) -> u64 {
        match self {
            Self::Sse(decoder) => decoder.landmark(),
            Self::Ndjson(decoder) => decoder.landmark(),
        }
    }

    /// Takes the end of the stream.
    pub fn finish(self, out: &mut impl FnMut(Item<'_>)) {
        match self {
            Self::Sse(decoder) if decoder.is_unfinished() => {
                out(Item::Malformed("the last event is not ended by a blank line, and lost", "a blank line behind it"));
            }
            Self::Sse(_) => {}
            Self::Ndjson(decoder) => {
                let limit = decoder.limit();
                decoder.finish(&mut |found| of_line(found, limit, out));
            }
        }
    }
}

fn of_frame(frame: sse::Frame<'_>, limit: usize, out: &mut impl FnMut(Item<'_>)) {
    match frame {
        sse::Frame::Event { data: "" | "[DONE]", .. } | sse::Frame::Retry(_) => {}
        sse::Frame::Event { data, .. } => out(Item::Text(data.as_bytes())),
        sse::Frame::Unknown(line) => out(Item::Unknown(line)),
        sse::Frame::Limit => out(Item::TooLong(limit)),
    }
}

fn of_line(found: lines::Found<'_>, limit: usize, out: &mut impl FnMut(Item<'_>)) {
    match found {
        lines::Found::Line(line) if line.iter().all(|&byte| is_blank(byte)) => {}
        lines::Found::Line(line) => out(Item::Text(line)),
        lines::Found::Limit => out(Item::TooLong(limit)),
    }
}

/// What must come where an item comes.
pub const VALUE: &str = "one JSON value";
