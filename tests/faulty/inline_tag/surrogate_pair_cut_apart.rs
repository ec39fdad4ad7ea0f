//! Escapes are decoded as they arrive, and the halves of a surrogate pair in two chunks become two replacement characters.
//!
//! elizaOS/eliza#30904: each `\uXXXX` is decoded and emitted on its own, so lone surrogates leave as chunks of their own.
//! json-c/json-c#616: the low half in the next chunk makes the parse fail.
//!
//! `\ud83d\ude00` in one chunk is right; one character at a time the arguments are not those of the input.

use std::sync::LazyLock;

use anysplit::check::Check;
use anysplit::dialect::{Dialect, InlineTag};
use anysplit::machine::{Machine, Sink};
use regex::{Captures, Regex};

use crate::support::{Faulty, inline_tag, provable};

/// A pair, a half, an escape that is not whole yet, or any other escape.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
    let [high, low] = [r"\\ud[89ab][0-9a-f]{2}", r"\\ud[c-f][0-9a-f]{2}"];
    let cut = r"\\(?:u[0-9a-f]{0,3})?\z";
    Regex::new(&format!(r"(?is){high}{low}|(?<half>{high}|{low})|(?<cut>{cut})|\\.")).expect("the pattern is fixed")
});

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Decoder {
    parser: InlineTag,
    /// An escape that is not whole yet.
    cut: String,
}

impl Machine for Decoder {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        let text = std::mem::take(&mut self.cut) + chunk;
        let decoded = ESCAPE.replace_all(&text, |found: &Captures<'_>| {
            if let Some(cut) = found.name("cut") {
                self.cut = cut.as_str().to_owned();
                return String::new();
            }
            if found.name("half").is_some() { r"\ufffd" } else { &found[0] }.to_owned()
        });
        self.parser.feed(&decoded, sink);
    }

    fn finish(mut self, sink: &mut impl Sink) {
        self.parser.feed(&self.cut, sink);
        self.parser.finish(sink);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "elizaOS/eliza#30904",
        caught_by: Check::Fidelity,
        target: provable(Dialect::InlineTag, |options| Decoder { parser: inline_tag(options), cut: String::new() }),
    }
}
