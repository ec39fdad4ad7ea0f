//! How far a marker was read before is remembered, also for the next marker when this one is refuted.
//!
//! jundot/omlx#882: the stream filter raises at a chunk border, and the call is replaced by an error.
//! zed-industries/zed#58432: an offset that was valid in an earlier string is used in a later one.
//!
//! In one chunk all is well. A marker that breaks in a later chunk leaves an offset beyond the end of the next one.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, Marker, Stop, marker};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Remembered {
    seen: usize,
}

impl Habits for Remembered {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        if text[self.seen..].is_empty() {
            return Err(Stop::End); // nothing new
        }
        let read = marker(self, text);
        match read {
            Ok(_) => self.seen = 0,
            Err(Stop::End) => self.seen = text.len(),
            Err(Stop::Broken(_)) => {} // the bug: this marker is over, too
        }
        read
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "jundot/omlx#882",
        caught_by: Check::Survive,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Remembered::default())),
    }
}
