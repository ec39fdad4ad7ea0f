//! A call is reported as soon as its arguments are whole, without waiting for the end of its marker.
//!
//! vercel/ai#13137 and OpenRouterTeam/ai-sdk-provider#74: a call is final as soon as what came of its arguments parses as
//! JSON; what follows is lost.
//!
//! Cut off after the arguments, the input gives a call that was never finished.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, CLOSE, Habits, Marker, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Eager;

impl Habits for Eager {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        match marker(self, text) {
            Err(Stop::End) if text.ends_with('}') => {
                let early = marker(self, &format!("{text}>{CLOSE}"))?;
                Ok(Marker { len: text.len(), ..early })
            }
            read => read,
        }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "vercel/ai#13137",
        caught_by: Check::Truncate,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Eager)),
    }
}
