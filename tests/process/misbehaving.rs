//! Each way to misbehave, on a whole case and on one splitting of it.

use std::time::Duration;

use libtest_mimic::Trial;

use crate::harness::{Bench, bad};
use crate::trial;

/// The word for the child, the name of the fault, and what the message says.
const WAYS: &[(&str, &str, &str)] = &[
    ("hang", "hang", "no answer within 1 s"),
    ("half-and-hang", "hang", "no answer within 1 s"),
    ("crash", "crash", "it ended with signal: 9"),
    ("exit", "exit", "it ended with exit status: 7 instead of answering"),
    ("exit-0", "exit", "it ended with exit status: 0 instead of answering"),
    ("garbage", "garbage", "not a JSON object: \"Traceback (most recent call last):\""),
    ("list", "garbage", "not a JSON object: \"[1, 2]\""),
    ("empty", "garbage", "an answer without \"out"),
    ("no-events", "garbage", "event"),
    ("extra", "garbage", "and by the way"),
    ("no-id", "garbage", "an answer without an id"),
    ("null-id", "garbage", "it could not read a request"),
    ("half", "half-a-line", "it ended with exit status: 0 within the line"),
    ("half-and-crash", "half-a-line", "it ended with signal: 9 (SIGKILL) within the line \"{\\\"id\\\":\""),
    ("wrong-id", "wrong-id", " instead of "),
    ("too-many", "wrong-count", " instead of "),
    ("too-few", "wrong-count", " instead of "),
    ("no-such-outcome", "wrong-count", ""),
    ("utf8", "invalid-utf-8", "byte "),
    ("flood", "flood", "a line of more than 67108864 bytes"),
    ("flood-of-lines", "garbage", "not a JSON object: \"hello?\""),
    ("stderr-flood", "stderr-flood", "more than 67108864 bytes"),
    ("stderr-flood-and-answer", "stderr-flood", "more than 67108864 bytes"),
    ("memory", "memory", " MB taken, 256 MB allowed"),
    ("memory-of-a-grandchild", "memory", " MB taken, 256 MB allowed"),
    ("family", "hang", "no answer within 1 s"),
    ("orphan", "exit", "it ended with exit status: 3 instead of answering"),
    ("orphan-in-the-group", "crash", "it ended with signal: 9"),
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for &(word, fault, says) in WAYS {
        trials.push(trial(format!("whole/{word}"), move || on_a_whole_case(word, fault, says)));
        trials.push(trial(format!("sweep/{word}"), move || on_one_splitting(word, fault, "sweep")));
    }
    for word in ["hang", "crash", "too-few"] {
        let fault = if word == "too-few" { "wrong-count" } else { word };
        trials.push(trial(format!("run/{word}"), move || on_one_splitting(word, fault, "")));
    }
    trials.push(trial("many/all-ways-in-one-run", all_ways_in_one_run));
    trials.push(trial("many/ten-children-may-be-lost", || so_many_crash(10, 1)));
    trials.push(trial("many/an-eleventh-is-too-many", || so_many_crash(11, 3)));
    trials.push(trial("many/the-rest-is-not-judged-then", the_rest_is_not_judged));
    trials.push(trial("many/three-at-a-time", three_at_a_time));
    trials.push(trial("sweep/in-a-later-batch", in_a_later_batch));
    trials.push(trial("sweep/the-eleventh-is-located-too", the_eleventh_is_located_too));
    trials.push(trial("whole/stderr-is-shown", stderr_is_shown));
    trials.push(trial("whole/stderr-of-other-cases-is-no-flood", stderr_of_other_cases_is_no_flood));
    trials
}

/// Only where something hangs the clock must run out.
fn timeout(fault: &str) -> [&str; 2] {
    ["--timeout", if fault == "hang" { "1" } else { "20" }]
}

fn on_a_whole_case(word: &str, fault: &str, says: &str) {
    let bench = Bench::around(word);
    let memory = if fault == "memory" { &["--memory", "256"][..] } else { &[] };
    let ended = bench.run(&["caps=sweep"], &[&timeout(fault), memory].concat()).expect(1);
    assert_eq!(ended.fault(3), fault, "{}", ended.message(3));
    assert!(ended.message(3).contains(says), "{}", ended.message(3));
    ended.others_pass(&[3]);
    // `extra` may be seen only when the next is asked: still on this case.
    if word != "extra" {
        assert_eq!(ended.chunks(3), [bad(word)]);
        assert_eq!(bench.starts(), 2, "the child is replaced, once");
    }
    assert!(ended.took < Duration::from_secs(15), "{:?}", ended.took);
    if fault == "hang" {
        assert!(ended.took >= Duration::from_secs(1), "{:?}", ended.took);
    }
}

