//! An answer is looked up by the id of the call, though the request had an id of its own.
//!
//! jezweb/vite-flare-starter#119: the buttons give the id of the call where that of the request is awaited. With most
//! providers the two are the same, and nobody sees it.
//!
//! The user answers, and nothing happens.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ByCall;

impl Habits for ByCall {
    fn awaited<'a>(&self, _approval_id: Option<&'a str>, call_id: &'a str) -> &'a str {
        call_id
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "jezweb/vite-flare-starter#119",
        caught_by: Check::Expect,
        target: silent(Dialect::ChatChunks, |_| Plain::new(ByCall)),
    }
}
