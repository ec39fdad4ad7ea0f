//! A last line without its line end is thrown away.
//!
//! Hansade2005/pixel-pilot@4123d31 keeps what follows the last line end for later, and later never comes.
//! QuantumNous/new-api#7252 loses the tool calls of the last frame.
//!
//! The last message is lost in silence.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Later;

impl Habits for Later {
    fn end_ends_line(&self) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "Hansade2005/pixel-pilot@4123d31",
        caught_by: Check::Expect,
        target: provable(Dialect::Ndjson, |_| Lined::new(Later)),
    }
}
