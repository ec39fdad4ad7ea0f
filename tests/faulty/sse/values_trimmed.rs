//! All white space around a value is taken away.
//!
//! langchain4j/langchain4j#5531, go-resty/resty#1044, spring-projects/spring-framework#27473,
//! bigskysoftware/htmx#3588: only one space is part of the format.
//!
//! Words run together, and code loses its indentation.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Trims;

impl Habits for Trims {
    fn value<'a>(&self, value: &'a str) -> &'a str {
        value.trim()
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "langchain4j/langchain4j#5531",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Trims)),
    }
}
