//! Faulty implementations of `markdown-fence`.

mod body_parsed_with_every_chunk;
mod closed_by_any_backticks;
mod crlf_normalised_per_chunk;
mod crlf_opening_not_recognised;
mod extra_fields_dropped;
mod fallback_id_already_used;
mod fallback_id_counts_refuted_blocks;
mod ids_counted_across_streams;
mod lined;
mod null_input_becomes_an_object;
mod opening_line_cut_in_two;
mod original_regex;
mod output_and_error_both_announced;
mod refuted_block_retried_inside;
mod text_waits_for_its_line;
mod tool_fence_inside_another_runs;
mod unclosed_block_completed;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::lined::{Lined, Sound};
use crate::support::{Faulty, provable};

/// The parser that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    provable(Dialect::MarkdownFence, |_| Lined::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        body_parsed_with_every_chunk::faulty(),
        closed_by_any_backticks::faulty(),
        crlf_normalised_per_chunk::faulty(),
        crlf_opening_not_recognised::faulty(),
        extra_fields_dropped::faulty(),
        fallback_id_already_used::faulty(),
        fallback_id_counts_refuted_blocks::faulty(),
        ids_counted_across_streams::faulty(),
        null_input_becomes_an_object::faulty(),
        opening_line_cut_in_two::faulty(),
        original_regex::faulty(),
        output_and_error_both_announced::faulty(),
        refuted_block_retried_inside::faulty(),
        text_waits_for_its_line::faulty(),
        tool_fence_inside_another_runs::faulty(),
        unclosed_block_completed::faulty(),
    ]
}
