//! Lines end at LF alone, so that the language of a fence on a line that ends in CRLF is `tool` and a CR.
//!
//! simonw/llm#1644, microsoft/autogen#7889: fenced blocks with CRLF line ends are not recognised, and the reply is taken as
//! if it had none.
//!
//! The block comes out as text.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LineFeeds;

impl Habits for LineFeeds {
    fn line(&self, text: &str) -> Option<(usize, usize)> {
        text.find('\n').map(|end| (end, end + 1))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "simonw/llm#1644",
        caught_by: Check::Expect,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(LineFeeds)),
    }
}
