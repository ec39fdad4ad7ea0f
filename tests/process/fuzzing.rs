//! `anysplit fuzz`, `replay` and `merge` with children that have a fault on some splittings of whatever they get.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anysplit::spec;
use libtest_mimic::Trial;
use rustix::process::Signal;
use serde_json::Value;

use crate::harness::{Bench, Ended, Running};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("fuzz/a-loss-is-found-and-made-small", a_loss_is_found_and_made_small),
        trial("fuzz/what-is-met-again-is-counted", what_is_met_again_is_counted),
        trial("fuzz/four-parts-merged-are-the-whole", four_parts_merged_are_the_whole),
        trial("fuzz/a-crash-a-hang-and-an-error-are-findings", a_crash_a_hang_and_an_error_are_findings),
        trial("fuzz/a-sound-target-has-no-findings", a_sound_target_has_no_findings),
        trial("fuzz/interrupt", interrupt),
        trial("fuzz/a-target-that-always-dies-is-given-up", a_target_that_always_dies_is_given_up),
        trial("fuzz/a-target-that-sometimes-dies-is-fuzzed-on", a_target_that_sometimes_dies_is_fuzzed_on),
        trial("fuzz/a-finding-makes-room-once-it-is-fixed", a_finding_makes_room_once_it_is_fixed),
        trial("replay/fixed-failed-changed-error", fixed_failed_changed_error),
    ]
}

/// Whatever the text, the second chunk is lost where the first has two characters.
const LOSES: [&str; 4] = ["caps=sweep", "anywhere=yes", "at=2", "then=lose"];

fn run(bench: &Bench, told: &[&str], arguments: &[&str]) -> Ended {
    start(bench, told, arguments).end()
}

fn start(bench: &Bench, told: &[&str], arguments: &[&str]) -> Running {
    let child = bench.child(told);
    let findings = bench.path("findings").display().to_string();
    let fixed = ["fuzz", "--dialect", "inline-tag", "--target", child.as_str(), "--findings", findings.as_str()];
    Running::start(&[&fixed[..], arguments].concat())
}

/// The findings in a folder, each held against the schema.
fn findings(folder: &Path) -> Vec<(PathBuf, Value)> {
    let schema = spec::file("schema/cases.schema.json").expect("embedded");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let mut paths: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.expect("an entry").path()).collect(),
        Err(_) => return Vec::new(),
    };
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("text");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        if let Err(error) = validator.validate(&value) {
            panic!("{error} in {text}");
        }
        (path, value)
    };
    paths.into_iter().map(read).collect()
}

fn a_loss_is_found_and_made_small() {
    let bench = Bench::new(&[]);
    let ended = run(&bench, &LOSES, &["--runs", "64", "--seed", "5"]).expect(1);
    let found = findings(&bench.path("findings"));
    let (path, loss) = found
        .iter()
        .find(|(_, finding)| finding["finding"]["class"] == "loss")
        .unwrap_or_else(|| panic!("{}", ended.out));
    let finding = &loss["finding"];
    assert_eq!((&finding["check"], &finding["cuts"]), (&"split".into(), &serde_json::json!([2])));
    let input = loss["cases"][0]["input"].as_str().expect("text");
    assert_eq!(input.chars().count(), 3, "two characters and one that is lost: {input:?}");
    assert_eq!(finding["expectedFrom"], "reference");
    assert_eq!((&finding["seed"], &finding["name"]), (&5.into(), &"child 1".into()));
    assert!(ended.out.contains("FAIL inline-tag/split-"), "{}", ended.out);
    let replay = finding["replay"].as_str().expect("a command");
    assert!(
        replay.starts_with("anysplit replay --target ") && replay.ends_with(&path.display().to_string()),
        "{replay}"
    );
    // And exactly that command judges it again.
    let words = shlex::split(replay).expect("a command line");
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let again = Running::start(&words).end().expect(1);
    assert!(again.out.contains("0 fixed, 1 failed, 0 changed, 0 errors"), "{}", again.out);
}

