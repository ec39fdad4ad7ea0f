//! Ways out other than the last case: nothing may be left on any of them.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use rustix::process::Signal;

use crate::harness::Bench;
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, signal) in [("interrupt", Signal::INT), ("terminate", Signal::TERM), ("hang-up", Signal::HUP)] {
        trials.push(trial(format!("signals/{name}-once"), move || once(signal)));
        trials.push(trial(format!("signals/{name}-twice"), move || twice(signal, "hang", &[])));
    }
    trials.push(trial("signals/interrupt-twice-with-a-family", || twice(Signal::INT, "family", &[])));
    trials.push(trial("signals/interrupt-twice-with-three-jobs", || twice(Signal::INT, "hang", &["--jobs", "3"])));
    trials.push(trial("signals/interrupt-while-greeting", while_greeting));
    trials.push(trial("signals/a-closed-pipe", a_closed_pipe));
    trials
}

/// The cases under way are finished, within their deadline.
fn once(signal: Signal) {
    let bench = Bench::around("hang");
    let running = bench.start(&["caps=sweep"], &["--jobs", "1", "--timeout", "2"]);
    bench.wait_for("hanging");
    running.signal(signal);
    let ended = running.end().expect(130);
    assert_eq!(ended.fault(3), "hang");
    assert_eq!(ended.footer()["complete"], false);
    assert!(ended.err.contains("interrupted: finishing the cases under way"), "{}", ended.err);
}

/// A second signal ends all at once.
fn twice(signal: Signal, word: &str, arguments: &[&str]) {
    let bench = Bench::around(word);
    let running = bench.start(&["caps=sweep"], &[&["--timeout", "40"], arguments].concat());
    bench.wait_for("hanging");
    running.signal(signal);
    std::thread::sleep(Duration::from_millis(300));
    running.signal(signal);
    let since = Instant::now();
    running.end().expect(130);
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
}

/// There is no case to finish yet.
fn while_greeting() {
    let bench = Bench::around("hang");
    let running = bench.start(&["hello=never"], &[]);
    bench.wait_for("hanging");
    running.signal(Signal::INT);
    let since = Instant::now();
    running.end().expect(130);
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
}

fn a_closed_pipe() {
    let bench = Bench::around("family");
    let (cases, child) = (bench.path("cases.json").display().to_string(), bench.child(&["caps=sweep"]));
    let arguments = ["run", "--cases", &cases, "--target", &child, "--timeout", "1", "--out", "/dev/full"];
    let ended = crate::harness::Running::start(&arguments).end();
    assert_eq!(ended.code, 2, "{}", ended.err);
    assert!(ended.err.contains("cannot be written"), "{}", ended.err);
}
