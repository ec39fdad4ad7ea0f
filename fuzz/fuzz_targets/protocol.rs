//! What adapters may say, line by line.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| anysplit_fuzz::ask("protocol", data));
