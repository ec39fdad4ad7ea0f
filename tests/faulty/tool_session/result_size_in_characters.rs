//! The size of a result counts characters, not bytes.
//!
//! Sawyer0/cf_ai_Micro_CoS@1868b5e logs the length of a string of its language, which counts UTF-16 units.
//! openclaw/openclaw#102450: a limit in bytes is compared with a number of such units.
//!
//! ASCII shows nothing.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::machine::Sink;
use serde_json::Value;

use crate::support::{Alter, Altered, Faulty, provable, tool_session, with};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Units {
    result: Value,
}

impl Alter for Units {
    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        if let Some(result) = event.get("result") {
            self.result = result.clone();
        }
        let units = self.result.to_string().encode_utf16().count();
        let has_size = event.get("resultSize").is_some();
        sink.event(if has_size { with(event, "resultSize", units) } else { event });
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "Sawyer0/cf_ai_Micro_CoS@1868b5e",
        caught_by: Check::Expect,
        target: provable(Dialect::ToolSession, |options| Altered::new(tool_session(options), Units::default())),
    }
}
