//! The reference of `inline-tag` with a fault that only some splittings meet: for a child, and for this process.

use anysplit::dialect::{InlineTag, Options};
use anysplit::machine::{Machine, Sink};

use crate::child;

/// Does something else when chunks end exactly at these places, one after another.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Planted {
    inner: InlineTag,
    places: Vec<usize>,
    met: usize,
    at: usize,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Then {
    Lose,
    Raise,
    Crash,
    Hang,
}

impl Then {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "lose" => Self::Lose,
            "raise" => Self::Raise,
            "crash" => Self::Crash,
            "hang" => Self::Hang,
            other => panic!("there is no {other:?}"),
        }
    }
}

impl Planted {
    pub(crate) fn new(places: Vec<usize>, then: Then) -> Self {
        let inner = InlineTag::new(&Options::default()).expect("no options are good options");
        Self { inner, places, met: 0, at: 0, then }
    }
}

impl Machine for Planted {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        if chunk.is_empty() {
            return;
        }
        self.at += chunk.chars().count();
        self.met = if self.places.get(self.met) == Some(&self.at) { self.met + 1 } else { usize::MAX / 2 };
        if self.met == self.places.len() {
            match self.then {
                Then::Lose => return,
                Then::Raise => panic!("it was planted"),
                Then::Crash => child::crash(),
                Then::Hang => child::sleep(),
            }
        }
        self.inner.feed(chunk, sink);
    }

    fn finish(self, sink: &mut impl Sink) {
        self.inner.finish(sink);
    }
}
