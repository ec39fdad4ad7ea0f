//! Linting a stream as it arrives: a captured file, a pipe, a live connection.
//!
//! A [`Linter`] is fed bytes, finds out how they are transported, and tells of every rule that the stream breaks, at once and with
//! its place. At the end it knows which rules were kept, broken or never met, and which states the calls went through. It holds no
//! events: its memory grows with the calls that are open at once, not with the stream.
//!
//! ```
//! use anysplit::dialect::Dialect;
//! use anysplit::lint::Linter;
//!
//! let mut linter = Linter::new(Dialect::ChatChunks, None).expect("a dialect of streams");
//! let mut found = Vec::new();
//! linter.feed(b"data: {\"type\":\"start\"}\n\ndata: {\"type\":\"tool-output-available\",", &mut |finding| found.push(finding));
//! linter.feed(b"\"toolCallId\":\"a\",\"output\":1}\n\n", &mut |finding| found.push(finding));
//! assert_eq!((found[0].rule, found[0].line, found[0].call.as_deref()), ("C17", 3, Some("a")));
//! let summary = linter.finish(None, &mut |finding| found.push(finding));
//! assert_eq!((summary.items, found.len(), found[1].rule), (2, 2, "C6"));
//! ```

mod array;
mod detect;
mod paths;
mod place;
mod sse;
mod stream;
mod tally;

use std::fmt;

use serde::Serialize;

pub use self::paths::Path;
pub use self::stream::Framing;
pub use self::tally::{Observed, RuleCount};

use self::detect::{Beginning, MARK};
use self::place::Place;
use self::sse::SseLint;
use self::stream::Stream;
use self::tally::Tally;
use crate::dialect::reducer::{Reducer, snippet, take};
use crate::dialect::transport::Item;
use crate::dialect::{AiSdkParts, ChatChunks, DefaultExpanded, Dialect, Options, OptionsError, ToolStages};
use crate::machine::{Sink, Words};

/// A rule that the stream breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The line of the stream on which the item begins, from 1.
    pub line: u64,
    /// The how-manieth item it is, from 1; at the end of the stream the number of items.
    pub event: u64,
    /// The rule's id.
    pub rule: &'static str,
    /// The call, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What came.
    pub came: String,
    /// What was allowed.
    pub allowed: String,
}

/// What a stream came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How it was transported, if that could be told.
    pub framing: Option<Framing>,
    /// How many bytes came.
    pub bytes: u64,
    /// How many items there were, malformed ones included.
    pub items: u64,
    /// Whether any of them is one that the dialect has a rule for; otherwise the stream says nothing about it.
    pub judged: bool,
    /// How many calls there were.
    pub calls: u64,
    /// The ways that they went, most frequent first. What comes for a call after 65,536 others is another call's, unless it was open.
    pub paths: Vec<Path>,
    /// The rules that a stream can break, and what was seen of each.
    pub rules: Vec<RuleCount>,
}

/// The dialect is no stream of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAStream(Dialect);

impl fmt::Display for NotAStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is text, in which no rule can be broken: what is no call is text; a stream is one of ", self.0)?;
        let streams = Dialect::ALL.into_iter().filter(|dialect| !dialect.has_text()).map(Dialect::name);
        f.write_str(&streams.collect::<Vec<_>>().join(", "))
    }
}

impl std::error::Error for NotAStream {}

/// How many bytes an item, or what deltas join to, may have unless a linter is told otherwise. More than the references hold by
/// default: a tool that returns a picture breaks no rule.
pub const DEFAULT_LIMIT: usize = 64 << 20;

/// Lints one stream.
pub struct Linter(Box<dyn Lint>);

impl Linter {
    /// A linter of this dialect; the transport is found out where it is not given.
    pub fn new(dialect: Dialect, framing: Option<Framing>) -> Result<Self, NotAStream> {
        Self::with_limit(dialect, framing, DEFAULT_LIMIT)
    }

