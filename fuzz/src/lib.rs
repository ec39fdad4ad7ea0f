//! What all targets do: put the bytes to the oracle of their name.

use anysplit::fuzz::oracle;

/// Ends the process with a report where the oracle of this name finds something wrong with these bytes.
///
/// The report is the message of a panic, because libfuzzer-sys aborts in the hook that prints it, and libFuzzer then keeps the bytes. A panic
/// of a reference never comes to that hook: the library catches it, and the oracle tells of it as of any other failure.
#[track_caller]
pub fn ask(name: &str, data: &[u8]) {
    let oracle = oracle::named(name).expect("each target has the name of an oracle");
    if let Err(wrong) = oracle(data) {
        panic!("{wrong}");
    }
}
