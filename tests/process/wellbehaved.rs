//! What an adapter may do: raise, refuse, be asked several things at once and in several processes.

use libtest_mimic::Trial;

use crate::harness::{Bench, Running, bad};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("honest/embedded-cases", embedded_cases),
        trial("honest/error", || raises(&["caps=sweep"], &[&bad("error")])),
        trial("honest/error-on-one-splitting", || raises(&["caps=sweep", "at=7"], &["some !e", "rror in the middle"])),
        trial("honest/error-on-one-splitting-without-sweep", || raises(&["at=7"], &["some !e", "rror in the middle"])),
        trial("honest/error-inside-a-sweep", error_inside_a_sweep),
        trial("honest/unsupported-option", unsupported_option),
        trial("honest/all-unsupported", all_unsupported),
        trial("honest/no-dialect-of-these", no_dialect_of_these),
        trial("honest/jobs", jobs),
        trial("honest/pipelined", pipelined),
        trial("honest/late-words-are-nobody-elses", late_words),
        trial("doctor/says-what-to-mend", doctor_says_what_to_mend),
        trial("doctor/cannot-greet", doctor_cannot_greet),
        trial("diff/agree", diff_agree),
        trial("diff/loss", diff_loss),
        trial("validate/honest", validate_honest),
        trial("validate/breach", validate_breach),
        trial("validate/repeat", validate_repeat),
    ]
}

/// Text, bytes and items, with and without `sweep`.
fn embedded_cases() {
    let bench = Bench::around("crash");
    for caps in ["caps=sweep+violations", "caps=violations"] {
        let child = bench.child(&[caps]);
        let filters = [
            "--filter",
            "inline-tag/one-call",
            "--filter",
            "sse/a-comment",
            "--filter",
            "tool-stages/the-last",
            "--quiet",
        ];
        let arguments = [&["run", "--target", &child, "--validate", "--format", "json"], &filters[..]].concat();
        let ended = Running::start(&arguments).end().expect(0);
        for dialect in ["inline-tag/", "sse/", "tool-stages/"] {
            let judged = ended.verdicts().filter(|verdict| verdict["status"] == "pass");
            let judged =
                judged.filter(|verdict| verdict["case"].as_str().is_some_and(|case| case.starts_with(dialect)));
            assert!(judged.count() > 3, "{dialect} in {}", ended.out);
        }
    }
    assert_eq!(
        bench.starts(),
        2 * std::thread::available_parallelism().map_or(1, usize::from).max(1),
        "{}",
        bench.log()
    );
}

/// An error is a verdict, and the child lives on.
fn raises(told: &[&str], chunks: &[&str]) {
    let bench = Bench::around("error");
    let ended = bench.run(told, &[]).expect(1);
    assert_eq!(ended.fault(3), "error");
    assert_eq!(ended.message(3), "it raised: IndexError: out of range\n  line 1\n  line 2");
    assert_eq!(ended.chunks(3), chunks);
    ended.others_pass(&[3]);
    assert_eq!(bench.starts(), 1, "the child is not replaced");
}

fn error_inside_a_sweep() {
    let bench = Bench::new(&["before", &bad("error-inside"), "after"]);
    let ended = bench.run(&["caps=sweep", "at=7"], &["--check", "split", "--check", "survive"]).expect(1);
    assert_eq!(ended.fault(2), "error");
    assert!(ended.message(2).contains("IndexError: inside\n  line 9"), "{}", ended.message(2));
    assert_eq!(ended.chunks(2), ["some !e", "rror-inside in the middle"]);
    ended.others_pass(&[2]);
    assert_eq!(bench.starts(), 1);
}

fn unsupported_option() {
    let bench = Bench::around("unsupported");
    let ended = bench.run(&["caps=sweep"], &[]).expect(0);
    ended.others_pass(&[3]);
    for verdict in ended.verdicts().filter(|verdict| verdict["case"] == "inline-tag/case-3") {
        assert_eq!(verdict["status"], "not-applicable", "{verdict}");
        let note = verdict["note"].as_str().unwrap_or_default();
        assert_eq!(note, "the target does not support this option: there is no such setting");
    }
    assert_eq!(bench.starts(), 1);
}

fn all_unsupported() {
    let bench = Bench::new(&[&bad("unsupported"), &bad("unsupported")]);
    let ended = bench.run(&["caps=sweep"], &[]).expect(4);
    assert!(ended.verdicts().all(|verdict| verdict["status"] == "not-applicable"));
    let known = bench.path("known.json").display().to_string();
    bench.run(&["caps=sweep"], &["--write-known", &known]).expect(4);
}

fn no_dialect_of_these() {
    let bench = Bench::around("crash");
    let child = bench.child(&[]);
    let cases =
        r#"{"dialect": "ndjson", "cases": [{"name": "x", "input": "1\n", "events": [{"type": "value", "value": 1}]}]}"#;
    let cases = bench.write("ndjson.json", cases).display().to_string();
    let ended = Running::start(&["run", "--target", &child, "--cases", &cases]).end().expect(4);
    assert!(ended.err.contains("child 1 speaks none of the dialects"), "{}", ended.err);
    let arguments = ["run", "--target", &child, "--cases", &cases, "--dialect", "ndjson", "--format", "json"];
    let ended = Running::start(&arguments).end().expect(4);
    assert!(ended.verdicts().all(|verdict| verdict["status"] == "not-applicable"));
}

