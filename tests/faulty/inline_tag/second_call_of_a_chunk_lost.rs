//! At most one call comes out of each chunk; the others in it are lost.
//!
//! sgl-project/sglang#37634: one increment that holds two complete calls loses the second in nine detectors.
//! sgl-project/sglang#31915: two calls in one to four random chunks lose data in 71 % and 91 % of the splittings.
//!
//! One character at a time all is well; in one chunk a call is missing.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, inline_tag, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct OneEach {
    called: bool,
}

impl Alter for OneEach {
    fn begin(&mut self, _chunk: &str) {
        self.called = false;
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if !std::mem::replace(&mut self.called, true) {
            sink.event(event);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "sgl-project/sglang#37634",
        caught_by: Check::Once,
        target: provable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), OneEach::default())),
    }
}
