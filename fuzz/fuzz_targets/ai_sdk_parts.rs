//! The parts of a model's stream: the reference against the second opinion.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| anysplit_fuzz::ask("ai_sdk_parts", data));
