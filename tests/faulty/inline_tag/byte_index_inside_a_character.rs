//! The look-back counts bytes and cuts there, in the middle of a character if need be.
//!
//! zed-industries/zed#58432: a stored byte offset lands inside a multi-byte character and the streaming parser panics.
//! smg-project/smg#1677: an index that counts characters is used as one that counts bytes.
//!
//! ASCII shows nothing; other text does not survive.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, OPEN};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bytes;

impl Habits for Bytes {
    fn held_back(&mut self, text: &str) -> usize {
        text.len().min(OPEN.len() - 1)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "zed-industries/zed#58432",
        caught_by: Check::Survive,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Bytes)),
    }
}
