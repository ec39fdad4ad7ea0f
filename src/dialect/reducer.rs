//! What the lifecycle dialects are: reducers of items, fed from a list or from the bytes of a transport.

use serde_json::{Map, Value};

use super::options::{Options, OptionsError};
use super::transport::{Item, Transport, VALUE};
use crate::machine::{Machine, Sink, Words};
use crate::scan::json;

/// A lifecycle dialect: takes items one by one.
pub trait Reducer: Sized {
    /// The rule that a transport breaks whose data is no item.
    const TRANSPORT: &'static str;

    /// The rule about items that are longer than the limit.
    const LIMIT: &'static str = Self::TRANSPORT;

    /// The rule about JSON that this crate does not take.
    const JSON: &'static str = Self::TRANSPORT;

    /// The rules that a stream can break, for those who lint one.
    const RULES: &'static [&'static str];

    /// Those of them that any stream of items keeps, also one of another dialect: nothing is judged by them alone.
    const FORM: &'static [&'static str] = &[];

    /// The fields of items whose values only events show: where nobody wants events, they need not be read.
    const SHOWN: &'static [&'static str] = &[];

    /// Whether items of this type mean anything; of others nothing else is looked at.
    fn concerns(_kind: &str) -> bool {
        true
    }

    /// A reducer at the start of a stream.
    fn new(options: &Options) -> Result<Self, OptionsError>;

    /// Takes the next item.
    fn item(&mut self, item: Value, sink: &mut impl Sink);

    /// Takes the end of the stream.
    fn finish(self, sink: &mut impl Sink);
}

/// Gives a reducer what a transport found.
pub fn take<R: Reducer>(reducer: &mut R, item: Item<'_>, sink: &mut impl Sink) {
    match item {
        Item::Text(text) => match read::<R>(text, sink.wants_events()) {
            Some(value) => {
                sink.held(R::TRANSPORT);
                held_apart::<R>(&[R::LIMIT, R::JSON], sink);
                reducer.item(value, sink);
            }
            None if json::is_json(text) => refused::<R>(text, sink),
            None => malformed::<R>(|| Words::new(format!("this is not JSON: {}", snippet(text)), VALUE), sink),
        },
        Item::Malformed(came, allowed) => malformed::<R>(|| Words::new(came, allowed), sink),
        Item::TooLong(limit) => sink.violation(R::LIMIT, None, || too_long(limit)),
        Item::Unknown(_) => {}
    }
}

/// The value that a text is; where nobody wants events, only as much of it as the rules ask for.
fn read<R: Reducer>(text: &[u8], wants_events: bool) -> Option<Value> {
    if wants_events {
        return json::any(text);
    }
    match json::leading_type(text).filter(|kind| !R::concerns(kind) && json::is_surely_of_leading_type(text)) {
        Some(kind) => Some(Map::from_iter([("type".to_owned(), kind.into())]).into()),
        None => json::any_without(text, R::SHOWN),
    }
}

fn malformed<R: Reducer>(words: impl FnOnce() -> Words, sink: &mut impl Sink) {
    held_apart::<R>(&[R::LIMIT], sink);
    sink.violation(R::TRANSPORT, None, words);
}

/// JSON, but of the kind that this crate does not take (N9).
fn refused<R: Reducer>(text: &[u8], sink: &mut impl Sink) {
    if R::JSON != R::TRANSPORT {
        sink.held(R::TRANSPORT);
    }
    held_apart::<R>(&[R::LIMIT], sink);
    sink.violation(R::JSON, None, || Words::new(format!("JSON that is not taken: {}", snippet(text)), TAKEN));
}

/// What of JSON is taken (N9).
const TAKEN: &str = "no lone surrogate escapes, numbers that fit a double, no nesting deeper than 128";

/// These rules were kept, as far as they are others than the one about the transport, which is counted once.
fn held_apart<R: Reducer>(rules: &[&'static str], sink: &mut impl Sink) {
    rules.iter().filter(|rule| **rule != R::TRANSPORT).for_each(|rule| sink.held(rule));
}

/// An item or event is longer than the limit, in words.
pub(crate) fn too_long(limit: usize) -> Words {
    Words::new(
        format!("longer than the limit of {limit} bytes"),
        format!("at most {limit} bytes (--limit sets another)"),
    )
}

/// The beginning of something that may be long and need not be text.
pub(crate) fn snippet(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(80) {
        Some((at, _)) => format!("{:?}…", &text[..at]),
        None => format!("{text:?}"),
    }
}

/// A reducer that is fed its items as they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Listed<R>(R);

impl<R: Reducer> Listed<R> {
    /// At the start of a stream.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        R::new(options).map(Self)
    }
}

impl<R: Reducer> Machine for Listed<R> {
    type Chunk = [Value];

    fn feed(&mut self, chunk: &[Value], sink: &mut impl Sink) {
        for item in chunk {
            self.0.item(item.clone(), sink);
        }
    }

    fn finish(self, sink: &mut impl Sink) {
        self.0.finish(sink);
    }
}

/// A reducer that is fed the bytes of a transport (C36).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transported<R> {
    transport: Transport,
    reducer: R,
}

impl<R: Reducer> Transported<R> {
    /// At the start of a stream; the option `transport` says how the bytes are to be read.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        let transport = Transport::of(options)?.ok_or_else(|| OptionsError::new("transport", "is missing"))?;
        Ok(Self { transport, reducer: R::new(options)? })
    }
}

impl<R: Reducer> Machine for Transported<R> {
    type Chunk = [u8];

    fn feed(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        self.transport.feed(chunk, &mut |item| take(&mut self.reducer, item, sink));
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.transport.finish(&mut |item| take(&mut self.reducer, item, sink));
        self.reducer.finish(sink);
    }

    fn landmark(&self) -> u64 {
        self.transport.landmark()
    }
}
