//! A CR that no LF follows is left where it is.
//!
//! stalwartlabs/jmap-client#23, a2aproject/a2a-js#714: such streams give nothing at all.
//!
//! LF and CRLF show nothing.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::lined::{Habits, Lined};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OnlyLf;

impl Habits for OnlyLf {
    fn line(&self, held: &[u8], _at_end: bool) -> Option<(usize, usize)> {
        let end = held.iter().position(|&byte| byte == b'\n')?;
        Some((held[..end].strip_suffix(b"\r").map_or(end, <[u8]>::len), end + 1))
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "stalwartlabs/jmap-client#23",
        caught_by: Check::Expect,
        target: provable(Dialect::Sse, |_| Lined::new(OnlyLf)),
    }
}
