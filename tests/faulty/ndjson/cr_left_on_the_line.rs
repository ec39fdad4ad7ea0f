//! Of a CRLF only the LF is taken away.
//!
//! powersync-ja/powersync-native#39: the CR stays with the line. To JSON it is white space, and only a line that is
//! none shows it.
//!
//! An error tells of a line that was not sent.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OnlyLf;

impl Habits for OnlyLf {
    fn content<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        line
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "powersync-ja/powersync-native#39",
        caught_by: Check::Expect,
        target: provable(Dialect::Ndjson, |_| Lined::new(OnlyLf)),
    }
}
