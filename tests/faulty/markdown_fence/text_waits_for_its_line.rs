//! Text comes out line by line.
//!
//! openai/codex#1920 waits for a whole line before it shows anything, which is simple and right, and costs the reader the
//! words as they are written. A line that cannot open a tool fence need not wait.
//!
//! This is the line parser as it is; all its events are right, and only the time at which they come out shows it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Lined, Sound};
use crate::support::{Faulty, provable};

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "openai/codex#1920",
        caught_by: Check::Prompt,
        target: provable(Dialect::MarkdownFence, |_| Lined::new(Sound)),
    }
}
