//! Ways to deliver the same input: cut into chunks, or cut off.

pub mod split;
pub mod truncate;

use serde::Serialize;

/// An input and the places where it may be cut: between its characters.
#[derive(Clone, Debug)]
pub struct Atoms<'a> {
    text: &'a str,
    /// Byte offsets of the characters, and the length at the end.
    bounds: Vec<usize>,
}

impl<'a> Atoms<'a> {
    /// The characters of a text.
    pub fn of(text: &'a str) -> Self {
        let bounds = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Self { text, bounds }
    }

    /// How many characters there are.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The characters from `start` to before `end`.
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[self.bounds[start]..self.bounds[end]]
    }

    /// The chunks that these cuts leave.
    pub fn chunks(&self, cuts: &Cuts) -> Vec<&'a str> {
        let starts = [0].into_iter().chain(cuts.0.iter().copied());
        let ends = cuts.0.iter().copied().chain([self.len()]);
        starts.zip(ends).map(|(start, end)| self.slice(start, end)).collect()
    }
}

/// Where an input is cut: before which characters, in ascending order. A place that stands twice, and a place at either end,
/// leaves an empty chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Cuts(pub Vec<usize>);

impl Cuts {
    /// No cut: the whole input in one chunk.
    pub const NONE: Self = Self(Vec::new());

    /// A cut between any two of `len` characters; in a very long input only as many as leave [`MOST_CHUNKS`].
    pub fn finest(len: usize) -> Self {
        Self((1..len).step_by(len.div_ceil(MOST_CHUNKS).max(1)).collect())
    }
}

/// No variation has more chunks than this: what comes out of each is kept until it is judged.
pub const MOST_CHUNKS: usize = 1 << 17;
