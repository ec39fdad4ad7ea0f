//! Faulty implementations of `ai-sdk-parts`.

mod args_read_instead_of_input;
mod call_before_the_input_ends;
mod client_tools_found_by_prefix;
mod dynamic_dropped;
mod error_shown_as_object;
mod id_under_the_other_name;
mod input_not_held_against_its_schema;
mod plain;
mod preliminary_result_is_final;
mod repeated_call_runs_again;
mod results_in_the_order_of_the_calls;
mod unfinished_input_is_run;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::plain::{Plain, Sound};
use crate::support::{Faulty, silent};

/// The reducer that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    silent(Dialect::AiSdkParts, |_| Plain::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        args_read_instead_of_input::faulty(),
        call_before_the_input_ends::faulty(),
        client_tools_found_by_prefix::faulty(),
        dynamic_dropped::faulty(),
        error_shown_as_object::faulty(),
        id_under_the_other_name::faulty(),
        input_not_held_against_its_schema::faulty(),
        preliminary_result_is_final::faulty(),
        repeated_call_runs_again::faulty(),
        results_in_the_order_of_the_calls::faulty(),
        unfinished_input_is_run::faulty(),
    ]
}
