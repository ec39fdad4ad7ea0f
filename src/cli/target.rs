//! Which implementation a command is about, and what its process may take.

use std::time::Duration;

use anysplit::spec;
use anysplit::target::process::{Limits, Process, Validate};
use clap::Args;
use serde_json::{Value, json};

use super::interrupt;
use super::select::quoted;
use super::{Exit, Problem};

/// What the process of a target may take.
#[derive(Args, Clone, Copy)]
pub(super) struct ProcessLimits {
    /// How many seconds the target's process may take for an answer; for the first one, in which a runtime starts, 30 at least
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// How many MB of memory it may hold, its children included (on Linux)
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Hold every message to and from it against its schema
    #[arg(long)]
    validate: bool,
}

/// A fuzzer's target may be lost so often in a row.
const PATIENCE: usize = 20;

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds, such as 10 or 0.5".to_owned())
}

impl ProcessLimits {
    /// Starts the command of a target, to put the cases of a suite to it.
    pub(super) fn start(self, command: &str) -> Result<Process, Problem> {
        self.start_within(command, Limits::default())
    }

    /// The same, to look for what it fails on: that it is lost again and again is no reason to stop, as long as it answers between.
    pub(super) fn start_patiently(self, command: &str) -> Result<Process, Problem> {
        self.start_within(command, Limits { replacements: PATIENCE, in_a_row: true, ..Limits::default() })
    }

    fn start_within(self, command: &str, limits: Limits) -> Result<Process, Problem> {
        interrupt::guard();
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| {
            Problem::usage(format!("--target {command:?} is no command line: a quote is open, or nothing is there"))
        })?;
        let limits =
            Limits { timeout: Duration::from_secs_f64(self.timeout), memory: Some(self.memory << 20), ..limits };
        let validate = if self.validate { Some(validator()?) } else { None };
        Process::start(words, limits, validate).map_err(|fault| Problem {
            exit: Exit::Unreachable,
            message: format!("the target {command:?} cannot be judged: {fault}"),
        })
    }

    /// The flags that give the same target again.
    pub(super) fn flags(self, command: &str) -> String {
        let limits = Self { timeout: 10.0, memory: 2048, validate: false };
        let mut flags = format!(" --target {}", quoted(command));
        if (self.timeout - limits.timeout).abs() > f64::EPSILON {
            flags += &format!(" --timeout {}", self.timeout);
        }
        if self.memory != limits.memory {
            flags += &format!(" --memory {}", self.memory);
        }
        if self.validate {
            flags += " --validate";
        }
        flags
    }
}

/// Holds messages against the schemas of the protocol.
fn validator() -> Result<Box<Validate>, Problem> {
    let fault = |error: String| Problem { exit: Exit::Fault, message: format!("the protocol's schema: {error}") };
    let schema = spec::file("schema/protocol.schema.json").ok_or_else(|| fault("is missing".to_owned()))?;
    let schema: Value = serde_json::from_str(schema).map_err(|error| fault(error.to_string()))?;
    let compile = |message: String| {
        let schema = json!({"$ref": format!("#/$defs/{message}"), "$defs": schema["$defs"]});
        jsonschema::validator_for(&schema).map(|compiled| (message, compiled)).map_err(|error| fault(error.to_string()))
    };
    let requests = ["hello", "run", "sweep", "walk", "fork", "finish", "bye"];
    let answers = requests.iter().filter(|request| **request != "bye").map(|request| format!("answer-to-{request}"));
    let names = requests.iter().map(ToString::to_string).chain(answers);
    let compiled = names.map(compile).collect::<Result<Vec<_>, _>>()?;
    Ok(Box::new(move |request, is_answer, message| {
        let name = if is_answer { format!("answer-to-{request}") } else { request.to_owned() };
        let found = compiled.iter().find(|(known, _)| *known == name);
        let error = found.and_then(|(_, compiled)| compiled.iter_errors(message).next());
        error.map_or(Ok(()), |error| Err(format!("{error} at {:?}", error.instance_path().to_string())))
    }))
}
