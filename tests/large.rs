//! Inputs that are far too large: nothing crashes, nothing hangs, nothing is lost.

use anysplit::dialect::{Dialect, InlineTag, MarkdownFence, Options, ToolSession};
use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};
use anysplit::naive;
use anysplit::target::{Reference, Setting, Target};

const SIZE: usize = 200 << 20;
/// Where every byte is looked at on its own and unoptimised code takes long.
const SMALLER: usize = 8 << 20;
const CHUNK: usize = 64 << 10;

/// Counts what comes out.
#[derive(Default)]
struct Counter {
    bytes: usize,
    limits: usize,
    other: usize,
}

impl Sink for Counter {
    fn text(&mut self, text: &str) {
        self.bytes += text.len();
    }

    fn event(&mut self, event: Event) {
        if event.str("error") == Some("limit") { self.limits += 1 } else { self.other += 1 }
    }
}

/// Feeds `opening`, then `filling` over and over: all of it must come out as text.
fn flood<M: Machine<Chunk = str>>(mut machine: M, opening: &str, filling: &str, size: usize) -> Counter {
    let mut counter = Counter::default();
    machine.feed(opening, &mut counter);
    let chunk = filling.repeat(CHUNK / filling.len());
    let mut fed = opening.len();
    while fed < size {
        machine.feed(&chunk, &mut counter);
        fed += chunk.len();
    }
    machine.finish(&mut counter);
    assert_eq!(counter.bytes, fed, "after {opening:?} and {filling:?}");
    counter
}

#[test]
fn two_hundred_megabytes_of_markers_that_never_end() {
    let options = Options::default();
    let string = "<tool_call name=\"a\" args={\"s\":\"";
    for (opening, filling, size) in [
        (string, "x", SIZE),
        ("<tool_call name=\"", "n", SIZE),
        ("<tool_call ", " ", SMALLER),
        ("", "<tool_call ", SMALLER),
        ("", "<", SMALLER),
    ] {
        let counter = flood(InlineTag::new(&options).expect("no options"), opening, filling, size);
        assert_eq!(counter.limits, usize::from(!opening.is_empty()), "given up once, then it is text");
        assert_eq!(counter.other, 0);
    }
    let counter = flood(ToolSession::new(&options).expect("no options"), string, "x", SIZE);
    assert_eq!((counter.limits, counter.other), (1, 1), "given up once, and done");
}

#[test]
fn two_hundred_megabytes_of_fences_that_never_end() {
    let options = Options::default();
    for (opening, filling, size) in [
        ("```tool\n{\"s\":\"", "x", SIZE),
        ("```tool\n{}\n```", " ", SIZE),
        ("```tool\n", " \n", SMALLER),
        ("", "```\n", SMALLER),
        ("", "   ``\n", SMALLER),
        ("", "`", SMALLER),
    ] {
        let counter = flood(MarkdownFence::new(&options).expect("no options"), opening, filling, size);
        let held = opening.starts_with('`') || filling == "`";
        assert_eq!(counter.limits, usize::from(held), "{opening:?} {filling:?}");
        assert_eq!(counter.other, 0);
    }
}

#[test]
fn two_hundred_megabytes_in_one_chunk() {
    let text = "A line of prose without anything in it.\n".repeat(SIZE / 40);
    let options = Options::default();
    let mut counter = Counter::default();
    for chunk in [text.as_str(), ""] {
        InlineTag::new(&options).expect("no options").feed(chunk, &mut counter);
        ToolSession::new(&options).expect("no options").feed(chunk, &mut counter);
        MarkdownFence::new(&options).expect("no options").feed(chunk, &mut counter);
    }
    assert_eq!(counter.bytes, 3 * text.len());
}

#[test]
fn a_nest_of_a_hundred_thousand_is_text() {
    for bracket in ["[", "{\"a\":"] {
        let nest = bracket.repeat(100_000);
        for (dialect, text) in [
            (Dialect::InlineTag, format!("<tool_call name=\"a\" args={{\"a\":{nest}")),
            (Dialect::ToolSession, format!("<tool_call name=\"a\" args={{\"a\":{nest}")),
            (Dialect::MarkdownFence, format!("```tool\n{{\"a\":{nest}\n```\n")),
        ] {
            let options = Options::default();
            let run = Reference.run(Setting { dialect, options: &options }, &[text.as_str().into()]).expect("no fault");
            let events = run.events(dialect.form());
            assert_eq!(events[0].running_text().map(|(_, text)| text.len()), Some(text.len()), "{dialect}");
            assert_eq!(events, naive::parse(dialect, text.as_str(), &options));
        }
    }
}
