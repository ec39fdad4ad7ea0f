//! anysplit judges the parser: `cargo test`. What fails and is not in `known-failures.json` is a failure.

use std::process::ExitCode;

use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use my_parser::{MyParser, Output};

/// The parser, as anysplit feeds it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Adapter(MyParser);

impl Machine for Adapter {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        for output in self.0.push(chunk) {
            match output {
                Output::Text(text) => sink.text(&text),
                Output::Call { name, args } => {
                    sink.event(Event::new("tool_call", [("name", name.into()), ("args", args)]))
                }
            }
        }
    }

    fn finish(self, _sink: &mut impl Sink) {}
}

fn main() -> ExitCode {
    anysplit::suite(|| Adapter(MyParser::new()))
        .proved()
        .dialect("inline-tag")
        // .known("known-failures.json")
        .run()
}
