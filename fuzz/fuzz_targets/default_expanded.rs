//! Owner states of tool cards: the reference against the second opinion.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| anysplit_fuzz::ask("default_expanded", data));
