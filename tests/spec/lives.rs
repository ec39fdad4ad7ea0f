//! The lives that a case's events tell of are those that the events show.

use std::collections::BTreeMap;

use anysplit::case::Case;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::lifecycle::{Lives, State, Track};
use anysplit::spec;
use libtest_mimic::Failed;
use serde_json::Value;

/// Snapshots show where a call is; a `tool_call` shows that there is one.
pub(crate) fn are_told(case: &Case) -> bool {
    let shows = [Dialect::ChatChunks, Dialect::AiSdkParts, Dialect::InlineTag, Dialect::ToolSession];
    shows.contains(&case.dialect)
}

pub(crate) fn lives(case: &Case) -> Result<(), Failed> {
    let lives = Lives::of(case.dialect, &case.events);
    if let Some(wrong) = lives.out_of_order.iter().chain(&lives.renamed).next() {
        return Err(wrong.as_str().into());
    }
    match case.dialect {
        Dialect::InlineTag | Dialect::ToolSession => of_invocations(case, &lives),
        _ => of_snapshots(case, &lives),
    }
}

/// A call for each `tool_call`, with its name and arguments.
fn of_invocations(case: &Case, lives: &Lives) -> Result<(), Failed> {
    let inner = |event: &Event| event.get("json").cloned().unwrap_or_else(|| event.clone().into());
    let shown = case.events.iter().map(inner).filter(|event| event["type"] == "tool_call");
    let shown: Vec<(Value, Value)> = shown.map(|event| (event["name"].clone(), event["args"].clone())).collect();
    let calls = lives.calls.iter().filter(|life| life.track == Track::Call);
    let told: Vec<(Value, Value)> =
        calls.map(|life| (life.name.clone().into(), life.input.clone().unwrap_or_default())).collect();
    if told == shown { Ok(()) } else { Err(format!("calls {told:?} instead of {shown:?}").into()) }
}

/// The fields of an event that show a call.
pub(crate) fn shown(event: &Event) -> &serde_json::Map<String, Value> {
    event.get("toolInvocation").and_then(Value::as_object).unwrap_or(event.fields())
}

/// A call for each id, as its last snapshot shows it; and told backwards, or under another name, it is none.
fn of_snapshots(case: &Case, lives: &Lives) -> Result<(), Failed> {
    let table: Value = serde_json::from_str(spec::file("lifecycle.json").ok_or("there is no table")?)?;
    let mut snapshots: BTreeMap<&str, Vec<&Event>> = BTreeMap::new();
    for event in &case.events {
        if let Some(id) = event.snapshot_of() {
            snapshots.entry(id).or_default().push(event);
        }
    }
    if lives.calls.len() != snapshots.len() {
        return Err(format!("{} calls instead of {}", lives.calls.len(), snapshots.len()).into());
    }
    for life in &lives.calls {
        let events = snapshots.get(life.id.as_deref().unwrap_or_default()).ok_or("a call that is not shown")?;
        let last = shown(events[events.len() - 1]);
        let row = &table["states"][life.state.name()];
        let is_open = lives.open().any(|open| open == life);
        if row["label"] != last["state"] || row["open"] != is_open || life.name.as_deref() != last["toolName"].as_str()
        {
            return Err(format!("{life:?} is shown as {last:?}").into());
        }
        // One label stands for two states: only the rest of the snapshot tells them apart.
        let told = match last["state"].as_str() {
            Some("approval-responded") if last["approval"]["approved"] == true => State::Approved,
            Some("approval-responded") => State::Denied,
            Some("output-available") if last.get("preliminary") == Some(&true.into()) => State::OutputPreliminary,
            _ if [State::Approved, State::Denied, State::OutputPreliminary].contains(&life.state) => State::Absent,
            _ => life.state,
        };
        if life.state != told {
            return Err(format!("{life:?} is shown as {last:?}").into());
        }
        let input = events.iter().rev().find_map(|event| shown(event).get("input"));
        if life.input.as_ref() != input {
            return Err(format!("the input of {life:?} is shown as {input:?}").into());
        }
        let states = events.iter().map(|event| &shown(event)["state"]);
        if states.clone().any(|state| *state != last["state"]) {
            let backwards: Vec<Event> = events.iter().rev().map(|event| (*event).clone()).collect();
            if Lives::of(case.dialect, &backwards).out_of_order.is_empty() {
                return Err(format!("{:?} may be told backwards", life.id).into());
            }
            let mut renamed: Vec<Value> = events.iter().map(|event| (*event).clone().into()).collect();
            let text = renamed[events.len() - 1].to_string().replace("\"toolName\":\"", "\"toolName\":\"other-");
            renamed[events.len() - 1] = serde_json::from_str(&text)?;
            let renamed: Vec<Event> =
                renamed.into_iter().map(|event| event.try_into().expect("it has a type")).collect();
            if Lives::of(case.dialect, &renamed).renamed.is_empty() {
                return Err(format!("{:?} may change its name", life.id).into());
            }
        }
    }
    Ok(())
}
