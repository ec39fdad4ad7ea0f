//! The specification, as `cargo test`: the reference on every case, and the specification's own promises.
//!
//! One trial per case and group of checks, `<dialect>/<case>/<group>`, and `spec/…` for the documents and files themselves.
//! They can be filtered: `cargo test --test spec inline-tag`, `cargo test --test spec -- near-miss split`.
//!
//! With `ANYSPLIT_FIRST_FAILURE=1` the first failure ends it: that is enough to know of a mutant (`.cargo/mutants.toml`).

mod allowed;
mod documents;
mod lint;
mod lives;
mod tables;

use std::process::ExitCode;
use std::sync::Arc;

use anysplit::case::Case;
use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::judge::{How, Judge, Status};
use anysplit::report::{Report, TerminalReport};
use anysplit::spec;
use anysplit::target::Reference;
use libtest_mimic::{Arguments, Failed, Trial};

/// Checks that share their runs are one trial; what takes least is asked of all cases first.
const GROUPS: [(&str, &[Check]); 6] = [
    ("expect", &[Check::Survive, Check::Expect]),
    ("isolate", &[Check::Isolate]),
    ("prompt", &[Check::Prompt]),
    (
        "truncate",
        &[
            Check::Truncate,
            Check::Retract,
            Check::Conserve,
            Check::Once,
            Check::Identity,
            Check::Fidelity,
            Check::Close,
        ],
    ),
    ("split", &[Check::Split, Check::Interleave]),
    ("cost", &[Check::Cost]),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = documents::documents();
    trials.extend(allowed::trials());
    match spec::cases() {
        Ok(cases) => trials.extend(of_cases(&cases.into_iter().map(Arc::new).collect::<Vec<_>>())),
        Err(error) => trials.push(Trial::test("spec/cases-load", move || Err(error.to_string().into()))),
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn of_cases(cases: &[Arc<Case>]) -> Vec<Trial> {
    let linted = cases.iter().filter(|case| lint::can_be_linted(case)).map(|case| trial(case, "lint", lint::lint));
    let told = cases.iter().filter(|case| lives::are_told(case)).map(|case| trial(case, "lives", lives::lives));
    let mut trials: Vec<Trial> = linted.chain(told).collect();
    for (name, checks) in GROUPS {
        let applies = |case: &&Arc<Case>| name != "cost" || case.grow.is_some();
        trials.extend(cases.iter().filter(applies).map(|case| trial(case, name, move |case| judge(case, checks))));
    }
    trials
}

fn trial(
    case: &Arc<Case>,
    name: &'static str,
    test: impl FnOnce(&Case) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let case = Arc::clone(case);
    Trial::test(format!("{}/{name}", case.id), move || {
        let outcome = test(&case);
        if let Err(failed) = &outcome
            && std::env::var_os("ANYSPLIT_FIRST_FAILURE").is_some()
        {
            eprintln!("{}/{name}: {}", case.id, failed.message().unwrap_or_default());
            std::process::exit(101);
        }
        outcome
    })
}

/// The reference must pass every check that applies, at every level, and prove all splittings.
fn judge(case: &Case, checks: &[Check]) -> Result<(), Failed> {
    let verdicts = Judge { checks, ..Judge::new(&Reference) }.judge(case);
    let proved = |how: How| how == How::Proved;
    for verdict in &verdicts {
        if verdict.status == Status::Fail {
            let mut text = Vec::new();
            TerminalReport::new(&mut text).case(&verdicts).map_err(|error| error.to_string())?;
            return Err(String::from_utf8_lossy(&text).into_owned().into());
        }
        let applies = verdict.status != Status::NotApplicable;
        if let Some(should) = should_apply(verdict.check, case)
            && should != applies
        {
            let note = verdict.note.as_deref().unwrap_or("it was asked");
            return Err(format!("{} should {}apply: {note}", verdict.check, if should { "" } else { "not " }).into());
        }
        let must_be_proved = match verdict.check {
            Check::Split => true,
            Check::Interleave => applies,
            _ => false,
        };
        if must_be_proved && !verdict.coverage.is_some_and(|coverage| proved(coverage.how)) {
            return Err(format!("{} is not proved: {:?}", verdict.check, verdict.coverage).into());
        }
    }
    Ok(())
}

/// Whether there is something to ask, as far as the case alone tells: not of orders, and of a call that a beginning of it may have.
fn should_apply(check: Check, case: &Case) -> Option<bool> {
    let tells_of_a_call = |event: &Event| {
        let inner = event.get("json").and_then(|inner| inner["type"].as_str()).unwrap_or(event.kind());
        matches!(inner, "tool" | "dynamic-tool" | "tool_call")
    };
    Some(match check {
        Check::Interleave => return None,
        Check::Conserve => matches!(case.dialect, Dialect::MarkdownFence | Dialect::InlineTag | Dialect::ToolSession),
        Check::Once | Check::Identity | Check::Fidelity | Check::Close => {
            return case.events.iter().any(tells_of_a_call).then_some(true);
        }
        Check::Cost => case.grow.is_some(),
        _ => true,
    })
}
