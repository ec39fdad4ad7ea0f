//! Other fences are not followed, so that a tool fence quoted inside one is a call.
//!
//! gptme/gptme#1472, AmanCode22/deeperseeker#12: calls inside fenced code, for instance in documentation, are executed.
//! Gitlawb/openclaude#1076: a quoted example of the format is run.
//!
//! An answer that explains the format calls tools.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OnlyTools;

impl Habits for OnlyTools {
    fn hides(&self) -> bool {
        false
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "gptme/gptme#1472",
        caught_by: Check::Once,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(OnlyTools)),
    }
}
