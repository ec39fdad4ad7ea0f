//! A tool runs on the client if its name begins like one that does.
//!
//! maximhq/bifrost#1940: a list of what is allowed that is asked by prefix lets longer names through.
//!
//! A call of `read_file_remote` is run where nobody knows it.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::plain::{CLIENT_TOOLS, Habits, Plain};
use crate::support::{Faulty, silent};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Prefix;

impl Habits for Prefix {
    fn is_client_side(&self, name: &str) -> bool {
        CLIENT_TOOLS.iter().any(|tool| name.starts_with(tool))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "maximhq/bifrost#1940",
        caught_by: Check::Expect,
        target: silent(Dialect::AiSdkParts, |_| Plain::new(Prefix)),
    }
}
