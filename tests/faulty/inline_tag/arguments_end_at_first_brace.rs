//! The arguments end at the first closing brace, nested or in a string.
//!
//! raullenchai/Rapid-MLX#921 and #1102: a non-greedy pattern stops at the first `}`, so calls with nested arguments are
//! dropped and a lone `}` leaks. vllm-project/vllm#45389, ollama/ollama#16937: braces in strings are counted.
//!
//! What is cut off is no JSON, so the call comes out as text.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, Stop};
use crate::support::{Faulty, runnable};

struct FirstBrace;

impl Habits for FirstBrace {
    fn object_end(&mut self, text: &str) -> Result<usize, Stop> {
        text.find('}').map(|at| at + 1).ok_or(Stop::End)
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "raullenchai/Rapid-MLX#921",
        caught_by: Check::Expect,
        target: runnable(Dialect::InlineTag, |_| Buffered::new(FirstBrace)),
    }
}
