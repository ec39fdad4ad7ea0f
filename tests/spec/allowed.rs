//! What a linter says came, and was allowed, is what the table of moves says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anysplit::dialect::Dialect;
use anysplit::lint::{Finding, Framing, Linter};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::tables::{Table, ai_sdk_parts, chat_chunks, tool_stages};

pub(crate) fn trials() -> Vec<Trial> {
    let tables = [chat_chunks, ai_sdk_parts, tool_stages];
    let trial = |table: fn() -> Table| {
        let table = table();
        Trial::test(format!("spec/what-is-allowed-is-the-table/{}", table.dialect), move || in_every_state(&table))
    };
    tables.map(trial).into()
}

/// Every item in every state: accepted, or refused with the names of all that would be accepted.
fn in_every_state(table: &Table) -> Result<(), Failed> {
    let mut ways: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut rest = VecDeque::from([(table.first_row.to_owned(), table.before.clone())]);
    while let Some((row, way)) = rest.pop_front() {
        if ways.contains_key(&row) {
            continue;
        }
        let items: Vec<(&str, Value)> = table.inputs.iter().map(|(column, item)| (*column, item("a"))).collect();
        let cells: Vec<Result<String, String>> =
            items.iter().map(|(column, item)| table.cell(&row, column, item)).collect();
        let accepted = items.iter().zip(&cells).filter(|(_, cell)| cell.is_ok());
        let accepted: BTreeSet<&str> = accepted.map(|((_, item), _)| name(item)).collect();
        for ((_, item), cell) in items.iter().zip(cells) {
            let all = [&way[..], std::slice::from_ref(item)].concat();
            let findings = findings(table, &all, false)?;
            match (cell, &findings[..]) {
                (Ok(next), []) => rest.push_back((next, all)),
                (Err(rule), [finding]) if finding.rule == rule => tells(finding, name(item), &accepted)?,
                (cell, _) => return Err(format!("{item} in {row}: {findings:?} instead of {cell:?}").into()),
            }
        }
        at_the_end(table, &way, &accepted)?;
        if table.dialect == Dialect::AiSdkParts {
            answers_another(table, &row, &way)?;
        }
        ways.insert(row, way);
    }
    if ways.len() < 3 { Err(format!("only {} states", ways.len()).into()) } else { Ok(()) }
}

/// A call that is still open when the stream ends might have gone on with what is allowed.
fn at_the_end(table: &Table, way: &[Value], accepted: &BTreeSet<&str>) -> Result<(), Failed> {
    let findings = findings(table, way, true)?;
    for finding in findings.iter().filter(|finding| finding.call.is_some()) {
        let first = finding.allowed.split(", ").next().unwrap_or_default();
        if !finding.came.starts_with("the end") || !accepted.contains(first) {
            return Err(format!("{finding:?}, where {accepted:?} is allowed").into());
        }
    }
    Ok(())
}

/// An answer to another request is told from one that nobody waits for.
fn answers_another(table: &Table, row: &str, way: &[Value]) -> Result<(), Failed> {
    let answer =
        json!({"type": "tool-approval-response", "approvalId": "q", "toolCall": {"toolCallId": "a"}, "approved": true});
    let all = [way, std::slice::from_ref(&answer)].concat();
    let findings = findings(table, &all, false)?;
    let words = findings.iter().map(|finding| (finding.came.as_str(), finding.allowed.as_str())).next();
    let is_told = match words {
        Some((came, allowed)) if row == "approval-requested" => {
            came.ends_with("with the approvalId \"q\"") && allowed == "the approvalId \"p\""
        }
        Some((came, _)) => came.starts_with("tool-approval-response in state "),
        None => false,
    };
    if is_told { Ok(()) } else { Err(format!("in {row}: {findings:?}").into()) }
}

const ANSWER: &str = "an approval answer";

/// What an item is called in a finding.
fn name(item: &Value) -> &str {
    item["type"].as_str().or(item["stage"].as_str()).unwrap_or(ANSWER)
}

/// What these items break; and what the end of the stream does, where it ends behind them.
fn findings(table: &Table, items: &[Value], ends: bool) -> Result<Vec<Finding>, Failed> {
    let mut linter = Linter::new(table.dialect, Some(Framing::Ndjson)).map_err(|error| error.to_string())?;
    let mut findings = Vec::new();
    for item in items {
        linter.feed(format!("{item}\n").as_bytes(), &mut |finding| findings.push(finding));
    }
    if ends {
        linter.finish(None, &mut |finding| findings.push(finding));
    }
    Ok(findings)
}

fn tells(finding: &Finding, name: &str, accepted: &BTreeSet<&str>) -> Result<(), Failed> {
    // Where nobody was asked, an answer is held against no state.
    if name == ANSWER
        && finding.came.starts_with("an approval answer with the id ")
        && finding.allowed.starts_with("none: ")
    {
        return Ok(());
    }
    let came = [format!("{name} in state "), format!("the stage {name}")];
    let allowed: BTreeSet<&str> = match finding.allowed.as_str() {
        "nothing more for this call" | "nothing more for this block" => BTreeSet::new(),
        names => names.split(", ").collect(),
    };
    if !came.iter().any(|came| finding.came.starts_with(came)) || allowed != *accepted {
        return Err(format!("{finding:?}, where {accepted:?} is allowed").into());
    }
    Ok(())
}
