//! A piece of text that is nothing but white space is taken for nothing.
//!
//! waybarrios/vllm-mlx#462 and #431: a check for blank content runs on every chunk, so that line ends which are tokens of
//! their own vanish, list items run together and paragraphs collapse.
//!
//! In one chunk all is well, unless the text is blank altogether.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, inline_tag, runnable};

struct NoBlanks;

impl Alter for NoBlanks {
    fn text(&mut self, text: &str, sink: &mut impl Sink) {
        if !text.trim().is_empty() {
            sink.text(text);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "waybarrios/vllm-mlx#462",
        caught_by: Check::Split,
        target: runnable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), NoBlanks)),
    }
}
