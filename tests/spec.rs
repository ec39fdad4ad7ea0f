//! The specification, as `cargo test`: the reference on every case, and the specification's own promises.
//!
//! One trial per case and group of checks, `<dialect>/<case>/<group>`, and `spec/…` for the documents and files themselves.
//! They can be filtered: `cargo test --test spec inline-tag`, `cargo test --test spec -- near-miss split`.
//!
//! With `ANYSPLIT_FIRST_FAILURE=1` the first failure ends it: that is enough to know of a mutant (`.cargo/mutants.toml`).

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Arc;

use anysplit::case::Case;
use anysplit::check::Check;
use anysplit::dialect::{Dialect, Options};
use anysplit::event::Event;
use anysplit::input::{Input, Kind};
use anysplit::judge::{How, Judge, Status};
use anysplit::lint::{DEFAULT_LIMIT, Framing, Linter};
use anysplit::report::{Report, TerminalReport};
use anysplit::spec;
use anysplit::target::Reference;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::json;

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
    let mut trials = documents();
    match spec::cases() {
        Ok(cases) => trials.extend(of_cases(&cases.into_iter().map(Arc::new).collect::<Vec<_>>())),
        Err(error) => trials.push(Trial::test("spec/cases-load", move || Err(error.to_string().into()))),
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn of_cases(cases: &[Arc<Case>]) -> Vec<Trial> {
    let mut trials: Vec<Trial> =
        cases.iter().filter(|case| can_be_linted(case)).map(|case| trial(case, "lint", lint)).collect();
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

/// A linter knows no policy; its limit is one of lines too, which items as such do not have; and of nothing at all it says nothing.
fn can_be_linted(case: &Case) -> bool {
    let streams = [Dialect::ChatChunks, Dialect::DefaultExpanded, Dialect::AiSdkParts, Dialect::ToolStages];
    let setting = |name| case.options.0.contains_key(name);
    let whole = case.whole();
    let is_bytes = whole.as_chunk().kind() == Kind::Bytes;
    streams.contains(&case.dialect)
        && !setting("policy")
        && (is_bytes || !setting("limit"))
        && whole.as_chunk().size() > 0
}

/// A linter finds the violations that the case's events tell of, in their order.
fn lint(case: &Case) -> Result<(), Failed> {
    let (framing, bytes) = match case.whole() {
        Input::Bytes(bytes) => {
            let framing = case.options.0.get("transport").and_then(|name| match name.as_str()? {
                "sse" => Some(Framing::Sse),
                _ => Some(Framing::Ndjson),
            });
            (framing, bytes)
        }
        Input::Objects(items) => {
            let lines: Vec<String> = items.iter().map(|item| format!("{item}\n")).collect();
            (Some(Framing::Ndjson), lines.concat().into_bytes())
        }
        Input::Text(_) => return Err("text is no stream".into()),
    };
    let limit = case.options.0.get("limit").and_then(serde_json::Value::as_u64);
    let limit = limit.and_then(|limit| limit.try_into().ok()).unwrap_or(DEFAULT_LIMIT);
    let mut linter = Linter::with_limit(case.dialect, framing, limit).map_err(|error| error.to_string())?;
    let mut findings = Vec::new();
    bytes.chunks(7).for_each(|chunk| linter.feed(chunk, &mut |finding| findings.push(finding)));
    linter.finish(None, &mut |finding| findings.push(finding));

    let expected: Vec<_> = case.events.iter().filter(|event| event.is_violation()).collect();
    let expected: Vec<_> = expected.iter().map(|event| (event.str("rule"), event.str("call"))).collect();
    let found: Vec<_> = findings.iter().map(|finding| (Some(finding.rule), finding.call.as_deref())).collect();
    if found != expected {
        return Err(format!("linted, it breaks {found:?} instead of {expected:?}").into());
    }
    match findings.iter().find(|finding| finding.came.is_empty() || finding.allowed.is_empty()) {
        Some(finding) => Err(format!("{finding:?} does not say what came and what was allowed").into()),
        None => Ok(()),
    }
}

fn documents() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("spec/every-rule-has-a-case", every_rule_has_a_case),
        Trial::test("spec/every-case-names-rules", every_case_names_rules),
        Trial::test("spec/rules-are-numbered", rules_are_numbered),
        Trial::test("spec/rules-link-their-cases", rules_link_their_cases),
        Trial::test("spec/enough-cases", enough_cases),
        Trial::test("spec/enough-orders", enough_orders),
        Trial::test("spec/settings-are-checked", settings_are_checked),
    ];
    for (path, content) in spec::FILES.iter().filter(|(path, _)| path.ends_with(".json")) {
        trials.push(Trial::test(format!("spec/schema/{path}"), || check_schema(path, content)));
    }
    trials
}

fn cases() -> Result<Vec<Case>, Failed> {
    spec::cases().map_err(|error| error.to_string().into())
}

fn every_rule_has_a_case() -> Result<(), Failed> {
    let shown: BTreeSet<String> = cases()?.into_iter().flat_map(|case| case.rules).collect();
    let without: Vec<&str> =
        spec::rules().iter().map(|rule| rule.id.as_str()).filter(|id| !shown.contains(*id)).collect();
    if without.is_empty() { Ok(()) } else { Err(format!("no case shows {}", without.join(", ")).into()) }
}

