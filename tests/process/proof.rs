//! The proof of all splittings over a pipe, held against the same machine in this process.

use std::fs;

use anysplit::case::CaseFile;
use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::judge::{Judge, Verdict};
use anysplit::target::InProcess;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{Bench, Ended};
use crate::planted::{Planted, Then};
use crate::trial;

const CAPS: &str = "caps=sweep+fork+fingerprint";
const INPUT: &str = "so <b> !it goes";

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("proof/honest", honest),
        trial("proof/lose-at-one-cut", || loses(&[5])),
        trial("proof/lose-at-three-cuts", || loses(&[2, 5, 9])),
        trial("proof/unsupported-walk", || cannot("walk=unsupported")),
        trial("proof/unsupported-fork", || cannot("fork=unsupported")),
    ];
    for then in ["raise", "crash", "hang"] {
        for places in [&[5][..], &[2, 5, 9]] {
            let name = format!("proof/{then}-at-{}-cuts", places.len());
            trials.push(trial(name, move || faults(then, places)));
        }
    }
    trials
}

fn bench() -> Bench {
    Bench::new(&["one before", INPUT, "one <tool_call after"])
}

fn told(then: &str, places: &[usize]) -> [String; 3] {
    let places: Vec<String> = places.iter().map(usize::to_string).collect();
    [CAPS.to_owned(), format!("then={then}"), format!("at={}", places.join(","))]
}

fn over_the_pipe(bench: &Bench, told: &[String], code: i32) -> Ended {
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    bench.run(&told, &["--splits", "proof", "--timeout", "1"]).expect(code)
}

/// The verdicts of the same machine in this process.
fn in_process(bench: &Bench, case: usize, then: Then, places: &'static [usize]) -> Vec<Verdict> {
    let content = fs::read_to_string(bench.path("cases.json")).expect("written");
    let case = CaseFile::parse("cases", &content).expect("good cases").cases.remove(case - 1);
    let make = move |_: &_| Planted::new(places.to_vec(), then);
    let target = InProcess::new("planted", Dialect::InlineTag, make).provable();
    Judge::new(&target).judge(&case)
}

/// What a verdict says of the splittings.
fn essence(verdict: &Value) -> Value {
    let failure = &verdict["failure"];
    json!([
        verdict["status"],
        verdict["coverage"],
        failure["chunks"],
        failure["failing"],
        failure["actual"],
        failure["expected"]
    ])
}

fn split(verdicts: &[Verdict]) -> Value {
    let verdict = verdicts.iter().find(|verdict| verdict.check == Check::Split).expect("it is asked");
    essence(&serde_json::to_value(verdict).expect("plain data"))
}

fn honest() {
    let bench = bench();
    let ended = over_the_pipe(&bench, &told("lose", &[]).map(|word| word.replace("at=", "x=")), 0);
    ended.others_pass(&[]);
    for case in 1..=3 {
        let here = split(&in_process(&bench, case, Then::Lose, &[]));
        assert_eq!(essence(ended.verdict(case, "split")), here);
        assert_eq!(here[1]["how"], "proved");
    }
    assert_eq!(bench.starts(), 1);
}

fn loses(places: &'static [usize]) {
    let bench = bench();
    let ended = over_the_pipe(&bench, &told("lose", places), 1);
    ended.others_pass(&[2]);
    let there = essence(ended.verdict(2, "split"));
    assert_eq!(there, split(&in_process(&bench, 2, Then::Lose, places)));
    assert_eq!(there[0], "fail");
    assert_eq!(there[1]["how"], "proved");
    assert_eq!(there[2], json!(cut(places)));
    assert_eq!(bench.starts(), 1);
}

/// What gives no answer is shown with exactly its cuts too.
fn faults(then: &str, places: &'static [usize]) {
    let bench = bench();
    let ended = over_the_pipe(&bench, &told(then, places), 1);
    let fault = if then == "raise" { "error" } else { then };
    assert_eq!(ended.fault(2), fault);
    assert_eq!(ended.chunks(2), cut(places));
    assert_eq!(ended.verdict(2, "split")["failure"]["chunks"], json!(cut(places)));
    ended.others_pass(&[2]);
    if then == "raise" {
        assert_eq!(bench.starts(), 1);
    }
}

/// What cannot be proved after all is tried.
fn cannot(what: &str) {
    let bench = bench();
    let told = [CAPS.to_owned(), "then=lose".to_owned(), what.to_owned()];
    let ended = over_the_pipe(&bench, &told, 0);
    ended.others_pass(&[]);
    assert_eq!(ended.verdict(2, "split")["coverage"]["how"], "thorough");
    assert_eq!(ended.verdict(2, "split")["status"], "pass");
}

fn cut(places: &[usize]) -> Vec<&'static str> {
    let starts = [0].into_iter().chain(places.iter().copied());
    starts.zip(places.iter().copied().chain([INPUT.len()])).map(|(start, end)| &INPUT[start..end]).collect()
}
