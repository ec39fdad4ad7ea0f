//! Adapters that cannot be judged at all: exit code 3, and what to mend.

use std::time::Duration;

use anysplit::target::process::{Limits, Process};
use libtest_mimic::Trial;

use crate::harness::{Bench, Running};
use crate::trial;

/// What the child is told, and what the message says.
const WAYS: &[(&str, &[&str], &[&str])] = &[
    ("protocol-2", &["hello=protocol-2"], &["the answer to hello has no \"protocol\":1"]),
    ("refuses", &["hello=refuses"], &["it refuses to be greeted", "I speak 2"]),
    ("no-dialects", &["hello=no-dialects"], &["names no \"dialects\""]),
    ("no-name", &["hello=no-name"], &["has no \"name\""]),
    ("accepts-words", &["hello=accepts-words"], &["\"accepts\" is text, bytes or objects, not \"words\""]),
    ("garbage", &["hello=how", "how=garbage"], &["hello", "not a JSON object: \"Traceback"]),
    ("wrong-id", &["hello=how", "how=wrong-id"], &["hello", "wrong-id: 1001 instead of 1"]),
    ("half", &["hello=how", "how=half"], &["hello", "half-a-line"]),
    (
        "exits",
        &["hello=exits"],
        &["hello", "it ended with exit status: 1", "standard error:\n  ModuleNotFoundError: No module named 'acme'"],
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for &(name, told, says) in WAYS {
        trials.push(trial(format!("greeting/{name}"), move || refused(told, says)));
    }
    trials.push(trial("greeting/never", never));
    trials.push(trial("greeting/unstartable", unstartable));
    trials.push(trial("greeting/no-command", no_command));
    trials
}

fn refused(told: &[&str], says: &[&str]) {
    let bench = Bench::around("crash");
    let ended = bench.run(told, &[]).expect(3);
    assert!(ended.err.contains("cannot be judged"), "{}", ended.err);
    for words in says {
        assert!(ended.err.contains(words), "{words:?} is missing in {}", ended.err);
    }
    assert_eq!(ended.out, "", "nothing was judged");
}

/// The deadline of the greeting is long, since runtimes are slow; so this one asks the library.
fn never() {
    let bench = Bench::around("crash");
    let command = shlex::split(&bench.child(&["hello=never"])).expect("words");
    let limits = Limits { start: Duration::from_millis(500), timeout: Duration::from_millis(100), ..Limits::default() };
    let fault = Process::start(command, limits, None).expect_err("it does not answer");
    assert_eq!(fault.name(), "hang");
    let words = fault.to_string();
    assert!(words.contains("no answer within 0.5 s") && words.contains("hello"), "{words}");
}

fn unstartable() {
    for (command, says) in [
        ("/no/such/program --with words", "\"/no/such/program\" cannot be started: No such file"),
        ("/etc/passwd", "\"/etc/passwd\" cannot be started: Permission denied"),
    ] {
        let ended = Running::start(&["run", "--target", command]).end().expect(3);
        assert!(ended.err.contains(says), "{}", ended.err);
    }
}

fn no_command() {
    for command in ["", "  ", "python3 'adapter.py"] {
        let ended = Running::start(&["run", "--target", command]).end().expect(2);
        assert!(ended.err.contains("is no command line"), "{}", ended.err);
    }
}
