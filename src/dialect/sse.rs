//! `sse`: server-sent events as a dialect of their own.
//!
//! The rules are in `spec/sse/README.md`; the decoder is [`crate::scan::sse`].

use super::options::{Limit, Options, OptionsError};
use crate::event::Event;
use crate::machine::{Machine, Sink};
use crate::scan::sse;

/// The reference implementation of `sse`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sse {
    limit: Limit,
    decoder: sse::Decoder,
}

impl Sse {
    /// A decoder at the start of a stream.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["limit"])?;
        let limit = options.limit()?;
        Ok(Self { limit, decoder: sse::Decoder::new(limit.bytes()) })
    }
}

impl Machine for Sse {
    type Chunk = [u8];

    fn feed(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        let limit = self.limit;
        self.decoder.feed(chunk, &mut |frame| {
            sink.event(match frame {
                sse::Frame::Unknown(_) => return, // E14
                sse::Frame::Event { event, data, id } => {
                    Event::new("event", [("event", event.into()), ("data", data.into()), ("id", id.into())])
                }
                sse::Frame::Retry(retry) => Event::new("retry", [("retry", retry.into())]),
                sse::Frame::Limit => limit.bare_event(),
            });
        });
    }

    fn finish(self, _sink: &mut impl Sink) {} // E15

    fn landmark(&self) -> u64 {
        self.decoder.landmark()
    }
}
