//! White space after a call is trimmed.
//!
//! vllm-project/vllm#49412: white space next to a call is stripped in one mode and kept in the other.
//! NVIDIA/TensorRT-LLM#17740 loses even more: a separator that belongs to the end token takes the text with it.
//!
//! All splittings agree with each other: only the text itself shows it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, inline_tag, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Trimmed {
    after_call: bool,
}

impl Alter for Trimmed {
    fn text(&mut self, text: &str, sink: &mut impl Sink) {
        let text = if self.after_call { text.trim_start() } else { text };
        self.after_call &= text.is_empty();
        sink.text(text);
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        self.after_call = true;
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vllm-project/vllm#49412",
        caught_by: Check::Conserve,
        target: provable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), Trimmed::default())),
    }
}
