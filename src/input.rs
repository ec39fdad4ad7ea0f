//! What goes in: text, bytes or a list of JSON values, whole or in pieces.
//!
//! An [`Input`] owns what a case holds; a [`Chunk`] borrows a part of it, as a target is given it. Which of the three a machine
//! takes is said by its [`Piece`].

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The three kinds of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text, cut between characters.
    Text,
    /// Bytes, cut anywhere.
    Bytes,
    /// JSON values, one by one.
    Objects,
}

impl Kind {
    /// What such an input is made of, for messages.
    pub fn units(self) -> &'static str {
        match self {
            Self::Text => "characters",
            Self::Bytes => "bytes",
            Self::Objects => "items",
        }
    }
}

/// An input, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Text, cut between characters.
    Text(String),
    /// Bytes, cut anywhere.
    Bytes(Vec<u8>),
    /// JSON values, one by one.
    Objects(Vec<Value>),
}

impl Input {
    /// The whole of it, borrowed.
    pub fn as_chunk(&self) -> Chunk<'_> {
        match self {
            Self::Text(text) => Chunk::Text(text),
            Self::Bytes(bytes) => Chunk::Bytes(bytes),
            Self::Objects(objects) => Chunk::Objects(objects),
        }
    }

    /// Pieces of one kind, joined; empty text where there are none.
    pub fn joined<'a>(pieces: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut pieces = pieces.into_iter();
        let mut whole = pieces.next().cloned().unwrap_or_else(|| Self::Text(String::new()));
        for piece in pieces {
            match (&mut whole, piece) {
                (Self::Text(whole), Self::Text(more)) => whole.push_str(more),
                (Self::Bytes(whole), Self::Bytes(more)) => whole.extend_from_slice(more),
                (Self::Objects(whole), Self::Objects(more)) => whole.extend_from_slice(more),
                _ => debug_assert!(false, "pieces of one input are of one kind"),
            }
        }
        whole
    }
}

/// As case files and reports write it: text as a string, bytes in base64, values as a list.
impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Bytes(bytes) => json!({"bytes": STANDARD.encode(bytes)}).serialize(serializer),
            Self::Objects(objects) => objects.serialize(serializer),
        }
    }
}

/// The bytes of a base64 text; nothing where it is none.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// A part of an input, as a target is given it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chunk<'a> {
    /// Text, cut between characters.
    Text(&'a str),
    /// Bytes, cut anywhere.
    Bytes(&'a [u8]),
    /// JSON values, one by one.
    Objects(&'a [Value]),
}

impl Chunk<'_> {
    /// Which kind of input it is a part of.
    pub fn kind(self) -> Kind {
        match self {
            Self::Text(_) => Kind::Text,
            Self::Bytes(_) => Kind::Bytes,
            Self::Objects(_) => Kind::Objects,
        }
    }

    /// How many bytes it comes to, as JSON where it is a list of values.
    pub fn size(self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Objects(objects) => objects.iter().map(|object| object.to_string().len()).sum(),
        }
    }

    /// The same, owned.
    pub fn to_input(self) -> Input {
        match self {
            Self::Text(text) => Input::Text(text.to_owned()),
            Self::Bytes(bytes) => Input::Bytes(bytes.to_vec()),
            Self::Objects(objects) => Input::Objects(objects.to_vec()),
        }
    }
}

impl<'a> From<&'a str> for Chunk<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Chunk<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a [Value]> for Chunk<'a> {
    fn from(objects: &'a [Value]) -> Self {
        Self::Objects(objects)
    }
}

/// What a machine is fed: `str`, `[u8]` or `[Value]`.
pub trait Piece {
    /// The kind of input it is a part of.
    const KIND: Kind;

    /// The chunk, if it is of this kind.
    fn of(chunk: Chunk<'_>) -> Option<&Self>;
}

impl Piece for str {
    const KIND: Kind = Kind::Text;

    fn of(chunk: Chunk<'_>) -> Option<&Self> {
        if let Chunk::Text(text) = chunk { Some(text) } else { None }
    }
}

impl Piece for [u8] {
    const KIND: Kind = Kind::Bytes;

    fn of(chunk: Chunk<'_>) -> Option<&Self> {
        if let Chunk::Bytes(bytes) = chunk { Some(bytes) } else { None }
    }
}

impl Piece for [Value] {
    const KIND: Kind = Kind::Objects;

    fn of(chunk: Chunk<'_>) -> Option<&Self> {
        if let Chunk::Objects(objects) = chunk { Some(objects) } else { None }
    }
}
