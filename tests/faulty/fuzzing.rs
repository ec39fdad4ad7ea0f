//! The fuzzer finds the bugs too: without a case that was written for them, and small enough to see what they are.

use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::finding::{Again, Finding, Met};
use anysplit::fuzz::{Event, Failed, Lane, Plan};
use anysplit::sample::Sample;
use anysplit::target::Reference;

use super::{all, in_parallel};
use crate::support::Faulty;

/// So many runs are made at most: some seconds of `anysplit fuzz`.
const RUNS: usize = 20_000;

/// What a fuzzer cannot see: what takes long, what waits, what needs more than one stream.
const NOT_ASKED: [Check; 3] = [Check::Cost, Check::Prompt, Check::Isolate];

/// The first failure that a fuzzer meets, made small; and in which run.
fn first_met(plan: &Plan<'_>) -> Option<(u64, Sample, Box<Failed>)> {
    let mut lane = Lane::new(0, plan);
    let mut met = None;
    for _ in 0..RUNS {
        lane.step(plan, &mut |event| {
            if let Event::Failed { run, sample, failed } = event {
                met.get_or_insert((run, sample, failed));
            }
        });
        if met.is_some() {
            break;
        }
    }
    met
}

fn plan<'a>(faulty: &'a Faulty, dialect: Dialect) -> Plan<'a> {
    Plan { shrinking: 3_000, ..Plan::of_process(&*faulty.target, vec![dialect], 1) }
}

/// Why a bug does not count as found, if it does not.
fn missed(faulty: &Faulty) -> Option<String> {
    let name = faulty.name;
    let dialect = Dialect::ALL.into_iter().find(|&dialect| faulty.target.speaks(dialect))?;
    let plan = plan(faulty, dialect);
    let Some((run, sample, failed)) = first_met(&plan) else { return Some(format!("{name}: not met")) };
    let met = Met {
        target: None,
        name: name.to_owned(),
        seed: plan.seed,
        run,
        when: String::new(),
        folder: "findings".into(),
        replay: "anysplit replay".to_owned(),
    };
    let expected = plan.expected(&sample, &failed);
    let finding = Finding::new(&sample, (*failed).clone(), expected, &met);
    println!("run {run:>6}: {name}: {} {} {:?} cut at {:?}", failed.check, failed.class, sample.input, failed.cuts.0);
    let again = finding.replay(&*faulty.target);
    if !matches!(again, Again::Same(_)) {
        return Some(format!("{name}: does not fail again: {again:?}\n{}", finding.text()));
    }
    let sound = finding.replay(&Reference);
    (sound != Again::Fixed).then(|| format!("{name}: the reference fails too: {sound:?}\n{}", finding.text()))
}

#[test]
fn every_bug_is_met_and_replayed() {
    let visible: Vec<Faulty> = all().into_iter().filter(|faulty| !NOT_ASKED.contains(&faulty.caught_by)).collect();
    let missed = in_parallel(&visible, missed);
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), visible.len(), missed.join("\n"));
}

/// One bug in each of five places: what is held back, the state of an escape, that of a line end, final states, ids.
#[test]
fn what_is_met_is_made_small() {
    let bugs = [
        ("faulty::inline_tag::one_character_flushed", 33),
        ("faulty::inline_tag::escape_lost_at_chunk_border", 48),
        ("faulty::sse::split_crlf_ends_two_lines", 6),
        ("faulty::chat_chunks::late_delta_reopens_the_call", 4),
        ("faulty::markdown_fence::fallback_id_already_used", 70),
    ];
    let all = all();
    for (name, most) in bugs {
        let faulty = all.iter().find(|faulty| faulty.name == name).unwrap_or_else(|| panic!("there is no {name}"));
        let dialect = Dialect::ALL.into_iter().find(|&dialect| faulty.target.speaks(dialect)).expect("it speaks one");
        let (_, sample, failed) = first_met(&plan(faulty, dialect)).unwrap_or_else(|| panic!("{name} is not met"));
        assert!(failed.cuts.0.len() <= 3, "{name}: {:?}", failed.cuts);
        assert!(sample.atoms().len() <= most, "{name}: {} in {:?}", sample.atoms().len(), sample.input);
    }
}
