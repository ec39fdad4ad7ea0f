//! Linting server-sent events for their own sake: whatever their data is.

use super::place::Place;
use super::{Finding, Framing, Lint, Summary, Tally};
use crate::dialect::reducer::too_long;
use crate::machine::{Sink, Words};
use crate::scan::sse::{Decoder, Frame};

pub(super) struct SseLint {
    decoder: Decoder,
    place: Place,
    tally: Tally,
}

impl SseLint {
    pub(super) fn new(limit: usize) -> Self {
        let tally = Tally::new(&["E4", "E15", "E18"]);
        Self { decoder: Decoder::new(limit), place: Place::default(), tally }
    }
}

impl Lint for SseLint {
    fn feed(&mut self, bytes: &[u8], out: &mut dyn FnMut(Finding)) {
        let Self { decoder, place, tally } = self;
        let limit = decoder.limit();
        place.pass(Framing::Sse, bytes, |place, line| {
            decoder.feed(line, &mut |frame| match frame {
                Frame::Event { .. } => {
                    place.items += 1;
                    tally.at(place, out).held("E4");
                }
                Frame::Retry(_) | Frame::Unknown(_) => {}
                Frame::Limit => {
                    place.items += 1;
                    tally.at(place, out).violation("E18", None, || too_long(limit));
                }
            });
            decoder.is_within()
        });
    }

    fn finish(self: Box<Self>, broken: Option<&str>, out: &mut dyn FnMut(Finding)) -> Summary {
        let Self { decoder, mut place, mut tally } = *self;
        // A page of text is no event that was cut off, whether its last line is ended or not.
        let is_none = place.items == 0 && decoder.unknown_rest().is_some();
        if decoder.is_unfinished() && !is_none || broken.is_some() {
            place.items += 1;
            let came = broken.map_or("the end of the stream in an event".to_owned(), |broken| {
                format!("the stream broke off: {broken}")
            });
            tally.at(&place, out).violation("E15", None, || Words::new(came, "a blank line after the last event"));
        } else if place.items > 0 {
            tally.at(&place, out).held("E15");
        }
        let (calls, paths, rules) = tally.finish();
        let judged = rules.iter().any(|count| count.judges(&[]));
        Summary { framing: Some(Framing::Sse), bytes: place.bytes, items: place.items, judged, calls, paths, rules }
    }
}
