//! A machine: what turns a stream into events.
//!
//! A [`Machine`] is a plain value without I/O, clock or randomness. It is fed chunks and finished once; because `finish`
//! consumes it, feeding after the end does not compile. What comes out goes into a [`Sink`], where running text is borrowed
//! and everything else is an [`Event`].

use crate::event::{Event, TextKind};

/// A streaming implementation of a text dialect.
///
/// The reference implementations are also `Clone + Eq + Hash`, which lets [`crate::proof`] cover all splittings of an input.
pub trait Machine: Sized {
    /// How the dialect names its running text.
    const TEXT: TextKind = TextKind::Text;

    /// Takes the next piece of the stream. Empty chunks change nothing.
    fn feed(&mut self, chunk: &str, sink: &mut impl Sink);

    /// Takes the end of the stream.
    fn finish(self, sink: &mut impl Sink);
}

/// Where a machine puts what it finds, in order.
pub trait Sink {
    /// A piece of running text; how it is cut means nothing.
    fn text(&mut self, text: &str);

    /// Any other event.
    fn event(&mut self, event: Event);
}

/// A sink that keeps everything as events.
#[derive(Clone, Debug)]
pub struct Recorder {
    kind: TextKind,
    events: Vec<Event>,
    room: usize,
}

impl Recorder {
    /// A recorder for a dialect that names its running text so.
    pub fn new(kind: TextKind) -> Self {
        Self { kind, events: Vec::new(), room: usize::MAX }
    }

    /// A recorder that keeps at most so many events and bytes of text; see [`Recorder::overflowed`].
    pub fn with_room(kind: TextKind, room: usize) -> Self {
        Self { room, ..Self::new(kind) }
    }

    /// Takes what was recorded since the last call.
    pub fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Whether more came than there was room for.
    pub fn overflowed(&self) -> bool {
        self.room == 0
    }

    fn keep(&mut self, event: impl FnOnce(TextKind) -> Event, cost: usize) {
        self.room = self.room.saturating_sub(cost);
        if self.room > 0 {
            self.events.push(event(self.kind));
        }
    }
}

impl Sink for Recorder {
    fn text(&mut self, text: &str) {
        self.keep(|kind| kind.event(text), 1 + text.len());
    }

    fn event(&mut self, event: Event) {
        self.keep(|_| event, 1);
    }
}

/// A sink that keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Discard;

impl Sink for Discard {
    fn text(&mut self, _text: &str) {}

    fn event(&mut self, _event: Event) {}
}

/// Feeds these chunks to a machine and finishes it: all events, as they came.
pub fn run<M: Machine>(mut machine: M, chunks: &[&str]) -> Vec<Event> {
    let mut recorder = Recorder::new(M::TEXT);
    for chunk in chunks {
        machine.feed(chunk, &mut recorder);
    }
    machine.finish(&mut recorder);
    recorder.take()
}