fn what_is_met_again_is_counted() {
    let bench = Bench::new(&[]);
    let times = |bench: &Bench| -> u64 {
        findings(&bench.path("findings")).iter().filter_map(|(_, found)| found["finding"]["times"].as_u64()).sum()
    };
    run(&bench, &LOSES, &["--runs", "64", "--seed", "5"]).expect(1);
    let (files, once) = (findings(&bench.path("findings")).len(), times(&bench));
    assert!(once > 3 && files < 8, "{once} times, {files} files");
    run(&bench, &LOSES, &["--runs", "64", "--seed", "5"]).expect(1);
    assert_eq!((findings(&bench.path("findings")).len(), times(&bench)), (files, 2 * once));
}

/// Everything but the time and the paths.
fn comparable(folder: &Path) -> Vec<Value> {
    let mut found: Vec<Value> = findings(folder).into_iter().map(|(_, finding)| finding).collect();
    for finding in &mut found {
        finding["finding"]["firstSeen"] = Value::Null;
        finding["finding"]["replay"] = Value::Null;
    }
    found
}

fn four_parts_merged_are_the_whole() {
    let bench = Bench::new(&[]);
    run(&bench, &LOSES, &["--runs", "128", "--seed", "9", "--jobs", "2"]).expect(1);
    let whole = comparable(&bench.path("findings"));
    assert!(!whole.is_empty());
    let parts: Vec<String> = (1..=4).map(|part| bench.path(&format!("part-{part}")).display().to_string()).collect();
    for (at, folder) in parts.iter().enumerate() {
        let child = bench.child(&LOSES);
        let shard = format!("{}/4", at + 1);
        let words = ["fuzz", "--dialect", "inline-tag", "--target", &child, "--findings", folder, "--runs", "128"];
        let code = Running::start(&[&words[..], &["--seed", "9", "--shard", &shard]].concat()).end().code;
        assert!(code < 2, "{code}");
    }
    let merged = bench.path("merged");
    let there: Vec<&str> = parts.iter().map(String::as_str).filter(|part| Path::new(part).exists()).collect();
    let target = merged.display().to_string();
    Running::start(&[&["merge"], &there[..], &["--findings", &target]].concat()).end().expect(1);
    assert_eq!(comparable(&merged), whole);
}

fn a_crash_a_hang_and_an_error_are_findings() {
    for (then, class) in [("crash", "crash"), ("hang", "hang"), ("raise", "error")] {
        let bench = Bench::new(&[]);
        let told = ["caps=sweep", "anywhere=yes", "at=2", &format!("then={then}")];
        let limits = ["--runs", "3", "--seed", "2", "--timeout", "0.3", "--jobs", "1"];
        let ended = run(&bench, &told, &limits);
        assert!(ended.code == 1 || ended.code == 3, "{}\n{}", ended.out, ended.err);
        let found = findings(&bench.path("findings"));
        let classes: Vec<&Value> = found.iter().map(|(_, found)| &found["finding"]["class"]).collect();
        assert!(classes.contains(&&class.into()), "{then}: {classes:?}\n{}", ended.out);
        let (_, one) = found.iter().find(|(_, found)| found["finding"]["class"] == class).expect("just seen");
        assert_eq!(one["finding"]["check"], "survive");
        assert!(one["finding"]["fault"].is_string(), "{one}");
    }
}

fn a_sound_target_has_no_findings() {
    let bench = Bench::new(&[]);
    let ended = run(&bench, &["caps=sweep"], &["--runs", "200", "--seed", "1"]).expect(0);
    assert!(ended.out.contains("nothing found\n200 runs in "), "{}", ended.out);
    // It was there all the time, so that `merge` and `replay` find it.
    assert!(bench.path("findings").is_dir() && findings(&bench.path("findings")).is_empty());
}

