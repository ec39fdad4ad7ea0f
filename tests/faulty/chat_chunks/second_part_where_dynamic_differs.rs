//! Static and dynamic calls are looked up apart, so a call whose chunks do not agree on `dynamic` becomes two.
//!
//! vercel/ai@0103ba5 finds the part of a call by its id and its kind, and makes a second one where the flag is not
//! repeated.
//!
//! The first part stays as it was for ever.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::lifecycle::Move;
use serde_json::{Map, Value};

use super::plain::{Habits, Plain};
use crate::invocation::Calls;
use crate::support::{Faulty, flag, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct KindAndId;

impl Habits for KindAndId {
    fn key(&mut self, calls: &Calls, id: &str, step: Move, chunk: &Map<String, Value>) -> String {
        let dynamic = flag(chunk, "dynamic") == Some(true);
        let is_other = calls.get(id).is_some_and(|call| call.dynamic != dynamic);
        let looks_for_kind = matches!(step, Move::Start | Move::Input);
        if is_other && looks_for_kind { format!("{id}\0") } else { id.to_owned() }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai@0103ba5",
        caught_by: Check::Expect,
        target: silent(Dialect::ChatChunks, |_| Plain::new(KindAndId)),
    }
}
