//! The second opinion: a whole-input parser for each dialect, written from the rules in `spec/` alone.
//!
//! The streaming references must not be their own judge. Each is compared, on every case, every prefix
//! and thousands of random inputs, with the parser here, which sees all of its input at once and so has no
//! states, no buffers and no chunk borders to get wrong. Where the two differ, one of them misreads a rule.
//!
//! For that to be worth something this module uses nothing of `scan`, and of `dialect` only the names,
//! not even their JSON reader, and is kept short enough to be read against the rules in one go. It may be slow, but
//! never worse than quadratic. Events need not be in normal form: adjacent texts may stay apart.
//!
//! All three parsers work alike. A `Cursor` reads a call from where one may begin
//! and gets stuck at the first character that cannot belong to it, which is all that refutation (F12,
//! T13) and limits (F25, T20) need to know; an `Output` then puts events in place
//! of what was recognised, and everything else is text.

mod clock;
mod cursor;
pub mod inline_tag;
mod json;
pub mod markdown_fence;
mod output;
pub mod tool_session;

use crate::dialect::{Dialect, Options};
use crate::event::{Event, normal_form};

/// The events of a whole text in normal form, by the parser of this dialect.
pub fn parse(dialect: Dialect, text: &str, options: &Options) -> Vec<Event> {
    let parse = match dialect {
        Dialect::MarkdownFence => markdown_fence::parse,
        Dialect::InlineTag => inline_tag::parse,
        Dialect::ToolSession => tool_session::parse,
    };
    normal_form(parse(text, &options.0).into_iter().filter_map(|event| Event::try_from(event).ok()))
}
