//! The counter behind the fallback ids belongs to the program, not to the stream.
//!
//! vllm-project/vllm#39214: the current tool id accumulates over requests. vllm-project/vllm#40296: buffer and counters
//! are not reset for a new request.
//!
//! The first stream of a program is right.

use std::sync::atomic::{AtomicUsize, Ordering};

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Ids, Lined};
use crate::support::{Faulty, runnable};

static NEXT: AtomicUsize = AtomicUsize::new(1);

struct Global;

impl Habits for Global {
    fn fallback(&self, _ids: &Ids) -> String {
        format!("tool-call-{}", NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#39214",
        caught_by: Check::Isolate,
        target: runnable(Dialect::MarkdownFence, |_| Lined::new(Global)),
    }
}
