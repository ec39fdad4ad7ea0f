//! Faulty implementations of `tool-session`.

mod done_sent_twice;
mod invocation_ids_differ;
mod logs_sent_to_the_client;
mod names_found_in_the_prototype;
mod no_done_after_a_failure;
mod result_size_in_characters;
mod text_before_calls;
mod tool_error_ends_the_stream;
mod tool_error_swallowed;
mod unknown_tool_announced;

use crate::support::Faulty;

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        done_sent_twice::faulty(),
        invocation_ids_differ::faulty(),
        logs_sent_to_the_client::faulty(),
        names_found_in_the_prototype::faulty(),
        no_done_after_a_failure::faulty(),
        result_size_in_characters::faulty(),
        text_before_calls::faulty(),
        tool_error_ends_the_stream::faulty(),
        tool_error_swallowed::faulty(),
        unknown_tool_announced::faulty(),
    ]
}
