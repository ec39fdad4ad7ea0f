//! A suite is as good as the bugs it catches.
//!
//! Each file in the folders here is an implementation of a dialect with one bug that was reported in public, and names the
//! check that must find it. The embedded cases alone have to catch every one of them; that the references stay green is the
//! subject of `tests/spec`.
//!
//! Most are built on a plain parser or reducer of their dialect (`buffered.rs`, `lined.rs`, `plain.rs`), which is held to the
//! same cases, so that what is caught is the bug and not what is around it.

mod ai_sdk_parts;
mod chat_chunks;
mod fuzzing;
mod inline_tag;
mod invocation;
mod markdown_fence;
mod ndjson;
mod sse;
mod support;
mod tool_session;
mod tool_stages;

use std::collections::BTreeSet;
use std::num::NonZero;
use std::thread;

use anysplit::case::Case;
use anysplit::check::Check;
use anysplit::judge::{Judge, Status, Verdict};
use anysplit::level::Level;
use anysplit::spec;
use anysplit::target::Target;
use regex::Regex;

use self::support::Faulty;

fn all() -> Vec<Faulty> {
    let folders = [
        inline_tag::all(),
        markdown_fence::all(),
        tool_session::all(),
        chat_chunks::all(),
        ai_sdk_parts::all(),
        tool_stages::all(),
        sse::all(),
        ndjson::all(),
    ];
    folders.into_iter().flatten().collect()
}

/// The embedded cases in an order that finds most bugs soon: those with more than text first, and of them the shortest.
fn cases() -> Vec<Case> {
    let mut cases = spec::cases().expect("the embedded cases can be read");
    let is_text = |case: &Case| case.events.iter().all(|event| event.running_text().is_some());
    cases.sort_by_cached_key(|case| (is_text(case), size(case)));
    cases
}

fn size(case: &Case) -> usize {
    case.whole().as_chunk().size()
}

/// What fails, of these checks, on one case.
fn failing(target: &dyn Target, checks: &[Check], case: &Case) -> Vec<Verdict> {
    let verdicts = Judge { checks, ..Judge::new(target) }.judge(case);
    verdicts.into_iter().filter(|verdict| verdict.status == Status::Fail).collect()
}

/// The first case on which a check finds something wrong. Cases of level `may` do not count: to differ there is no bug.
fn first_caught(target: &dyn Target, check: Check, cases: &[Case]) -> Option<Verdict> {
    let binding = cases.iter().filter(|case| case.level != Level::May);
    let spoken = binding.filter(|case| target.speaks(case.dialect));
    // Survival is seen in the runs that other checks make.
    let checks = if check == Check::Survive { vec![Check::Split, check] } else { vec![check] };
    spoken.flat_map(|case| failing(target, &checks, case)).find(|verdict| verdict.check == check)
}

#[test]
fn every_bug_is_caught_by_the_check_it_names() {
    let cases = cases();
    let missed = in_parallel(&all(), |faulty| {
        let Faulty { name, origin, caught_by, target } = faulty;
        if let Some(verdict) = first_caught(&**target, *caught_by, &cases) {
            println!("{caught_by:>8} {name} ({origin}): {}", verdict.case);
            return None;
        }
        let others = Check::ALL.into_iter().filter(|&check| check != Check::Cost);
        let found = others.filter_map(|check| first_caught(&**target, check, &cases));
        let found: Vec<String> = found.map(|verdict| format!("{} on {}", verdict.check, verdict.case)).collect();
        Some(format!("{name}: {caught_by} finds nothing; what does: {}", found.join(", ")))
    });
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn the_parsers_that_bugs_are_put_into_have_none() {
    // They know no limit, and take their time with the longest inputs.
    let within_reach = |case: &Case| !case.options.0.contains_key("limit") && size(case) <= 300;
    let cases: Vec<Case> = cases().into_iter().filter(within_reach).collect();
    // Where all events are right, whole or cut off, so is all that can be asked of them.
    let checks = [
        Check::Expect,
        Check::Split,
        Check::Truncate,
        Check::Retract,
        Check::Isolate,
        Check::Interleave,
        Check::Prompt,
    ];
    let but_prompt = &checks[..checks.len() - 1]; // text waits for the end of its line
    let parsers: [(Box<dyn Target>, &[Check]); 7] = [
        (inline_tag::sound(), &checks),
        (markdown_fence::sound(), but_prompt),
        (chat_chunks::sound(), &checks),
        (ai_sdk_parts::sound(), &checks),
        (tool_stages::sound(), &checks),
        (sse::sound(), &checks),
        (ndjson::sound(), &checks),
    ];
    for (target, checks) in parsers {
        let spoken = cases.iter().filter(|case| target.speaks(case.dialect)).cloned().collect();
        assert_sound(&*target, checks, spoken);
    }
}

#[test]
fn every_check_is_named() {
    let named: BTreeSet<Check> = all().iter().map(|faulty| faulty.caught_by).collect();
    assert_eq!(named, BTreeSet::from(Check::ALL));
}

#[test]
fn names_are_unique_and_origins_can_be_looked_up() {
    let all = all();
    let names: BTreeSet<&str> = all.iter().map(|faulty| faulty.name).collect();
    assert_eq!(names.len(), all.len());
    assert!(all.len() >= 120, "there are {}", all.len());
    let origin = Regex::new(r"^[\w.-]+/[\w.-]+(#\d+|@[0-9a-f]{7})$").expect("the pattern is fixed");
    for Faulty { name, origin: given, .. } in &all {
        assert!(origin.is_match(given), "{name}: {given:?}");
    }
}

/// None of these checks finds anything on any of these cases.
fn assert_sound(target: &dyn Target, checks: &[Check], cases: Vec<Case>) {
    let wrong = in_parallel(&cases, |case| {
        let verdict = failing(target, checks, case).into_iter().next()?;
        let message = verdict.failure.map(|failure| failure.message).unwrap_or_default();
        Some(format!("{}: {}: {message}", verdict.case, verdict.check))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What comes of each item, where anything does, on as many threads as there is room for.
fn in_parallel<T: Sync>(items: &[T], each: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let worker = |first: usize| {
            let (items, each) = (items.iter().skip(first).step_by(threads), &each);
            scope.spawn(move || items.filter_map(each).collect::<Vec<_>>())
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    })
}
