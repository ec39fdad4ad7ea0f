//! A line of data without a value is none.
//!
//! mpetazzoni/sse.js#33: empty lines of data, which stand for line ends, are lost.
//!
//! Paragraphs run together, and an event of nothing but such a line is not given.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined, Sound};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Filled;

impl Habits for Filled {
    fn data(&self, data: &mut Option<String>, value: &str) {
        if !value.is_empty() {
            Sound.data(data, value);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "mpetazzoni/sse.js#33",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(Filled)),
    }
}
