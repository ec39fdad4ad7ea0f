//! Faulty implementations of `sse`.

mod byte_order_mark_kept;
mod comment_is_data;
mod cr_alone_ends_nothing;
mod cr_waits_for_the_next_byte;
mod data_joined_without_line_ends;
mod empty_data_lines_dropped;
mod id_forgotten_with_its_event;
mod last_data_line_only;
mod last_event_flushed;
mod line_searched_again;
mod lined;
mod lines_end_at_unicode_separators;
mod split_crlf_ends_two_lines;
mod utf8_decoded_per_chunk;
mod values_trimmed;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::lined::{Lined, Sound};
use crate::support::{Faulty, provable};

/// The decoder that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    provable(Dialect::Sse, |_| Lined::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        byte_order_mark_kept::faulty(),
        comment_is_data::faulty(),
        cr_alone_ends_nothing::faulty(),
        cr_waits_for_the_next_byte::faulty(),
        data_joined_without_line_ends::faulty(),
        empty_data_lines_dropped::faulty(),
        id_forgotten_with_its_event::faulty(),
        last_data_line_only::faulty(),
        last_event_flushed::faulty(),
        line_searched_again::faulty(),
        lines_end_at_unicode_separators::faulty(),
        split_crlf_ends_two_lines::faulty(),
        utf8_decoded_per_chunk::faulty(),
        values_trimmed::faulty(),
    ]
}