    /// The same, for items of at most so many bytes.
    pub fn with_limit(dialect: Dialect, framing: Option<Framing>, limit: usize) -> Result<Self, NotAStream> {
        Ok(Self(match dialect {
            Dialect::ChatChunks => reducer::<ChatChunks>(framing, limit),
            Dialect::DefaultExpanded => reducer::<DefaultExpanded>(framing, limit),
            Dialect::AiSdkParts => reducer::<AiSdkParts>(framing, limit),
            Dialect::ToolStages => reducer::<ToolStages>(framing, limit),
            Dialect::Ndjson => reducer::<Values>(Some(Framing::Ndjson), limit),
            Dialect::Sse => Box::new(SseLint::new(limit)),
            Dialect::MarkdownFence | Dialect::InlineTag | Dialect::ToolSession => return Err(NotAStream(dialect)),
        }))
    }

    /// Takes the next bytes; every rule that they break is told at once.
    pub fn feed(&mut self, bytes: &[u8], out: &mut dyn FnMut(Finding)) {
        self.0.feed(bytes, out);
    }

    /// Takes the end of the stream, or what broke it off.
    pub fn finish(self, broken: Option<&str>, out: &mut dyn FnMut(Finding)) -> Summary {
        self.0.finish(broken, out)
    }
}

trait Lint {
    fn feed(&mut self, bytes: &[u8], out: &mut dyn FnMut(Finding));

    fn finish(self: Box<Self>, broken: Option<&str>, out: &mut dyn FnMut(Finding)) -> Summary;
}

fn reducer<R: Reducer + 'static>(framing: Option<Framing>, limit: usize) -> Box<dyn Lint> {
    let limit = limit.max(1);
    let options = Options([("limit".to_owned(), limit.into())].into_iter().collect());
    let reducer = R::new(&options).expect("every dialect of streams has a limit, and it is above 0");
    Box::new(Lines {
        stream: framing.map(|framing| Stream::of(framing, limit)),
        limit,
        before: Vec::new(),
        reducer,
        place: Place::default(),
        tally: Tally::new(R::RULES),
        unknown: None,
    })
}

/// A stream of items, fed line by line so that every finding has its place.
struct Lines<R> {
    /// Nothing while it is not known how the stream is transported.
    stream: Option<Stream>,
    limit: usize,
    /// What came until then, without blanks that mean nothing.
    before: Vec<u8>,
    reducer: R,
    place: Place,
    tally: Tally,
    unknown: Option<Unknown>,
}

/// The first line that nobody knows what it is. Where nothing else comes, the stream is not what it was taken for.
struct Unknown {
    line: u64,
    came: String,
}

impl<R: Reducer> Lint for Lines<R> {
    fn feed(&mut self, bytes: &[u8], out: &mut dyn FnMut(Finding)) {
        if self.stream.is_some() {
            return self.lines(bytes, out);
        }
        self.before.extend_from_slice(bytes);
        match Beginning::of(&self.before) {
            Beginning::Blank => {
                // Blanks mean nothing however the stream goes on; but a mark may have to be passed over later.
                let mark = self.before.iter().zip(MARK).take_while(|(byte, mark)| byte == mark).count();
                self.place.pass_blanks(&self.before.split_off(mark));
            }
            Beginning::Open(_) => {}
            Beginning::Told { framing, garbage } => self.begin(framing, garbage, out),
        }
    }

