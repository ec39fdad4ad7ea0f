//! An error that is no string is put into a string as it is.
//!
//! anthropics/claude-code-action#1841, agentclientprotocol/claude-agent-acp#229: `[object Object]`. vercel/ai#13058:
//! an error becomes `{}`, because its message is not among what becomes JSON.
//!
//! That something failed is said, but not what.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::Value;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Interpolated;

impl Habits for Interpolated {
    fn error_text(&self, error: &Value) -> String {
        match error {
            Value::String(text) => text.clone(),
            Value::Object(_) => "[object Object]".to_owned(),
            other => other.to_string(),
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "anthropics/claude-code-action#1841",
        caught_by: Check::Expect,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Interpolated)),
    }
}
