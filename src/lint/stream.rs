//! A stream in its framing: those of the dialects, and one JSON array, which only recordings are.

use serde::Serialize;

use super::array::{Decoder, Found};
use crate::dialect::transport::{Item, Transport, VALUE};

/// How a stream is transported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// Server-sent events.
    Sse,
    /// A JSON value per line.
    Ndjson,
    /// One JSON array.
    Array,
}

impl Framing {
    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sse => "sse",
            Self::Ndjson => "ndjson",
            Self::Array => "array",
        }
    }
}

/// What takes the items out of a stream.
pub(super) enum Stream {
    Transport(Transport),
    Array(Decoder),
}

impl Stream {
    /// A stream at its start, of items of at most so many bytes.
    pub(super) fn of(framing: Framing, limit: usize) -> Self {
        match framing {
            Framing::Sse => Self::Transport(Transport::sse(limit)),
            Framing::Ndjson => Self::Transport(Transport::ndjson(limit)),
            Framing::Array => Self::Array(Decoder::new(limit)),
        }
    }

    pub(super) fn framing(&self) -> Framing {
        match self {
            Self::Transport(Transport::Sse(_)) => Framing::Sse,
            Self::Transport(Transport::Ndjson(_)) => Framing::Ndjson,
            Self::Array(_) => Framing::Array,
        }
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut impl FnMut(Item<'_>)) {
        match self {
            Self::Transport(transport) => transport.feed(bytes, out),
            Self::Array(decoder) => {
                let limit = decoder.limit();
                decoder.feed(bytes, &mut |found| of_element(found, limit, out));
            }
        }
    }

    /// Whether a part of an item has come.
    pub(super) fn is_within(&self) -> bool {
        match self {
            Self::Transport(transport) => transport.is_within(),
            Self::Array(decoder) => decoder.is_within(),
        }
    }

    /// What of an unfinished line is known already to mean nothing.
    pub(super) fn unknown_rest(&self) -> Option<&[u8]> {
        if let Self::Transport(transport) = self { transport.unknown_rest() } else { None }
    }

    /// Takes the end of the stream.
    pub(super) fn finish(self, out: &mut impl FnMut(Item<'_>)) {
        match self {
            Self::Transport(transport) => transport.finish(out),
            Self::Array(decoder) if decoder.is_complete() => {}
            Self::Array(_) => out(Item::Malformed("the array is not closed", "its closing bracket")),
        }
    }
}

fn of_element(found: Found<'_>, limit: usize, out: &mut impl FnMut(Item<'_>)) {
    match found {
        Found::Element(b"") => out(Item::Malformed("an element is missing", VALUE)),
        Found::Element(element) => out(Item::Text(element)),
        Found::Limit => out(Item::TooLong(limit)),
        Found::NoArray => out(Item::Malformed("something that is no array", "an opening bracket")),
        Found::Stray => {
            out(Item::Malformed(
                "something behind an element, or behind the array",
                "a comma, or the end of the stream",
            ));
        }
    }
}
