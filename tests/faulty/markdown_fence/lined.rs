//! A parser of `markdown-fence` as it is often written: collect a line, look at it, go on.
//!
//! By itself it is right, except that text waits for the end of its line and that it knows no limit (F25). Each of its
//! [`Habits`] can be spoilt, so that a faulty implementation is one bad habit and nothing else.

use std::collections::BTreeSet;
use std::ops::Range;

use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use anysplit::scan::json::{self, DocumentScanner};
use serde_json::{Map, Value, json};

/// A fence that is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fence {
    mark: char,
    len: usize,
}

impl Fence {
    /// The fence that a line opens, and its info string.
    fn opened_by(line: &str) -> Option<(Self, &str)> {
        let (fence, info) = Self::run(line)?;
        (fence.len >= 3 && !(fence.mark == '`' && info.contains('`'))).then_some((fence, info))
    }

    fn is_closed_by(&self, line: &str) -> bool {
        Self::run(line).is_some_and(|(run, rest)| run.mark == self.mark && run.len >= self.len && rest.is_empty())
    }

    /// The run of marks that a line begins with, and what stands behind it, trimmed.
    fn run(line: &str) -> Option<(Self, &str)> {
        let marks = line.trim_start_matches(' ');
        let mark = marks.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = marks.trim_start_matches(mark);
        let fence = Self { mark, len: marks.len() - rest.len() };
        (line.len() - marks.len() <= 3).then_some((fence, rest.trim_matches([' ', '\t'])))
    }
}

/// The ids of the blocks so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Ids {
    /// How many blocks were counted.
    pub(crate) count: usize,
    used: BTreeSet<String>,
}

/// How the parser does what; by itself, rightly.
pub(crate) trait Habits {
    /// The length of a text's first line, without and with its end; nothing if it has not ended.
    fn line(&self, text: &str) -> Option<(usize, usize)> {
        text.find(['\r', '\n']).map(|end| (end, end + 1))
    }

    /// Whether a line outside of blocks waits for its end before it is looked at.
    fn waits(&self) -> bool {
        true
    }

    /// Whether nothing opens inside another fence.
    fn hides(&self) -> bool {
        true
    }

    /// Where in this line the body of a block ends, and where the block does; nothing if the line closes nothing.
    fn closing(&self, fence: &Fence, line: &str) -> Option<Range<usize>> {
        closing(fence, line)
    }

    /// The id of a block that has none.
    fn fallback(&self, ids: &Ids) -> String {
        let mut free = (ids.count..).map(|ordinal| format!("tool-call-{ordinal}"));
        free.find(|id| !ids.used.contains(id)).unwrap_or_default()
    }

    /// A block was refuted.
    fn refuted(&self, _ids: &mut Ids) {}

    /// Whether the lines inside a refuted block are looked at again.
    fn retries(&self) -> bool {
        false
    }

    /// Whether the end of the stream closes an open block.
    fn end_closes(&self) -> bool {
        false
    }
}

/// No bad habits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sound;

impl Habits for Sound {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lined<H> {
    habits: H,
    /// What came of a line that has not ended.
    line: String,
    state: State,
    ids: Ids,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Outside,
    /// Inside another fence.
    Other(Fence),
    /// Inside a tool fence, with its lines so far; the body begins at this offset.
    Tool(Fence, String, usize),
}

impl<H: Habits> Lined<H> {
    pub(crate) fn new(habits: H) -> Self {
        Self { habits, line: String::new(), state: State::Outside, ids: Ids::default() }
    }

