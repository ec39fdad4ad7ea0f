//! A linter that is given a case's input finds what its events say.

use std::collections::{BTreeMap, BTreeSet};

use anysplit::case::Case;
use anysplit::dialect::Dialect;
use anysplit::input::{Input, Kind};
use anysplit::lint::{DEFAULT_LIMIT, Finding, Framing, Linter, Observed, Summary};
use libtest_mimic::Failed;
use serde_json::Value;

use crate::lives::shown;

/// A linter knows no policy; its limit is one of lines too, which items as such do not have; and of nothing at all it says nothing.
pub(crate) fn can_be_linted(case: &Case) -> bool {
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
pub(crate) fn lint(case: &Case) -> Result<(), Failed> {
    let (findings, summary) = linted(case)?;
    let expected: Vec<_> = case.events.iter().filter(|event| event.is_violation()).collect();
    let expected: Vec<_> = expected.iter().map(|event| (event.str("rule"), event.str("call"))).collect();
    let found: Vec<_> = findings.iter().map(|finding| (Some(finding.rule), finding.call.as_deref())).collect();
    if found != expected {
        return Err(format!("linted, it breaks {found:?} instead of {expected:?}").into());
    }
    for count in &summary.rules {
        let violated = findings.iter().filter(|finding| finding.rule == count.rule).count() as u64;
        if (violated, violated > 0) != (count.violated, count.observed == Observed::Violated) {
            return Err(format!("linted, {count:?}, and it breaks the rule {violated} times").into());
        }
    }
    told_as_they_came(case, &findings)?;
    if matches!(case.dialect, Dialect::ChatChunks | Dialect::AiSdkParts) {
        let told = summary.paths.iter().map(|path| (path.states.join(" "), path.calls));
        let (told, shown) = (told.collect::<BTreeMap<_, _>>(), ways(case));
        if told != shown || summary.calls != shown.values().sum::<u64>() {
            return Err(format!("linted, its calls go the ways {told:?} instead of {shown:?}").into());
        }
    }
    // The start and the finish of a chat are judged, and give nothing.
    if case.events.is_empty() && summary.judged && case.dialect != Dialect::ChatChunks {
        return Err("nothing comes out of it, and yet it is judged".into());
    }
    match findings.iter().find(|finding| finding.came.is_empty() || finding.allowed.is_empty()) {
        Some(finding) => Err(format!("{finding:?} does not say what came and what was allowed").into()),
        None => Ok(()),
    }
}

/// An item that is none is shown as it came, or as much of it as fits.
fn told_as_they_came(case: &Case, findings: &[Finding]) -> Result<(), Failed> {
    let Input::Objects(items) = case.whole() else { return Ok(()) };
    for finding in findings.iter().filter(|finding| ["C1", "A1", "S1"].contains(&finding.rule)) {
        let item = items[finding.event as usize - 1].to_string();
        let begun = finding.came.trim_end_matches('…');
        if !item.starts_with(begun) || begun.len() < item.len().min(20) {
            return Err(format!("{item} is told as {:?}", finding.came).into());
        }
    }
    Ok(())
}

/// The states that calls are shown in, one after the other, and how many go each way.
fn ways(case: &Case) -> BTreeMap<String, u64> {
    let mut states: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for event in &case.events {
        if let (Some(id), Some(state)) = (event.snapshot_of(), shown(event).get("state").and_then(Value::as_str)) {
            let way = states.entry(id).or_default();
            way.extend((way.last() != Some(&state)).then_some(state));
        }
    }
    let mut ways = BTreeMap::new();
    for way in states.values() {
        *ways.entry(way.join(" ")).or_default() += 1;
    }
    ways
}

/// Each rule that a linter looks at is kept in some case that shows it.
pub(crate) fn every_rule_is_observed(cases: &[Case]) -> Result<(), Failed> {
    let (mut all, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for case in cases.iter().filter(|case| can_be_linted(case)) {
        for count in linted(case)?.1.rules {
            all.insert(count.rule);
            if count.held > 0 && case.rules.iter().any(|rule| rule == count.rule) {
                kept.insert(count.rule);
            }
        }
    }
    let never: Vec<_> = all.difference(&kept).collect();
    if never.is_empty() { Ok(()) } else { Err(format!("never kept where it is shown: {never:?}").into()) }
}

fn linted(case: &Case) -> Result<(Vec<Finding>, Summary), Failed> {
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
    let limit = case.options.0.get("limit").and_then(Value::as_u64);
    let limit = limit.and_then(|limit| limit.try_into().ok()).unwrap_or(DEFAULT_LIMIT);
    let mut linter = Linter::with_limit(case.dialect, framing, limit).map_err(|error| error.to_string())?;
    let mut findings = Vec::new();
    bytes.chunks(7).for_each(|chunk| linter.feed(chunk, &mut |finding| findings.push(finding)));
    let summary = linter.finish(None, &mut |finding| findings.push(finding));
    Ok((findings, summary))
}