/// Each job has a child of its own: none of them answers before all three are there.
fn jobs() {
    let inputs: Vec<String> = (0..12).map(|number| format!("number {number}")).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.start(&["caps=sweep", "together=3"], &["--jobs", "3", "--timeout", "30"]).end().expect(0);
    ended.others_pass(&[]);
    assert_eq!(bench.starts(), 3);
}

/// The child answers a prefix only when the next one is there too.
fn pipelined() {
    let input = "p and so on to the end";
    let bench = Bench::new(&[input, "another"]);
    let pairs = format!("pairs={}", input.len());
    let ended = bench.run(&[&pairs], &["--timeout", "10"]).expect(0);
    ended.others_pass(&[]);
    assert_eq!(bench.starts(), 1);
}

/// What comes when nothing is asked is no answer to the next question.
fn late_words() {
    let inputs: Vec<String> = (0..5).flat_map(|_| ["a good one".to_owned(), bad("late")]).collect();
    let bench = Bench::new(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = bench.run(&["caps=sweep"], &[]).expect(1);
    for case in [2, 4, 6, 8, 10] {
        assert_eq!(ended.fault(case), "garbage");
        assert!(ended.message(case).contains("oh, and another thing"), "{}", ended.message(case));
    }
    ended.others_pass(&[2, 4, 6, 8, 10]);
}

fn validate_honest() {
    let bench = Bench::new(&["one", "two <b>", "<tool_call", "three"]);
    let ended =
        bench.run(&["caps=sweep+fork+fingerprint", "then=lose"], &["--validate", "--splits", "proof"]).expect(0);
    ended.others_pass(&[]);
    bench.run(&["caps=sweep"], &["--validate", "--splits", "thorough"]).expect(0).others_pass(&[]);
}

fn validate_breach() {
    let bench = Bench::around("number-as-error");
    let ended = bench.run(&["caps=sweep"], &["--validate"]).expect(1);
    assert_eq!(ended.fault(3), "garbage");
    let message = ended.message(3);
    assert!(message.contains("the answer to run breaks its schema"), "{message}");
    ended.others_pass(&[3]);
    let ended = bench.run(&["caps=sweep"], &[]).expect(1);
    assert_eq!(ended.fault(3), "error", "without --validate it counts as raised");
}

/// The command that repeats a failure asks in the same way.
fn validate_repeat() {
    let bench = Bench::around("number-as-error");
    let ended = bench.run(&["caps=sweep"], &["--validate", "--timeout", "7", "--memory", "512"]).expect(1);
    let repeat = ended.verdict(3, "survive")["failure"]["repeat"].as_str().expect("a command").to_owned();
    for flag in ["--validate", "--timeout 7", "--memory 512"] {
        assert!(repeat.contains(flag), "{repeat}");
    }
    let words = shlex::split(&repeat).expect("words");
    let words: Vec<&str> = words.iter().map(String::as_str).skip(1).chain(["--format", "json"]).collect();
    let again = Running::start(&words).end().expect(1);
    assert_eq!((again.fault(3), again.chunks(3)), (ended.fault(3), ended.chunks(3)));
}

/// These children do what a run asks for, and exit where they are asked something that no run asks.
fn doctor_says_what_to_mend() {
    let bench = Bench::around("crash");
    let child = bench.child(&["caps=sweep+violations"]);
    let ended = Running::start(&["doctor", "--target", &child]).end().expect(3);
    for line in [
        "ok   an unknown command is unsupported",
        "FAIL an unknown dialect is unsupported",
        "     mend: answer {\"id\":…,\"unsupported\":\"dialect\"} to a dialect you do not know",
        "FAIL a line that is no JSON is an error with id null",
        "ok   requests may be pipelined",
        "ok   inline-tag: one list more than chunks",
        "ok   inline-tag: a sweep gives what the runs give",
        "ok   sse: characters beyond the BMP",
        "ok   tool-stages: a line of 1 MiB",
        "ok   bye ends it with 0",
    ] {
        assert!(ended.out.lines().any(|printed| printed == line), "{line}\n{}", ended.out);
    }
    assert!(ended.out.contains("\nnot sound: 2 of "), "{}", ended.out);
}

fn doctor_cannot_greet() {
    let bench = Bench::around("crash");
    let child = bench.child(&["hello=exits"]);
    let ended = Running::start(&["doctor", "--target", &child]).end().expect(3);
    assert!(ended.err.contains("No module named 'acme'"), "{}", ended.err);
}

fn diff_agree() {
    let bench = Bench::around("crash");
    let child = bench.child(&["caps=sweep"]);
    let several = ["--dialect", "inline-tag", "--filter", "two-calls"];
    let ended = Running::start(&[&["diff", "--target", &child], &several[..]].concat()).end().expect(0);
    assert!(ended.out.contains("child 1 against reference: 8 cases\n  they agree"), "{}", ended.out);
    let none = ["--dialect", "ndjson"];
    Running::start(&[&["diff", "--target", &child], &none[..]].concat()).end().expect(4);
}

/// A fault on one splitting is found against an honest child, and shown with its cut.
fn diff_loss() {
    let bench = Bench::new(&["nothing here", "some !thing in the middle"]);
    let planted = |at: &str| bench.child(&["caps=sweep", "then=lose", at]);
    let (honest, faulty) = (planted("at=99"), planted("at=7"));
    let cases = bench.path("cases.json").display().to_string();
    let arguments = ["diff", "--target", &honest, "--target", &faulty, "--cases", &cases];
    let ended = Running::start(&arguments).end().expect(1);
    assert!(ended.out.contains("\nloss: something is missing (1 cases"), "{}", ended.out);
    assert!(ended.out.contains("input some !t│hing in the middle\n"), "{}", ended.out);
}
