//! The command line: reads arguments, calls the library, chooses the exit code.

mod cli;

use std::panic;
use std::process::ExitCode;

fn main() -> ExitCode {
    panic::catch_unwind(cli::main).unwrap_or_else(|_| {
        eprintln!("error: this is a fault in anysplit itself; please report it with the command and the lines above");
        cli::Exit::Fault.into()
    })
}