/// Loading has checked that the rules exist; here that there is one.
fn every_case_names_rules() -> Result<(), Failed> {
    match cases()?.iter().find(|case| case.rules.is_empty()) {
        Some(case) => Err(format!("{} names no rule", case.id).into()),
        None => Ok(()),
    }
}

fn rules_are_numbered() -> Result<(), Failed> {
    let letters = ['F', 'T', 'X', 'C', 'D', 'A', 'S', 'E', 'N'];
    for (dialect, letter) in Dialect::ALL.into_iter().zip(letters) {
        let ids: Vec<&str> =
            spec::rules().iter().filter(|rule| rule.dialect == dialect).map(|rule| rule.id.as_str()).collect();
        let numbers: Vec<Option<u32>> = ids.iter().map(|id| id.strip_prefix(letter)?.parse().ok()).collect();
        let headings = spec::document(dialect).lines().filter(|line| line.starts_with("### ")).count();
        let ascending = numbers.iter().all(Option::is_some) && numbers.is_sorted_by(|a, b| a < b);
        if !ascending || ids.len() != headings {
            return Err(format!("{dialect}: {headings} headings, rules {ids:?}").into());
        }
    }
    Ok(())
}

/// Under each rule stand the files whose cases show it, so that one can walk both ways.
fn rules_link_their_cases() -> Result<(), Failed> {
    let mut files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let cases = cases()?;
    for case in &cases {
        let file = case.file.rsplit('/').next().unwrap_or_default();
        for rule in &case.rules {
            files.entry(rule).or_default().insert(format!("cases/{file}"));
        }
    }
    for rule in spec::rules() {
        let links: BTreeSet<String> =
            rule.notes.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect();
        let links: BTreeSet<String> = links.into_iter().filter(|link| link.starts_with("cases/")).collect();
        let expected = files.get(rule.id.as_str()).cloned().unwrap_or_default();
        if links != expected {
            return Err(format!("{} links {links:?}, its cases are in {expected:?}", rule.id).into());
        }
    }
    Ok(())
}

fn enough_cases() -> Result<(), Failed> {
    let cases = cases()?;
    let least = [80, 80, 40, 90, 20, 60, 60, 50, 20];
    for (dialect, least) in Dialect::ALL.into_iter().zip(least) {
        let count = cases.iter().filter(|case| case.dialect == dialect).count();
        if count < least {
            return Err(format!("{dialect} has {count} cases").into());
        }
    }
    Ok(())
}

/// So many cases of each dialect have several calls whose items can come in another order.
fn enough_orders() -> Result<(), Failed> {
    let cases = cases()?;
    let least = [
        (Dialect::ChatChunks, 71),
        (Dialect::DefaultExpanded, 28),
        (Dialect::AiSdkParts, 42),
        (Dialect::ToolStages, 34),
    ];
    for (dialect, least) in least {
        let judge = Judge { checks: &[Check::Interleave], ..Judge::new(&Reference) };
        let asked = |case: &&Case| judge.judge(case).iter().all(|verdict| verdict.status == Status::Pass);
        let count = cases.iter().filter(|case| case.dialect == dialect).filter(asked).count();
        if count < least {
            return Err(format!("{dialect} has {count} cases with several orders").into());
        }
    }
    Ok(())
}

/// Settings that a dialect does not have, or cannot have, are refused: nobody should believe that they apply.
fn settings_are_checked() -> Result<(), Failed> {
    let items = [Dialect::ChatChunks, Dialect::DefaultExpanded, Dialect::AiSdkParts, Dialect::ToolStages];
    for dialect in Dialect::ALL {
        let mut wrong = vec![json!({"limits": 1}), json!({"limit": 0}), json!({"limit": "1"}), json!({"limit": 1.5})];
        if items.contains(&dialect) {
            wrong.extend([json!({"transport": "xml"}), json!({"transport": ""}), json!({"transport": 1})]);
        } else {
            wrong.push(json!({"transport": "sse"}));
        }
        for options in wrong {
            let options = Options(options.as_object().cloned().unwrap_or_default());
            if dialect.check_options(&options).is_ok() {
                return Err(format!("{dialect} takes {options:?}").into());
            }
        }
    }
    Ok(())
}

/// Case files follow their schema, and schemas are schemas.
fn check_schema(path: &str, content: &str) -> Result<(), Failed> {
    let parse = |text: &str| {
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit(); // a case about nesting nests
        serde::Deserialize::deserialize(&mut reader).map_err(|error: serde_json::Error| error.to_string())
    };
    let value: serde_json::Value = parse(content)?;
    if path.starts_with("schema/") || path.ends_with(".schema.json") {
        return jsonschema::meta::validate(&value).map_err(|error| error.to_string().into());
    }
    let schema = if path == "lifecycle.json" { "schema/lifecycle.schema.json" } else { "schema/cases.schema.json" };
    let (_, schema) = spec::FILES.iter().find(|(path, _)| *path == schema).ok_or("there is no such schema")?;
    let validator = jsonschema::validator_for(&parse(schema)?).map_err(|error| error.to_string())?;
    validator.validate(&value).map_err(|error| format!("{}: {error}", error.instance_path()).into())
}