    fn finish(mut self: Box<Self>, broken: Option<&str>, out: &mut dyn FnMut(Finding)) -> Summary {
        if self.stream.is_none() {
            // The end of the stream ends a line too.
            match Beginning::of(&[&self.before[..], b"\n"].concat()) {
                Beginning::Blank => {}
                Beginning::Open(framing) => self.begin(framing, 0, out),
                Beginning::Told { framing, garbage } => self.begin(framing, garbage, out),
            }
        }
        let Self { stream, reducer, place, tally, unknown, .. } = &mut *self;
        let framing = stream.as_ref().map(Stream::framing);
        if let Some(stream) = stream.take() {
            match stream.unknown_rest() {
                // A page of text without a line end, for one, is no event that was cut off.
                Some(line) if place.items == 0 => {
                    unknown.get_or_insert_with(|| Unknown { line: place.line(), came: snippet(line) });
                }
                // What is missing where a stream breaks off is no fault of its own.
                _ => stream.finish(&mut |item| match item {
                    Item::Malformed(..) if broken.is_some() => {}
                    item => tally.item(reducer, place, item, out),
                }),
            }
        }
        if let Some(broken) = broken {
            let words = || Words::new(format!("the stream broke off: {broken}"), "its end");
            tally.at(place, out).violation(R::TRANSPORT, None, words);
        }
        if let (0, Some(Unknown { line, came })) = (place.items, unknown) {
            let words =
                || Words::new(format!("no event at all, but {came}"), "server-sent events, JSON lines or a JSON array");
            tally.at_line(*line, place, out).violation(R::TRANSPORT, None, words);
        }
        let Self { reducer, place, mut tally, .. } = *self;
        if place.items > 0 {
            reducer.finish(&mut tally.at(&place, out));
        }
        let (calls, paths, rules) = tally.finish();
        let judged = rules.iter().any(|count| count.judges(R::FORM));
        Summary { framing, bytes: place.bytes, items: place.items, judged, calls, paths, rules }
    }
}

impl<R: Reducer> Lines<R> {
    /// It is known how the stream is transported, and how much of what came before is none of it.
    fn begin(&mut self, framing: Framing, garbage: usize, out: &mut dyn FnMut(Finding)) {
        let before = std::mem::take(&mut self.before);
        // What is no JSON gives a finding a line, as among JSON lines; to server-sent events it is a field that nobody knows (E14).
        let (garbage, rest) = before.split_at(if framing == Framing::Array { garbage } else { 0 });
        let Self { limit, reducer, place, tally, .. } = self;
        let mut lines = Stream::of(Framing::Ndjson, *limit);
        place.pass(Framing::Ndjson, garbage, |place, line| {
            lines.feed(line, &mut |item| tally.item(reducer, place, item, out));
            lines.is_within()
        });
        lines.finish(&mut |item| tally.item(reducer, place, item, out));
        self.stream = Some(Stream::of(framing, self.limit));
        self.lines(rest, out);
    }

    fn lines(&mut self, bytes: &[u8], out: &mut dyn FnMut(Finding)) {
        let Self { stream: Some(stream), reducer, place, tally, unknown, .. } = self else {
            return;
        };
        place.pass(stream.framing(), bytes, |place, line| {
            stream.feed(line, &mut |item| match item {
                Item::Unknown(line) if unknown.is_none() && place.items == 0 => {
                    *unknown = Some(Unknown { line: place.line(), came: snippet(line) });
                }
                Item::Unknown(_) => {}
                item => tally.item(reducer, place, item, out),
            });
            stream.is_within()
        });
    }
}

impl Tally {
    fn item<R: Reducer>(&mut self, reducer: &mut R, place: &mut Place, item: Item<'_>, out: &mut dyn FnMut(Finding)) {
        place.items += 1;
        take(reducer, item, &mut self.at(place, out));
        place.next_item();
    }
}

/// Lines of JSON of any kind: only the transport can be broken.
struct Values;

impl Reducer for Values {
    const TRANSPORT: &'static str = "N5";

    const LIMIT: &'static str = "N10";

    const JSON: &'static str = "N9";

    const RULES: &'static [&'static str] = &["N5", "N9", "N10"];

    fn new(_options: &Options) -> Result<Self, OptionsError> {
        Ok(Self)
    }

    fn item(&mut self, _item: serde_json::Value, _sink: &mut impl Sink) {}

    fn finish(self, _sink: &mut impl Sink) {}
}
