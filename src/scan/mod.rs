//! Incremental scanners that dialects share: they follow a stream through any chunking and know nothing of calls.

pub mod json;
pub mod lines;
pub mod sse;

/// Passes over a byte order mark at the very start of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Start {
    /// Nothing came yet.
    #[default]
    Fresh,
    /// So many bytes of the mark.
    Mark(u8),
    /// The stream has begun.
    Begun,
}

impl Start {
    const MARK: &'static [u8] = "\u{feff}".as_bytes();

    /// What of these bytes is not part of a mark: bytes that only seemed to be, and the rest.
    pub(crate) fn pass<'a>(&mut self, bytes: &'a [u8]) -> (&'static [u8], &'a [u8]) {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            let seen = match self {
                Self::Begun => break,
                Self::Fresh => 0,
                Self::Mark(seen) => usize::from(*seen),
            };
            if byte != Self::MARK[seen] {
                *self = Self::Begun;
                return (&Self::MARK[..seen], rest);
            }
            rest = after;
            *self = if seen + 1 == Self::MARK.len() { Self::Begun } else { Self::Mark(seen as u8 + 1) };
        }
        (&[], rest)
    }

    /// Coarsely where it stands.
    fn landmark(&self) -> u64 {
        match self {
            Self::Fresh => 0,
            Self::Mark(seen) => u64::from(*seen),
            Self::Begun => 9,
        }
    }

    /// The bytes that seemed to begin a mark when the stream ended.
    fn left(&self) -> &'static [u8] {
        if let Self::Mark(seen) = self { &Self::MARK[..usize::from(*seen)] } else { &[] }
    }
}
