//! The command line, one file per subcommand.

mod check;
mod diff;
mod doctor;
mod fuzz;
mod init;
mod interrupt;
mod list;
mod merge;
mod output;
mod progress;
mod replay;
mod rules;
mod run;
mod select;
mod show;
mod target;

use std::process::ExitCode;

use anstream::ColorChoice;
use anysplit::report::Counts;
use clap::{Parser, Subcommand, ValueEnum};

const AFTER_HELP: &str = "\
Exit codes:
  0    everything judged conforms, or fails as known
  1    a must failed (with --strict also a should), or a known failure is stale
  2    wrong usage, or a bad case or known-failures file
  3    the target cannot be started, reached or talked to
  4    nothing was judged
  5    a fault in anysplit itself
  130  interrupted

Examples:
  anysplit run                                  the reference on the whole suite
  anysplit run --dialect inline-tag --quiet     one dialect, failures only
  anysplit run --cases my-cases.json            your own cases
  anysplit run --format json --out report.ndjson
  anysplit init --lang python my-adapter             your own implementation: start here
  anysplit doctor --target 'python3 adapter.py'      is the adapter sound?
  anysplit run --target 'python3 adapter.py'         judge it
  anysplit check capture.sse --dialect chat-chunks   lint a recorded stream
  anysplit fuzz --time 60s                           random inputs, and findings
  anysplit replay findings                           judge what was found again
  anysplit list --filter surrogate              which cases there are
  anysplit show inline-tag/plain-text-passes    one case in full
  anysplit rules T13                            a rule and the cases that show it";

/// The conformance suite for streaming tool calls: any split, same events.
#[derive(Parser)]
#[command(version, about, after_help = AFTER_HELP, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Whether to use colours; `auto` asks the terminal and NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    color: Color,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Check(check::Check),
    Fuzz(fuzz::Fuzz),
    Replay(replay::Replay),
    Diff(diff::Diff),
    Doctor(doctor::Doctor),
    Init(init::Init),
    List(list::List),
    Show(show::Show),
    Rules(rules::Rules),
    Merge(merge::Merge),
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// For people or for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Terminal,
    /// NDJSON, for machines
    Json,
}

/// How the program ends; the numbers are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Conforms = 0,
    Fails = 1,
    Usage = 2,
    Unreachable = 3,
    Nothing = 4,
    Fault = 5,
    Interrupted = 130,
}

impl Exit {
    /// How a run ends that came to these counts.
    fn of(counts: &Counts, complete: bool, strict: bool) -> Self {
        if !complete {
            Self::Interrupted
        } else if counts.failed.must > 0 || strict && counts.failed.should > 0 || counts.stale > 0 {
            Self::Fails
        } else if counts.judged_nothing() {
            Self::Nothing
        } else {
            Self::Conforms
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do what it was asked.
struct Problem {
    exit: Exit,
    message: String,
}

impl Problem {
    fn usage(message: impl ToString) -> Self {
        Self { exit: Exit::Usage, message: message.to_string() }
    }

    fn nothing(message: impl ToString) -> Self {
        Self { exit: Exit::Nothing, message: message.to_string() }
    }
}

pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
    .write_global();
    let result = match cli.command {
        Command::Run(run) => run.execute(),
        Command::Check(check) => check.execute(),
        Command::Fuzz(fuzz) => fuzz.execute(),
        Command::Replay(replay) => replay.execute(),
        Command::Diff(diff) => diff.execute(),
        Command::Doctor(doctor) => doctor.execute(),
        Command::Init(init) => init.execute(),
        Command::List(list) => list.execute(),
        Command::Show(show) => show.execute(),
        Command::Rules(rules) => rules.execute(),
        Command::Merge(merge) => merge.execute(),
    };
    result
        .unwrap_or_else(|problem| {
            anstream::eprintln!("error: {}", problem.message);
            problem.exit
        })
        .into()
}
