//! Whether there is an output is asked by its truth: `0`, `false`, `""` and `null` are none.
//!
//! openai/openai-agents-python#3475: what a tool returned is dropped when it is falsy.
//!
//! A tool that says no is one that never answers.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use serde_json::Value;

use super::plain::{Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Truth;

impl Habits for Truth {
    fn is_given(&self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(value) => *value,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !text.is_empty(),
            Value::Array(_) | Value::Object(_) => true,
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "openai/openai-agents-python#3475",
        caught_by: Check::Expect,
        target: silent(Dialect::ChatChunks, |_| Plain::new(Truth)),
    }
}
