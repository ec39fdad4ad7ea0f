//! Each call comes out twice.
//!
//! agno-agi/agno#2336: streaming yields and runs each tool twice. vercel/ai#3953: a call that can be parsed before it is
//! finished is reported at both moments. BerriAI/litellm#37273: two ends for one call, and the client executes it twice.
//!
//! All splittings agree, and the arguments are right.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, inline_tag, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Twice;

impl Alter for Twice {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        sink.event(event.clone());
        sink.event(event);
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "agno-agi/agno#2336",
        caught_by: Check::Once,
        target: provable(Dialect::InlineTag, |options| Altered::new(inline_tag(options), Twice)),
    }
}
