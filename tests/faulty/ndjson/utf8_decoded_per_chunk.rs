//! Every chunk is decoded by itself.
//!
//! ollama/ollama-js#255, LinusU/node-jsonlines#7, Effect-TS/effect#6998: a character that is cut in two becomes
//! replacement characters.
//!
//! ASCII shows nothing.

use std::borrow::Cow;

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PerChunk;

impl Habits for PerChunk {
    fn bytes<'a>(&self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        match String::from_utf8_lossy(chunk) {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "ollama/ollama-js#255",
        caught_by: Check::Split,
        target: provable(Dialect::Ndjson, |_| Lined::new(PerChunk)),
    }
}
