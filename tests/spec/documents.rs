//! What the documents, tables and files of the specification promise.

use std::collections::{BTreeMap, BTreeSet};

use anysplit::case::Case;
use anysplit::check::Check;
use anysplit::dialect::{Dialect, Options};
use anysplit::judge::{Judge, Status};
use anysplit::lifecycle::{Move, State};
use anysplit::spec;
use anysplit::target::Reference;
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

pub(crate) fn documents() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("spec/every-rule-has-a-case", every_rule_has_a_case),
        Trial::test("spec/every-case-names-rules", every_case_names_rules),
        Trial::test("spec/rules-are-numbered", rules_are_numbered),
        Trial::test("spec/rules-link-their-cases", rules_link_their_cases),
        Trial::test("spec/enough-cases", enough_cases),
        Trial::test("spec/enough-orders", enough_orders),
        Trial::test("spec/settings-are-checked", settings_are_checked),
        Trial::test("spec/every-rule-is-linted", || crate::lint::every_rule_is_observed(&cases()?)),
        Trial::test("spec/the-life-of-a-call-is-the-table", the_life_of_a_call),
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

/// The code's states and moves are those of `lifecycle.json`, and a move that it refuses is told with what was allowed.
fn the_life_of_a_call() -> Result<(), Failed> {
    let table: Value = serde_json::from_str(spec::file("lifecycle.json").ok_or("there is no table")?)?;
    for state in State::ALL {
        let row = &table["states"][state.name()];
        let label = if state == State::Absent { Value::Null } else { state.label().into() };
        if row != &json!({"label": label, "open": state.is_open(), "final": state.is_final()}) {
            return Err(format!("{state:?} is not {row}").into());
        }
        let moves = &table["moves"][state.name()];
        let allowed: BTreeSet<&str> =
            Move::ALL.iter().map(|step| step.name()).filter(|name| moves[name].is_string()).collect();
        for step in Move::ALL {
            match state.after(step) {
                Ok(next) if moves[step.name()] == json!(next.name()) => {}
                Err(refused) if moves[step.name()].is_null() => {
                    let told = refused.to_string();
                    let begin = format!("{} came in {}, where ", step.name(), state.name());
                    let words = told.strip_prefix(&begin).and_then(|rest| rest.strip_suffix(" is allowed"));
                    let words: BTreeSet<&str> = words.unwrap_or_default().split(", ").collect();
                    if words != allowed && !(allowed.is_empty() && words.iter().eq(["nothing"].iter())) {
                        return Err(format!("{told:?}, where {allowed:?} is allowed").into());
                    }
                }
                other => return Err(format!("{state:?} {step:?}: {other:?} instead of {}", moves[step.name()]).into()),
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
    let value: Value = parse(content)?;
    if path.starts_with("schema/") || path.ends_with(".schema.json") {
        return jsonschema::meta::validate(&value).map_err(|error| error.to_string().into());
    }
    let schema = if path == "lifecycle.json" { "schema/lifecycle.schema.json" } else { "schema/cases.schema.json" };
    let (_, schema) = spec::FILES.iter().find(|(path, _)| *path == schema).ok_or("there is no such schema")?;
    let validator = jsonschema::validator_for(&parse(schema)?).map_err(|error| error.to_string())?;
    validator.validate(&value).map_err(|error| format!("{}: {error}", error.instance_path()).into())
}
