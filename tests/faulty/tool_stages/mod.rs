//! Faulty implementations of `tool-stages`.

mod chunk_appended_to_the_parameters;
mod chunk_goes_to_the_active_block;
mod chunk_stays_on_the_block;
mod ended_block_forgotten;
mod images_erased_by_the_next_update;
mod late_update_reopens_the_block;
mod name_taken_from_every_update;
mod no_start_needed;
mod plain;
mod running_wipes_the_parameters;
mod second_end_accepted;
mod unfinished_blocks_are_ended;
mod update_without_id_goes_to_the_last_block;

use anysplit::dialect::Dialect;
use anysplit::target::Target;

use self::plain::{Plain, Sound};
use crate::support::{Faulty, silent};

/// The reducer that bugs are put into.
pub(crate) fn sound() -> Box<dyn Target> {
    silent(Dialect::ToolStages, |_| Plain::new(Sound))
}

pub(crate) fn all() -> Vec<Faulty> {
    vec![
        chunk_appended_to_the_parameters::faulty(),
        chunk_goes_to_the_active_block::faulty(),
        chunk_stays_on_the_block::faulty(),
        ended_block_forgotten::faulty(),
        images_erased_by_the_next_update::faulty(),
        late_update_reopens_the_block::faulty(),
        name_taken_from_every_update::faulty(),
        no_start_needed::faulty(),
        running_wipes_the_parameters::faulty(),
        second_end_accepted::faulty(),
        unfinished_blocks_are_ended::faulty(),
        update_without_id_goes_to_the_last_block::faulty(),
    ]
}
