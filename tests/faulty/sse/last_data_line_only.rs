//! Each line of data replaces the one before.
//!
//! milady-ai/milady#1653, open-metadata/OpenMetadata#28945, openresponses/openresponses#56: a payload of several lines
//! is cut to its last.
//!
//! All but the last line is lost.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LastLine;

impl Habits for LastLine {
    fn data(&self, data: &mut Option<String>, value: &str) {
        *data = Some(value.to_owned());
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "milady-ai/milady#1653",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(LastLine)),
    }
}
