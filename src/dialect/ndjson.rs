//! `ndjson`: lines of JSON as a dialect of their own.
//!
//! The rules are in `spec/ndjson/README.md`; the decoder is [`crate::scan::lines`].

use super::options::{Limit, Options, OptionsError};
use crate::event::Event;
use crate::machine::{Machine, Sink};
use crate::scan::json::{any, is_blank};
use crate::scan::lines;

/// The reference implementation of `ndjson`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ndjson {
    limit: Limit,
    decoder: lines::Decoder,
}

impl Ndjson {
    /// A decoder at the start of a stream.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        options.only(&["limit"])?;
        let limit = options.limit()?;
        Ok(Self { limit, decoder: lines::Decoder::new(limit.bytes()) })
    }
}

impl Machine for Ndjson {
    type Chunk = [u8];

    fn feed(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        let limit = self.limit;
        self.decoder.feed(chunk, &mut |found| line(found, limit, sink));
    }

    fn finish(self, sink: &mut impl Sink) {
        let limit = self.limit;
        self.decoder.finish(&mut |found| line(found, limit, sink));
    }

    fn landmark(&self) -> u64 {
        self.decoder.landmark()
    }
}

fn line(found: lines::Found<'_>, limit: Limit, sink: &mut impl Sink) {
    match found {
        lines::Found::Line(line) if line.iter().all(|&byte| is_blank(byte)) => {} // N4
        lines::Found::Line(line) => sink.event(match any(line) {
            Some(value) => Event::new("value", [("value", value)]), // N1
            None => Event::new("error", [("line", String::from_utf8_lossy(line).into())]), // N5, N6
        }),
        lines::Found::Limit => sink.event(limit.bare_event()), // N10
    }
}
