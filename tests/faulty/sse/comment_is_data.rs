//! A comment is taken for data.
//!
//! mnfst/llm-gateway#2053: comments come out again as data. justlovemaki/AIClient2API#695, ollama/ollama#16443,
//! tmc/langchaingo#631: a keep-alive is parsed as JSON.
//!
//! The stream breaks as soon as the model takes its time.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined, field};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Payload;

impl Habits for Payload {
    fn field<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        field(line).or(line.strip_prefix(':').map(|comment| ("data", comment)))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mnfst/llm-gateway#2053",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Payload)),
    }
}
