//! A CR ends a line by itself.
//!
//! anthropics/anthropic-sdk-python#1778: what stands behind it, as white space of JSON may, is read as another line.
//!
//! One value becomes two broken lines.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CrToo;

impl Habits for CrToo {
    fn line_end(&self, held: &[u8]) -> Option<usize> {
        held.iter().position(|byte| matches!(byte, b'\r' | b'\n'))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "anthropics/anthropic-sdk-python#1778",
        caught_by: Check::Expect,
        target: provable(Dialect::Ndjson, |_| Lined::new(CrToo)),
    }
}
