//! Calls in fenced blocks: the reference against the second opinion.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| anysplit_fuzz::ask("markdown_fence", data));
