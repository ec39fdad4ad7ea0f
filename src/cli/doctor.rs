//! `anysplit doctor`: is this adapter sound?

use anysplit::doctor;
use anysplit::target::Target as _;
use clap::Args;

use super::target::ProcessLimits;
use super::{Exit, Problem};

/// Probe an adapter, and say what to mend
#[derive(Args)]
#[command(after_help = "\
A run's verdicts mean something only if the adapter is sound. Exit code 3 says
that it is not, or cannot be started.

Examples:
  anysplit doctor --target 'python3 adapter.py'
  anysplit doctor --target 'node adapter.mjs' --validate")]
pub(super) struct Doctor {
    /// The command that starts the adapter, split like a shell would and run without one
    #[arg(long, value_name = "CMD")]
    target: String,
    #[command(flatten)]
    limits: ProcessLimits,
}

impl Doctor {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let process = self.limits.start(&self.target)?;
        let greeting = process.greeting();
        let dialects: Vec<&str> = greeting.dialects.iter().map(|dialect| dialect.name()).collect();
        let language = greeting.language.as_ref().map(|language| format!(", {language}")).unwrap_or_default();
        let caps = if greeting.caps.is_empty() { "none".to_owned() } else { greeting.caps.join(", ") };
        anstream::println!("{}{language}\n  dialects {}\n  caps     {caps}\n", process.name(), dialects.join(", "));
        let probes = doctor::examine(&process);
        for probe in &probes {
            match &probe.problem {
                None => anstream::println!("ok   {}", probe.question),
                Some(problem) => {
                    anstream::println!("FAIL {}", probe.question);
                    problem.lines().for_each(|line| anstream::println!("       {line}"));
                    anstream::println!("     mend: {}", probe.mend);
                }
            }
        }
        let failed = probes.iter().filter(|probe| probe.problem.is_some()).count();
        if failed == 0 {
            anstream::println!("\nsound: {} probes", probes.len());
            return Ok(Exit::Conforms);
        }
        anstream::println!("\nnot sound: {failed} of {} probes fail; spec/PROTOCOL.md is the contract", probes.len());
        Ok(Exit::Unreachable)
    }
}
