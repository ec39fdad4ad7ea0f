//! A marker whose arguments are no JSON is dropped.
//!
//! sgl-project/sglang#32861: a malformed payload is silently dropped. Sawyer0/cf_ai_Micro_CoS@3079b1e removes the marker
//! and logs a warning.
//!
//! The reader learns neither that there was a call nor what it said: text is missing.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::machine::Sink;

use super::buffered::{Buffered, CLOSE, Habits, Stop, object_end};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Dropped {
    malformed: bool,
}

impl Habits for Dropped {
    fn object_end(&mut self, text: &str) -> Result<usize, Stop> {
        let end = object_end(text);
        self.malformed = matches!(end, Err(Stop::Broken(_)));
        end
    }

    fn refuted(&mut self, text: &str, broken: usize, sink: &mut impl Sink) -> usize {
        if std::mem::take(&mut self.malformed) {
            return text[broken..].find(CLOSE).map_or(broken, |at| broken + at + CLOSE.len());
        }
        sink.text(&text[..broken]);
        broken
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "sgl-project/sglang#32861",
        caught_by: Check::Conserve,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Dropped::default())),
    }
}
