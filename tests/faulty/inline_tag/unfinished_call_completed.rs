//! A call that is cut off is repaired and reported complete: strings, containers and tags are closed for it.
//!
//! langchain-ai/langchainjs#11469: repaired partial JSON is presented as a finished call after a length stop.
//! Zoo-Code-Org/Zoo-Code#1221: so a truncated file is written to disk. musnows/scriverse#387: the end of the stream turns
//! partial arguments into an executable call.
//!
//! As long as streams end well all is well.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::machine::Sink;

use super::buffered::{Buffered, CLOSE, Habits, OPEN, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Repaired;

impl Habits for Repaired {
    fn unfinished(&mut self, held: &str, sink: &mut impl Sink) {
        match marker(self, &repair(held)) {
            Ok(repaired) if held.starts_with(OPEN) => sink.event(repaired.call),
            _ => sink.text(held),
        }
    }
}

fn repair(held: &str) -> String {
    let (mut closers, mut in_string, mut escaped) = (vec![">"], false, false);
    let args = held.find(" args=").map_or("", |at| &held[at..]);
    for char in args.chars() {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => closers.push("}"),
            '[' if !in_string => closers.push("]"),
            '}' | ']' if !in_string => drop(closers.pop()),
            _ => {}
        }
    }
    closers.extend(in_string.then_some("\""));
    closers.reverse();
    held.trim_end_matches('>').to_owned() + &closers.concat() + CLOSE
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "langchain-ai/langchainjs#11469",
        caught_by: Check::Truncate,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Repaired)),
    }
}
