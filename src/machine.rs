//! A machine: what turns a stream into events.
//!
//! A [`Machine`] is a plain value without I/O, clock or randomness. It is fed chunks and finished once; because `finish`
//! consumes it, feeding after the end does not compile. What comes out goes into a [`Sink`], where running text is borrowed
//! and everything else is an [`Event`].

use crate::event::{Event, Form, TextKind};
use crate::input::Piece;
use crate::lifecycle::State;

/// A streaming implementation of a dialect.
///
/// The reference implementations are also `Clone + Eq + Hash`, which lets [`crate::proof`] cover all splittings of an input.
pub trait Machine: Sized {
    /// What it is fed: `str` for text, `[u8]` for bytes, `[Value]` for JSON values.
    type Chunk: Piece + ?Sized + 'static;

    /// How the dialect names its running text.
    const TEXT: TextKind = TextKind::Text;

    /// Takes the next piece of the stream. Empty chunks change nothing.
    fn feed(&mut self, chunk: &Self::Chunk, sink: &mut impl Sink);

    /// Takes the end of the stream.
    fn finish(self, sink: &mut impl Sink);

    /// Coarsely where it stands, the same for few or many calls and short or long texts. Fuzzers keep the inputs that lead to
    /// places, or from a place to a character, that were not seen before; one that does not tell is fuzzed without.
    fn landmark(&self) -> u64 {
        0
    }
}

/// One landmark for several parts of a state.
pub fn landmark(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts
        .into_iter()
        .fold(0, |mark, part| (mark ^ part).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

/// Where a machine puts what it finds, in order.
///
/// A `&mut dyn Sink` is one too, through which changes and violations pass as events.
pub trait Sink {
    /// A piece of running text; how it is cut means nothing.
    fn text(&mut self, text: &str);

    /// Any other event.
    fn event(&mut self, event: Event);

    /// Whether events are wanted at all. Where they are not, a machine need not keep what only they would show.
    fn wants_events(&self) -> bool {
        true
    }

    /// A call has changed; the event that shows it is made only where somebody wants it.
    fn change(&mut self, _change: Change<'_>, event: impl FnOnce() -> Event)
    where
        Self: Sized,
    {
        self.event(event());
    }

    /// A rule was broken; what came and what was allowed is put into words only where somebody wants them.
    fn violation(&mut self, rule: &'static str, call: Option<&str>, _words: impl FnOnce() -> Words)
    where
        Self: Sized,
    {
        self.event(Event::violation(rule, call));
    }

    /// A rule applied and was kept.
    fn held(&mut self, _rule: &'static str) {}
}

impl Sink for &mut dyn Sink {
    fn text(&mut self, text: &str) {
        (**self).text(text);
    }

    fn event(&mut self, event: Event) {
        (**self).event(event);
    }

    fn wants_events(&self) -> bool {
        (**self).wants_events()
    }

    fn held(&mut self, rule: &'static str) {
        (**self).held(rule);
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The call's id.
    pub call: &'a str,
    /// Its state or stage, in the dialect's words.
    pub state: &'static str,
    /// How far it has come.
    pub life: Life,
    /// Whether this is the first that is known of it.
    pub is_new: bool,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Something must follow.
    Open,
    /// Something may follow.
    Waiting,
    /// Nothing more may come for it.
    Ended,
}

impl From<State> for Life {
    fn from(state: State) -> Self {
        match state {
            state if state.is_final() => Self::Ended,
            state if state.is_open() => Self::Open,
            _ => Self::Waiting,
        }
    }
}

/// What a violation looks like to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// What came.
    pub came: String,
    /// What would have been allowed.
    pub allowed: String,
}

impl Words {
    /// This came, and that was allowed.
    pub fn new(came: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { came: came.into(), allowed: allowed.into() }
    }
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

/// A sink that brings events into normal form as they come.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    form: Form,
    kind: TextKind,
    text: String,
    events: Vec<Event>,
    room: usize,
    /// Whether running text came as an event of its own, and still has to be joined.
    apart: bool,
}

impl Joined {
    /// A sink that keeps at most so many events and bytes of text.
    pub(crate) fn with_room(form: Form, kind: TextKind, room: usize) -> Self {
        Self { form, kind, text: String::with_capacity(64), events: Vec::new(), room, apart: false }
    }

    /// All events in normal form; nothing where more came than there was room for.
    pub(crate) fn finish(mut self) -> Option<Vec<Event>> {
        self.end_text();
        let is_normal = self.form == Form::Text && !self.apart;
        let events = if is_normal { self.events } else { self.form.normal(self.events) };
        (self.room > 0).then_some(events)
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.events.push(self.kind.event(&self.text));
            self.text.clear();
        }
    }

    fn has_room(&mut self, cost: usize) -> bool {
        self.room = self.room.saturating_sub(cost);
        self.room > 0
    }
}

impl Sink for Joined {
    fn text(&mut self, text: &str) {
        if self.has_room(1 + text.len()) {
            self.text.push_str(text);
        }
    }

    fn event(&mut self, event: Event) {
        if self.has_room(1) {
            self.apart |= event.running_text().is_some();
            self.end_text();
            self.events.push(event);
        }
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
pub fn run<M: Machine>(mut machine: M, chunks: &[&M::Chunk]) -> Vec<Event> {
    let mut recorder = Recorder::new(M::TEXT);
    for chunk in chunks {
        machine.feed(chunk, &mut recorder);
    }
    machine.finish(&mut recorder);
    recorder.take()
}
