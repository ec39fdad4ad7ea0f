//! Ways to deliver the same input: splittings, truncations, reuse.

pub mod split;

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

    /// A cut between any two of `len` characters.
    pub fn every(len: usize) -> Self {
        Self((1..len).collect())
    }
}
