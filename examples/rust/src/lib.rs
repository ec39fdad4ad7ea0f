//! A parser of `<tool_call name="…"></tool_call>` markers. Replace it with yours.
//!
//! It looks for the marker in each chunk alone, as many do, so that every marker that is cut is missed.

use serde_json::{Value, json};

/// What comes out of the parser.
pub enum Output {
    /// Text outside of calls.
    Text(String),
    /// A call of a tool.
    Call {
        /// Which tool.
        name: String,
        /// With which arguments.
        args: Value,
    },
}

/// The parser.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct MyParser;

impl MyParser {
    /// A parser at the start of a stream.
    pub fn new() -> Self {
        Self
    }

    /// Takes the next piece of the stream.
    pub fn push(&mut self, chunk: &str) -> Vec<Output> {
        let mut out = Vec::new();
        let mut rest = chunk;
        while let Some((before, name, after)) = first_call(rest) {
            out.push(Output::Text(before.to_owned()));
            out.push(Output::Call { name: name.to_owned(), args: json!({}) });
            rest = after;
        }
        out.push(Output::Text(rest.to_owned()));
        out
    }
}

fn first_call(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("<tool_call name=\"")?;
    let (name, after) = rest.split_once("\"></tool_call>")?;
    (!name.is_empty() && !name.contains(['"', '<', '>', '\n', '\r'])).then_some((before, name, after))
}