fn on_one_splitting(word: &str, fault: &str, caps: &str) {
    let bench = Bench::around(word);
    let memory = if fault == "memory" { &["--memory", "256"][..] } else { &[] };
    let ended = bench.run(&[&format!("caps={caps}"), "at=7"], &[&timeout(fault), memory].concat()).expect(1);
    assert_eq!(ended.fault(3), fault, "{}", ended.message(3));
    let (head, tail) = ("some !".to_owned() + &word[..1], bad(word)[7..].to_owned());
    if word != "extra" {
        assert_eq!(ended.chunks(3), [head, tail]);
    }
    assert_eq!(ended.verdict(3, "expect")["status"], "pass", "the whole input in one chunk is fine");
    assert_eq!(ended.verdict(3, "split")["status"], "fail");
    ended.others_pass(&[3]);
    assert!(ended.took < Duration::from_secs(20), "{:?}", ended.took);
}

fn all_ways_in_one_run() {
    let words = ["crash", "exit", "garbage", "half", "wrong-id", "too-many", "utf8", "orphan", "hang"];
    let inputs: Vec<String> = words
        .iter()
        .flat_map(|word| [format!("good before {word}"), bad(word)])
        .chain(["the end".to_owned()])
        .collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.run(&["caps=sweep"], &["--timeout", "1"]).expect(1);
    let faults: Vec<&str> = (0..words.len()).map(|at| ended.fault(2 * at + 2)).collect();
    let expected =
        ["crash", "exit", "garbage", "half-a-line", "wrong-id", "wrong-count", "invalid-utf-8", "exit", "hang"];
    assert_eq!(faults, expected);
    ended.others_pass(&[2, 4, 6, 8, 10, 12, 14, 16, 18]);
    assert_eq!(bench.starts(), 1 + words.len());
}

fn so_many_crash(cases: usize, code: i32) {
    let inputs: Vec<String> = (0..cases).map(|_| bad("crash")).chain(["a good one".to_owned()]).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.run(&["caps=sweep"], &[]).expect(code);
    assert!((1..=cases).all(|case| ended.fault(case) == "crash"));
    if code == 1 {
        ended.others_pass(&(1..=cases).collect::<Vec<_>>());
    } else {
        assert!(ended.err.contains("child 1: its process had to be replaced more than 10 times"), "{}", ended.err);
        assert_eq!(ended.footer()["complete"], false);
        assert_eq!(bench.starts(), cases);
    }
}

fn the_rest_is_not_judged() {
    let inputs: Vec<String> = (0..30).map(|_| bad("exit")).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.start(&["caps=sweep"], &["--jobs", "3"]).end().expect(3);
    assert!(bench.starts() <= 14, "{}", bench.starts());
    assert!(ended.verdicts().all(|verdict| verdict["failure"]["fault"] != "given-up"), "{}", ended.out);
}

fn three_at_a_time() {
    let words = ["good", "!crash", "good", "!half", "good", "good", "!garbage", "good", "good"];
    let inputs: Vec<String> = words.iter().map(|word| format!("this is {word} and done")).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.start(&["caps=sweep"], &["--jobs", "3"]).end().expect(1);
    assert_eq!([2, 4, 7].map(|case| ended.fault(case)), ["crash", "half-a-line", "garbage"]);
    ended.others_pass(&[2, 4, 7]);
}

/// A thorough sweep takes several messages; the splitting is in none of the first.
fn in_a_later_batch() {
    let bench = Bench::around("crash");
    let ended = bench.run(&["caps=sweep", "at=20,22"], &["--splits", "thorough"]).expect(1);
    assert_eq!(ended.fault(3), "crash");
    assert_eq!(ended.chunks(3), ["some !crash in the m", "id", "dle"]);
    ended.others_pass(&[3]);
}

fn the_eleventh_is_located_too() {
    let inputs: Vec<String> = (0..11).map(|_| bad("crash")).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.run(&["caps=sweep", "at=7"], &[]).expect(3);
    for case in 1..=11 {
        assert_eq!(ended.fault(case), "crash");
        assert_eq!(ended.chunks(case), ["some !c", "rash in the middle"]);
    }
}

fn stderr_is_shown() {
    let bench = Bench::around("exit");
    let ended = bench.run(&[], &[]).expect(1);
    let message = ended.message(3);
    assert!(
        message.contains("its last lines on standard error:\n  line 13 on standard error \u{fffd}[31m\n"),
        "{message}"
    );
    assert!(message.ends_with("line 20 on standard error \u{fffd}[31m"), "{message}");
}

/// What is written little by little over a long run is no flood.
fn stderr_of_other_cases_is_no_flood() {
    let inputs: Vec<String> = (0..20).map(|number| format!("number {number}")).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.run(&["caps=sweep", "chatter=512"], &["--timeout", "20"]).expect(0);
    ended.others_pass(&[]);
    assert_eq!(bench.starts(), 1);
}
