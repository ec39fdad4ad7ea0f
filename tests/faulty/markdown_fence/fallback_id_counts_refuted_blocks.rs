//! The number in a fallback id counts refuted blocks too.
//!
//! kyh/loremllm@5b90e9d numbers all matches of its pattern, also those whose body is no JSON.
//!
//! The ids are unique, and still not those that the rules give.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Ids, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CountsAll;

impl Habits for CountsAll {
    fn refuted(&self, ids: &mut Ids) {
        ids.count += 1;
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "kyh/loremllm@5b90e9d",
        caught_by: Check::Expect,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(CountsAll)),
    }
}
