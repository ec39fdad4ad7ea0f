//! All parts are asked for `toolCallId`, also those that have their id as `id`.
//!
//! vercel/ai#6856: a start is stored under the one name and looked up under the other.
//!
//! A call whose input streams is not seen before it is there.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain, id};
use crate::support::{Faulty, silent, word};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OneName;

impl Habits for OneName {
    fn id<'a>(&self, kind: &str, part: &'a Map<String, Value>) -> Option<&'a str> {
        if kind.starts_with("tool-input-") { word(part, "toolCallId") } else { id(kind, part) }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#6856",
        caught_by: Check::Once,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(OneName)),
    }
}
