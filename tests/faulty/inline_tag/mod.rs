//! Faulty implementations of `inline-tag`.

mod aborted_stream_leaves_a_ghost;
mod arguments_as_a_string;
mod arguments_end_at_first_brace;
mod blank_chunks_dropped;
mod broken_marker_held_back;
mod buffer_searched_again;
mod buffered;
mod buffers_until_finish;
mod byte_index_inside_a_character;
mod call_complete_with_its_arguments;
mod call_emitted_twice;
mod closing_tag_in_a_string_ends_the_call;
mod empty_arguments_null;
mod empty_chunk_ends_the_stream;
mod escape_lost_at_chunk_border;
mod finish_forgets_what_is_held;
mod last_fragment_is_the_name;
mod malformed_call_latches;
mod malformed_json_dropped;
mod near_miss_swallows_text;
mod one_character_flushed;
mod one_character_held_back;
mod opening_in_a_string_begins_anew;
mod original_regex;
mod second_call_of_a_chunk_lost;
mod split_marker_leaks;
mod stale_offset_panics;
mod state_shared_between_instances;
mod surrogate_pair_cut_apart;
mod text_after_a_call_dropped;
mod third_piece_leaks;
mod unfinished_call_completed;
mod white_space_trimmed_at_seams;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::buffered::{Buffered, Sound};
use crate::support::{Faulty, provable};

/// The parser that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    provable(Dialect::InlineTag, |_| Buffered::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        aborted_stream_leaves_a_ghost::faulty(),
        arguments_as_a_string::faulty(),
        arguments_end_at_first_brace::faulty(),
        blank_chunks_dropped::faulty(),
        broken_marker_held_back::faulty(),
        buffer_searched_again::faulty(),
        buffers_until_finish::faulty(),
        byte_index_inside_a_character::faulty(),
        call_complete_with_its_arguments::faulty(),
        call_emitted_twice::faulty(),
        closing_tag_in_a_string_ends_the_call::faulty(),
        empty_arguments_null::faulty(),
        empty_chunk_ends_the_stream::faulty(),
        escape_lost_at_chunk_border::faulty(),
        finish_forgets_what_is_held::faulty(),
        last_fragment_is_the_name::faulty(),
        malformed_call_latches::faulty(),
        malformed_json_dropped::faulty(),
        near_miss_swallows_text::faulty(),
        one_character_flushed::faulty(),
        one_character_held_back::faulty(),
        opening_in_a_string_begins_anew::faulty(),
        original_regex::faulty(),
        second_call_of_a_chunk_lost::faulty(),
        split_marker_leaks::faulty(),
        stale_offset_panics::faulty(),
        state_shared_between_instances::faulty(),
        surrogate_pair_cut_apart::faulty(),
        text_after_a_call_dropped::faulty(),
        third_piece_leaks::faulty(),
        unfinished_call_completed::faulty(),
        white_space_trimmed_at_seams::faulty(),
    ]
}
