//! The parameters of a call are looked for under `args`.
//!
//! Arize-ai/openinference#2397, lmnr-ai/lmnr#1108: the field was called so once, and readers that were not told find
//! nothing. Hansade2005/pixel-pilot@4123d31 warns of it in capital letters.
//!
//! Every call runs without parameters.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Args;

impl Habits for Args {
    fn input<'a>(&self, part: &'a Map<String, Value>) -> Option<&'a Value> {
        Some(part.get("args").unwrap_or(&Value::Null))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "Arize-ai/openinference#2397",
        caught_by: Check::Fidelity,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Args)),
    }
}