    /// Takes the lines of a text that have ended; returns the rest.
    fn lines<'a>(&mut self, text: &'a str, sink: &mut impl Sink) -> &'a str {
        let mut rest = text;
        while let Some((content, len)) = self.habits.line(rest) {
            self.take(&rest[..content], &rest[content..len], sink);
            rest = &rest[len..];
        }
        rest
    }

    /// Takes a line and its end.
    fn take(&mut self, line: &str, end: &str, sink: &mut impl Sink) {
        match std::mem::replace(&mut self.state, State::Outside) {
            State::Outside => match Fence::opened_by(line) {
                Some((fence, "tool")) => {
                    let held = [line, end].concat();
                    let body = held.len();
                    self.state = State::Tool(fence, held, body);
                    return;
                }
                Some((fence, _)) if self.habits.hides() => self.state = State::Other(fence),
                _ => {}
            },
            State::Other(fence) => {
                if !fence.is_closed_by(line) {
                    self.state = State::Other(fence);
                }
            }
            State::Tool(fence, mut held, body) => {
                let Some(closing) = self.habits.closing(&fence, line) else {
                    held.extend([line, end]);
                    self.state = State::Tool(fence, held, body);
                    return;
                };
                held.push_str(&line[..closing.start]);
                if let Some(fields) = object(&held[body..]) {
                    self.announce(fields, sink);
                    sink.text(&line[closing.end..]);
                    return sink.text(end); // F6
                }
                self.habits.refuted(&mut self.ids);
                if self.habits.retries() {
                    sink.text(&held[..body]);
                    self.lines(&held[body..], sink);
                    if self.state != State::Outside {
                        return self.take(line, end, sink);
                    }
                    held.clear();
                }
                sink.text(&held);
                sink.text(&line[closing.start..]);
                return sink.text(end);
            }
        }
        sink.text(line);
        sink.text(end);
    }

    fn announce(&mut self, mut fields: Map<String, Value>, sink: &mut impl Sink) {
        let filled =
            |name: &str| fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
        self.ids.count += 1;
        let id = filled("toolCallId").unwrap_or_else(|| self.habits.fallback(&self.ids));
        let name = filled("toolName").unwrap_or_else(|| "tool".to_owned());
        self.ids.used.insert(id.clone());
        fields.insert("toolCallId".to_owned(), id.clone().into());
        fields.insert("toolName".to_owned(), name.clone().into());
        sink.event(Event::with_fields("tool", fields.clone()));
        let input = fields.get("input").cloned().unwrap_or_else(|| json!({}));
        let announced = [("toolCallId", id.clone().into()), ("toolName", name.into()), ("input", input)];
        sink.event(Event::new("tool-input-available", announced));
        let is_state = |state: &str| fields.get("state").is_some_and(|value| value == state);
        let error = fields.get("errorText").filter(|error| error.is_string());
        let output = fields.get("output");
        if is_state("output-error") || error.is_some() {
            let text = error.cloned().unwrap_or_else(|| "An unknown tool error occurred.".into());
            let fields = [("toolCallId", id.into()), ("errorText", text)];
            sink.event(Event::new("tool-output-error", fields));
        } else if is_state("output-available") || output.is_some() {
            let fields = [("toolCallId", id.into()), ("output", output.cloned().unwrap_or_default())];
            sink.event(Event::new("tool-output-available", fields));
        }
    }
}

impl<H: Habits> Machine for Lined<H> {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.line.push_str(chunk);
        let text = std::mem::take(&mut self.line);
        let rest = self.lines(&text, sink);
        if self.habits.waits() || self.state != State::Outside {
            self.line = rest.to_owned();
        } else if !rest.is_empty() {
            self.take(rest, "", sink);
        }
    }

    fn finish(mut self, sink: &mut impl Sink) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.take(&line, "", sink);
        }
        if let State::Tool(_, held, body) = std::mem::replace(&mut self.state, State::Outside) {
            match object(&held[body..]).filter(|_| self.habits.end_closes()) {
                Some(fields) => self.announce(fields, sink),
                None => sink.text(&held),
            }
        }
    }
}

pub(crate) fn closing(fence: &Fence, line: &str) -> Option<Range<usize>> {
    fence.is_closed_by(line).then_some(0..line.len())
}

/// The body as one object, if that is what it is.
fn object(body: &str) -> Option<Map<String, Value>> {
    let mut scanner = DocumentScanner::Before;
    scanner.scan(body).ok().filter(|()| scanner.is_complete())?;
    match json::value(body)? {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}
