//! The second opinion: a whole-input implementation of each dialect, written from the rules in `spec/` alone.
//!
//! The streaming references must not be their own judge. Each is compared, on every case, every prefix
//! and thousands of random inputs, with the parser here, which sees all of its input at once and so has no
//! states, no buffers and no chunk borders to get wrong. Where the two differ, one of them misreads a rule.
//!
//! For that to be worth something this module uses nothing of `scan`, and of `dialect` only the names,
//! not even their JSON reader, and is kept short enough to be read against the rules in one go. It may be slow, but
//! never worse than quadratic. Events need not be in normal form: adjacent texts may stay apart.
//!
//! The parsers of the text dialects work alike. A `Cursor` reads a call from where one may begin
//! and gets stuck at the first character that cannot belong to it, which is all that refutation (F12,
//! T13) and limits (F25, T20) need to know; an `Output` then puts events in place
//! of what was recognised, and everything else is text. Those of the lifecycle dialects look every item up in the table of moves
//! as it stands in the rules, and build what a call shows from the history of what it accepted.

pub mod ai_sdk_parts;
mod calls;
pub mod chat_chunks;
mod clock;
mod cursor;
pub mod default_expanded;
pub mod inline_tag;
pub mod items;
mod json;
pub mod markdown_fence;
pub mod ndjson;
mod output;
pub mod sse;
pub mod tool_session;
pub mod tool_stages;

use serde_json::{Map, Value};

use self::items::Item;
use crate::dialect::{Dialect, Options};
use crate::event::Event;
use crate::input::Chunk;

/// The events of a whole input in normal form, by the parser of this dialect.
pub fn parse<'a>(dialect: Dialect, input: impl Into<Chunk<'a>>, options: &Options) -> Vec<Event> {
    let options = &options.0;
    let events = match (input.into(), dialect) {
        (Chunk::Text(text), Dialect::MarkdownFence) => markdown_fence::parse(text, options),
        (Chunk::Text(text), Dialect::InlineTag) => inline_tag::parse(text, options),
        (Chunk::Text(text), Dialect::ToolSession) => tool_session::parse(text, options),
        (Chunk::Bytes(bytes), Dialect::Sse) => sse::parse(bytes, options),
        (Chunk::Bytes(bytes), Dialect::Ndjson) => ndjson::parse(bytes, options),
        (Chunk::Bytes(bytes), dialect) => {
            let transport = options.get("transport").and_then(Value::as_str).unwrap_or_default();
            reduce(dialect, &items::of(bytes, transport, options), options)
        }
        (Chunk::Objects(values), dialect) => {
            let items: Vec<Item> = values.iter().cloned().map(Item::Value).collect();
            reduce(dialect, &items, options)
        }
        (Chunk::Text(_), _) => Vec::new(),
    };
    dialect.form().normal(events.into_iter().filter_map(|event| Event::try_from(event).ok()))
}

fn reduce(dialect: Dialect, items: &[Item], options: &Map<String, Value>) -> Vec<Value> {
    match dialect {
        Dialect::ChatChunks => chat_chunks::parse(items, options),
        Dialect::DefaultExpanded => default_expanded::parse(items, options),
        Dialect::AiSdkParts => ai_sdk_parts::parse(items, options),
        Dialect::ToolStages => tool_stages::parse(items, options),
        _ => Vec::new(),
    }
}