fn interrupt() {
    let bench = Bench::new(&[]);
    let running = start(&bench, &["caps=sweep"], &[]);
    bench.wait_for("start");
    std::thread::sleep(Duration::from_millis(500));
    running.signal(Signal::INT);
    let ended = running.end().expect(0);
    assert!(ended.out.contains("nothing found"), "{}", ended.out);
    let bounded = start(&bench, &["caps=sweep"], &["--time", "40s"]);
    std::thread::sleep(Duration::from_millis(700));
    bounded.signal(Signal::INT);
    bounded.end().expect(130);
}

fn a_target_that_always_dies_is_given_up() {
    let bench = Bench::new(&[]);
    let ended = run(&bench, &["caps=sweep", "dies=always"], &["--time", "60s", "--seed", "1"]);
    assert!(ended.err.contains("replaced more than 20 times in a row"), "{}\n{}", ended.out, ended.err);
    assert_eq!((ended.code, findings(&bench.path("findings")).len()), (1, 1), "{}", ended.out);
    assert!(ended.took < Duration::from_secs(50), "{:?}", ended.took);
}

/// One crash that is known is no reason to look no further.
fn a_target_that_sometimes_dies_is_fuzzed_on() {
    let bench = Bench::new(&[]);
    let ended =
        run(&bench, &["caps=sweep", "anywhere=yes", "at=2", "then=crash"], &["--runs", "200", "--seed", "1"]).expect(1);
    assert!(ended.out.contains("\n200 runs in "), "{}", ended.out);
    let found = findings(&bench.path("findings"));
    assert!(found.iter().any(|(_, one)| one["finding"]["times"].as_u64() > Some(20)), "{}", ended.out);
    let (_, crash) = found.iter().find(|(_, one)| one["finding"]["class"] == "crash").expect("one");
    let input = crash["cases"][0]["input"].as_str().expect("text");
    assert_eq!(input.chars().count(), 2, "two characters are enough: {input:?}");
}

/// What is found later stays what can be seen again.
fn a_finding_makes_room_once_it_is_fixed() {
    let bench = Bench::new(&[]);
    run(&bench, &LOSES, &["--runs", "64", "--seed", "5"]).expect(1);
    let folder = bench.path("findings");
    for (path, mut finding) in findings(&folder) {
        // As if the implementation had been mended for just this input.
        finding["cases"][0]["input"] = "a".into();
        finding["cases"][0]["events"] = serde_json::json!([{"type": "text", "text": "a"}]);
        finding["finding"]["cuts"] = serde_json::json!([]);
        fs::write(path, finding.to_string()).expect("written");
    }
    let before = findings(&folder).len();
    run(&bench, &LOSES, &["--runs", "64", "--seed", "6"]).expect(1);
    let after = findings(&folder);
    assert!(after.len() <= before + 2, "{} files after {before}", after.len());
    assert!(after.iter().any(|(_, finding)| finding["finding"]["seed"] == 6), "none made room");
}

fn fixed_failed_changed_error() {
    let bench = Bench::new(&[]);
    run(&bench, &LOSES, &["--runs", "64", "--seed", "5"]).expect(1);
    let folder = bench.path("findings");
    let loss = findings(&folder).into_iter().find(|(_, found)| found["finding"]["class"] == "loss").expect("one").0;
    let loss = loss.display().to_string();
    let replay = |command: &str| Running::start(&["replay", &loss, "--quiet", "--target", command]).end();
    let raises = bench.child(&["caps=sweep", "anywhere=yes", "at=2", "then=raise"]);
    for (command, code, word) in [
        (bench.child(&LOSES), 1, "failed "),
        (bench.child(&["caps=sweep"]), 0, "fixed "),
        ("reference".to_owned(), 0, "fixed "),
        (raises, 1, "changed "),
        ("no-such-program-anywhere".to_owned(), 3, "error "),
    ] {
        let ended = replay(&command).expect(code);
        assert!(ended.out.starts_with(word), "{command}: {}", ended.out);
    }
    // Without --target, it is the one that it was found with.
    let all = Running::start(&["replay", &folder.display().to_string()]).end().expect(1);
    assert!(all.out.contains(" 0 fixed, ") || all.out.contains("\n0 fixed, "), "{}", all.out);
}
