//! An input is announced whatever the tool's schema says of it.
//!
//! vercel/ai#20947: a callback is told of an input that failed the validation of its schema.
//!
//! The call is shown and mapped as it must be; that its input is wrong is what nobody learns.

use anysplit::check::Check;
use anysplit::dialect::reducer::Listed;
use anysplit::dialect::{AiSdkParts, Dialect};
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::Value;

use crate::support::{Alter, Altered, Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unchecked;

impl Alter<[Value]> for Unchecked {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if event.str("rule") != Some("A21") {
            sink.event(event);
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    let machine = |options: &_| Listed::<AiSdkParts>::new(options).expect("the settings of a case are checked");
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#20947",
        caught_by: Check::Expect,
        target: provable(Dialect::AiSdkParts, move |options| Altered::new(machine(options), Unchecked)),
    }
}
