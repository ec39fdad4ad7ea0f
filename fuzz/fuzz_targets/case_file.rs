//! Case files and findings, whatever is in them.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| anysplit_fuzz::ask("case_file", data));
