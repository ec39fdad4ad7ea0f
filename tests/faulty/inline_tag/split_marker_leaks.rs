//! Nothing is held back: a marker is found only where its opening tag arrives in one piece.
//!
//! vllm-project/vllm#57490, sgl-project/sglang#36691: the first part of a split marker is emitted as content and the call
//! is never returned. Where the whole output so far is parsed again and compared, as in ggml-org/llama.cpp#13786, the same
//! fault is a diff that takes text back.
//!
//! After `Hi <tool` the reader has been told `Hi <tool`; the whole input says `Hi ` and a call.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Nothing;

impl Habits for Nothing {
    fn held_back(&mut self, _text: &str) -> usize {
        0
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#57490",
        caught_by: Check::Retract,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Nothing)),
    }
}
