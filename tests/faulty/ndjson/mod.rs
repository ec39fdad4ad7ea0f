//! Faulty implementations of `ndjson`.

mod bad_line_ends_the_stream;
mod chunk_ends_a_line;
mod cr_alone_ends_a_line;
mod cr_left_on_the_line;
mod last_line_lost;
mod lined;
mod utf8_decoded_per_chunk;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::lined::{Lined, Sound};
use crate::support::{Faulty, provable};

/// The decoder that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    provable(Dialect::Ndjson, |_| Lined::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        bad_line_ends_the_stream::faulty(),
        chunk_ends_a_line::faulty(),
        cr_alone_ends_a_line::faulty(),
        cr_left_on_the_line::faulty(),
        last_line_lost::faulty(),
        utf8_decoded_per_chunk::faulty(),
    ]
}
