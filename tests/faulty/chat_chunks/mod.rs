//! Faulty implementations of `chat-chunks`.

mod answer_looked_up_by_call_id;
mod calls_shared_between_streams;
mod chunks_after_the_finish_applied;
mod deltas_discarded;
mod deltas_parsed_again_with_each;
mod denial_erases_the_reason;
mod falsy_output_missing;
mod finish_not_required;
mod ids_found_in_the_prototype;
mod input_error_creates_a_call;
mod input_error_ignored;
mod input_from_deltas_only;
mod late_delta_reopens_the_call;
mod name_taken_from_every_chunk;
mod orphan_delta_panics;
mod output_after_a_denial;
mod output_before_the_answer;
mod output_beside_the_error;
mod output_goes_to_the_newest_call;
mod plain;
mod preliminary_outlives_the_error;
mod request_replaces_the_input;
mod second_part_where_dynamic_differs;
mod second_start_resets_the_call;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::plain::{Plain, Sound};
use crate::support::{Faulty, silent};

/// The reducer that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    silent(Dialect::ChatChunks, |_| Plain::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        answer_looked_up_by_call_id::faulty(),
        calls_shared_between_streams::faulty(),
        chunks_after_the_finish_applied::faulty(),
        deltas_discarded::faulty(),
        deltas_parsed_again_with_each::faulty(),
        denial_erases_the_reason::faulty(),
        falsy_output_missing::faulty(),
        finish_not_required::faulty(),
        ids_found_in_the_prototype::faulty(),
        input_error_creates_a_call::faulty(),
        input_error_ignored::faulty(),
        input_from_deltas_only::faulty(),
        late_delta_reopens_the_call::faulty(),
        name_taken_from_every_chunk::faulty(),
        orphan_delta_panics::faulty(),
        output_after_a_denial::faulty(),
        output_before_the_answer::faulty(),
        output_beside_the_error::faulty(),
        output_goes_to_the_newest_call::faulty(),
        preliminary_outlives_the_error::faulty(),
        request_replaces_the_input::faulty(),
        second_part_where_dynamic_differs::faulty(),
        second_start_resets_the_call::faulty(),
    ]
}
