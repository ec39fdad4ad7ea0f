//! What the faulty implementations share: how they present themselves, and reference machines whose events are altered on
//! the way out.

use std::hash::Hash;
use std::marker::PhantomData;

use anysplit::check::Check;
use anysplit::dialect::reducer::Listed;
use anysplit::dialect::{ChatChunks, Dialect, InlineTag, MarkdownFence, Options, ToolSession};
use anysplit::event::{Event, TextKind};
use anysplit::machine::{Machine, Sink};
use anysplit::target::{InProcess, Target};
use serde_json::{Map, Value};

/// An implementation with one bug.
pub(crate) struct Faulty {
    /// The path of its module, which says what the bug is.
    pub(crate) name: &'static str,
    /// The report it is made after, or the code it is in.
    pub(crate) origin: &'static str,
    /// The check that must find it.
    pub(crate) caught_by: Check,
    pub(crate) target: Box<dyn Target>,
}

/// A machine that can be cloned and compared: the proof has to find its bug.
pub(crate) fn provable<M, F>(dialect: Dialect, make: F) -> Box<dyn Target>
where
    M: Machine + Clone + Eq + Hash + 'static,
    F: Fn(&Options) -> M + Sync + 'static,
{
    Box::new(InProcess::new("faulty", dialect, make).provable())
}

/// A machine that can be cloned and compared and reports no violations, as most reducers do not: it is not asked for them.
pub(crate) fn silent<M, F>(dialect: Dialect, make: F) -> Box<dyn Target>
where
    M: Machine + Clone + Eq + Hash + 'static,
    F: Fn(&Options) -> M + Sync + 'static,
{
    Box::new(InProcess::new("faulty", dialect, make).without_violations().provable())
}

/// A machine that can only be run, as most can: the selected splittings have to find its bug.
pub(crate) fn runnable<M, F>(dialect: Dialect, make: F) -> Box<dyn Target>
where
    M: Machine + 'static,
    F: Fn(&Options) -> M + Sync + 'static,
{
    Box::new(InProcess::new("faulty", dialect, make))
}

const CHECKED: &str = "the settings of a case are checked when it is loaded";

pub(crate) fn inline_tag(options: &Options) -> InlineTag {
    InlineTag::new(options).expect(CHECKED)
}

pub(crate) fn markdown_fence(options: &Options) -> MarkdownFence {
    MarkdownFence::new(options).expect(CHECKED)
}

pub(crate) fn tool_session(options: &Options) -> ToolSession {
    ToolSession::new(options).expect(CHECKED)
}

pub(crate) fn chat_chunks(options: &Options) -> Listed<ChatChunks> {
    Listed::new(options).expect(CHECKED)
}

/// A machine whose output passes through an [`Alter`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Altered<M, A> {
    machine: M,
    alter: A,
}

impl<M, A> Altered<M, A> {
    pub(crate) fn new(machine: M, alter: A) -> Self {
        Self { machine, alter }
    }
}

/// What happens to a machine's output; by itself, nothing.
pub(crate) trait Alter<C: ?Sized = str> {
    /// A chunk comes in.
    fn begin(&mut self, _chunk: &C) {}

    fn text(&mut self, text: &str, sink: &mut impl Sink) {
        sink.text(text);
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        sink.event(event);
    }

    /// All that came of a chunk, or of the end of the stream, has been seen.
    fn end(&mut self, _sink: &mut impl Sink) {}
}

impl<M: Machine, A: Alter<M::Chunk>> Machine for Altered<M, A> {
    type Chunk = M::Chunk;

    const TEXT: TextKind = M::TEXT;

    fn feed(&mut self, chunk: &M::Chunk, sink: &mut impl Sink) {
        self.alter.begin(chunk);
        self.machine.feed(chunk, &mut Through::<'_, _, _, M::Chunk>::new(&mut self.alter, sink));
        self.alter.end(sink);
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.machine.finish(&mut Through::<'_, _, _, M::Chunk>::new(&mut self.alter, sink));
        self.alter.end(sink);
    }
}

struct Through<'a, A, S, C: ?Sized> {
    alter: &'a mut A,
    sink: &'a mut S,
    chunk: PhantomData<fn(&C)>,
}

impl<'a, A, S, C: ?Sized> Through<'a, A, S, C> {
    fn new(alter: &'a mut A, sink: &'a mut S) -> Self {
        Self { alter, sink, chunk: PhantomData }
    }
}

impl<C: ?Sized, A: Alter<C>, S: Sink> Sink for Through<'_, A, S, C> {
    fn text(&mut self, text: &str) {
        self.alter.text(text, self.sink);
    }

    fn event(&mut self, event: Event) {
        self.alter.event(event, self.sink);
    }
}

/// The same event with one field set.
pub(crate) fn with(event: Event, field: &str, value: impl Into<Value>) -> Event {
    let kind = event.kind().to_owned();
    let mut fields = event.into_fields();
    fields.insert(field.to_owned(), value.into());
    Event::with_fields(&kind, fields)
}

/// A field that is a string and not empty.
pub(crate) fn word<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    text(fields, name).filter(|text| !text.is_empty())
}

/// A field that is a string.
pub(crate) fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str)
}

/// A field that is true or false.
pub(crate) fn flag(fields: &Map<String, Value>, name: &str) -> Option<bool> {
    fields.get(name).and_then(Value::as_bool)
}
