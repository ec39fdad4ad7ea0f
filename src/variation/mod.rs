//! Ways to deliver the same input: cut into chunks, cut off, or with its calls in another order.

pub mod interleave;
pub mod split;
pub mod truncate;

use serde::Serialize;

use crate::input::Chunk;

/// An input and the places where it may be cut: between its characters, bytes or items.
#[derive(Clone, Debug)]
pub struct Atoms<'a> {
    whole: Chunk<'a>,
    /// Of a text that is not ASCII: the byte offsets of the characters, and the length at the end.
    bounds: Option<Vec<usize>>,
}

impl<'a> Atoms<'a> {
    /// The characters of a text, the bytes of bytes, the items of a list.
    pub fn of(whole: impl Into<Chunk<'a>>) -> Self {
        let whole = whole.into();
        let bounds = match whole {
            Chunk::Text(text) if !text.is_ascii() => {
                let mut bounds = Vec::with_capacity(text.len() + 1);
                bounds.extend(text.char_indices().map(|(at, _)| at));
                bounds.push(text.len());
                Some(bounds)
            }
            _ => None,
        };
        Self { whole, bounds }
    }

    /// How many there are in an input.
    pub fn count(whole: Chunk<'_>) -> usize {
        match whole {
            Chunk::Text(text) => text.chars().count(),
            Chunk::Bytes(bytes) => bytes.len(),
            Chunk::Objects(objects) => objects.len(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match (self.whole, &self.bounds) {
            (Chunk::Text(text), None) => text.len(),
            (_, Some(bounds)) => bounds.len() - 1,
            (whole, None) => Self::count(whole),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole input.
    pub fn whole(&self) -> Chunk<'a> {
        self.whole
    }

    /// The atoms from `start` to before `end`.
    pub fn slice(&self, start: usize, end: usize) -> Chunk<'a> {
        match self.whole {
            Chunk::Text(text) => match &self.bounds {
                Some(bounds) => Chunk::Text(&text[bounds[start]..bounds[end]]),
                None => Chunk::Text(&text[start..end]),
            },
            Chunk::Bytes(bytes) => Chunk::Bytes(&bytes[start..end]),
            Chunk::Objects(objects) => Chunk::Objects(&objects[start..end]),
        }
    }

    /// The chunks that these cuts leave.
    pub fn chunks(&self, cuts: &Cuts) -> Vec<Chunk<'a>> {
        let mut chunks = Vec::with_capacity(cuts.0.len() + 1);
        self.each_chunk(cuts, |chunk| chunks.push(chunk));
        chunks
    }

    /// Hands out the chunks that these cuts leave, one by one.
    pub fn each_chunk(&self, cuts: &Cuts, mut take: impl FnMut(Chunk<'a>)) {
        let mut start = 0;
        for &cut in &cuts.0 {
            take(self.slice(start, cut));
            start = cut;
        }
        take(self.slice(start, self.len()));
    }
}

/// Where an input is cut: before which atoms, in ascending order. A place that stands twice, and a place at either end,
/// leaves an empty chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Cuts(pub Vec<usize>);

impl Cuts {
    /// No cut: the whole input in one chunk.
    pub const NONE: Self = Self(Vec::new());

    /// A cut between any two of `len` atoms; in a very long input only as many as leave [`MOST_CHUNKS`].
    pub fn finest(len: usize) -> Self {
        Self((1..len).step_by(len.div_ceil(MOST_CHUNKS).max(1)).collect())
    }
}

/// No variation has more chunks than this: what comes out of each is kept until it is judged.
pub const MOST_CHUNKS: usize = 1 << 17;
