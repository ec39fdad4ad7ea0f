//! Names are looked up in an object that inherits some: `constructor` and its like are tools.
//!
//! google/adk-js#790: a call of `constructor`, `toString` or `__proto__` resolves to a built-in and is taken as found.
//! Sawyer0/cf_ai_Micro_CoS@3079b1e maps names with a plain object as well. workglow-dev/libs#681: `__proto__` in arguments.
//!
//! A call comes out that no tool has the name of.

use anysplit::check::Check;
use anysplit::dialect::{Dialect, Options};
use serde_json::{Value, json};

use crate::support::{Faulty, provable, tool_session};

const INHERITED: [&str; 4] = ["constructor", "hasOwnProperty", "toString", "__proto__"];

fn with_inherited(options: &Options) -> Options {
    let mut options = options.clone();
    let tools = options.0.entry("tools").or_insert_with(|| json!({}));
    for name in INHERITED {
        if let Value::Object(tools) = tools {
            tools.entry(name).or_insert_with(|| json!({ "id": "function" }));
        }
    }
    options
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "google/adk-js#790",
        caught_by: Check::Identity,
        target: provable(Dialect::ToolSession, |options| tool_session(&with_inherited(options))),
    }
}
