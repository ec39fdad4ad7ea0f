//! The command line as a person or a script meets it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anysplit::spec;
use serde_json::Value;

fn anysplit(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anysplit")).args(arguments).output().expect("the binary runs")
}

/// Runs the program, expects this exit code, and returns what it printed on both streams.
fn expect(code: i32, arguments: &[&str]) -> (String, String) {
    let output = anysplit(arguments);
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
    (out, err)
}

fn case_file(events: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.json");
    let content = format!(
        r#"{{"dialect": "inline-tag", "cases": [{{"name": "mine", "rules": ["T1"], "input": "a\nb", "events": [{events}]}}]}}"#
    );
    fs::write(&path, content).expect("written");
    (folder, path)
}

fn records(text: &str) -> Vec<Value> {
    let schema = spec::FILES.iter().find(|(path, _)| *path == "schema/report.schema.json").expect("embedded").1;
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    text.lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line).expect(line);
            if let Err(error) = validator.validate(&record) {
                panic!("{error} in {line}");
            }
            record
        })
        .collect()
}

#[test]
fn the_reference_conforms_and_every_case_is_proved() {
    let (out, _) = expect(0, &["run", "--filter", "document"]);
    assert!(out.contains("ok   markdown-fence/document-example proved 2^324 splittings"), "{out}");
    assert!(out.contains("\nconforms: "), "{out}");
    assert!(!out.contains("sampled"), "{out}");
    assert!(!out.contains('\x1b'), "no colours in a pipe");
}

#[test]
fn colours_when_they_are_asked_for() {
    let (out, _) = expect(0, &["run", "--filter", "document-example", "--color", "always"]);
    assert!(out.contains("\x1b[32mok"), "{out}");
}

#[test]
fn a_failure_shows_all_that_is_needed() {
    let (_folder, path) = case_file(r#"{"type": "text", "text": "a\nc"}"#);
    let path = path.display().to_string();
    let (out, _) = expect(1, &["run", "--cases", &path]);
    let order = [
        "FAIL inline-tag/mine · expect · must",
        "T1 All text outside recognised markers must come out",
        "input a⏎b",
        r#"- {"type":"text","text":"a\nc"}"#,
        r#"+ {"type":"text","text":"a\nb"}"#,
        "the one variation fails",
        "repeat: anysplit run --cases",
        "does not conform",
    ];
    let mut rest = out.as_str();
    for part in order {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing or out of order in\n{out}"));
        rest = &rest[at + part.len()..];
    }
    // The command that is shown repeats the failure.
    let command = out.lines().find_map(|line| line.trim().strip_prefix("repeat: anysplit ")).expect("a command");
    expect(1, &command.split(' ').collect::<Vec<_>>());
}

#[test]
fn a_may_does_not_fail_a_run_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("may.json");
    let content = r#"{"dialect": "inline-tag", "cases": [{"name": "m", "level": "may", "input": "a", "events": []}]}"#;
    fs::write(&path, content).expect("written");
    let (out, _) = expect(0, &["run", "--strict", "--cases", &path.display().to_string()]);
    assert!(out.contains("conforms where it must"), "{out}");
    expect(4, &["run", "--level", "must", "--cases", &path.display().to_string()]);
}

#[test]
fn json_has_a_header_verdicts_and_a_footer() {
    let (out, _) = expect(0, &["run", "--dialect", "tool-session", "--filter", "frames", "--format", "json"]);
    let records = records(&out);
    let types: Vec<&str> = records.iter().filter_map(|record| record["type"].as_str()).collect();
    assert_eq!((types[0], types[types.len() - 1]), ("header", "footer"));
    assert!(types[1..types.len() - 1].iter().all(|kind| *kind == "verdict"));
    assert_eq!(records[records.len() - 1]["complete"], true);
    let (_folder, path) = case_file("");
    let (out, _) = expect(1, &["run", "--format", "json", "--cases", &path.display().to_string()]);
    assert!(self::records(&out).iter().any(|record| record["failure"]["cutOff"].is_number()));
}

#[test]
fn out_writes_the_report_and_still_sums_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.ndjson");
    let file = path.display().to_string();
    let (out, _) = expect(0, &["run", "--filter", "document", "--format", "json", "--out", &file]);
    assert!(out.starts_with("\nconforms"), "{out}");
    assert!(records(&fs::read_to_string(&path).expect("written")).len() > 10);
    let (_, err) = expect(2, &["run", "--filter", "document", "--out", "/nowhere/report"]);
    assert!(err.contains("/nowhere/report: cannot be written"), "{err}");
}

#[test]
fn jobs_and_shards_change_nothing_but_the_pace() {
    let verdicts = |arguments: &[&str]| {
        let mut all = vec!["run", "--filter", "near", "--filter", "markdown-fence/a-longer", "--format", "json"];
        all.extend(arguments);
        let (out, _) = expect(0, &all);
        let mut lines: Vec<Value> = records(&out).into_iter().filter(|record| record["type"] == "verdict").collect();
        // The only figure that is measured with a clock.
        lines.retain(|record| record["check"] != "cost");
        lines
    };
    let whole = verdicts(&["--jobs", "1"]);
    assert_eq!(whole, verdicts(&["--jobs", "3"]));
    let mut parts: Vec<Value> = ["1/3", "2/3", "3/3"].iter().flat_map(|shard| verdicts(&["--shard", shard])).collect();
    let mut sorted = whole;
    for list in [&mut parts, &mut sorted] {
        list.sort_by_key(Value::to_string);
    }
    assert_eq!(parts, sorted);
}

#[test]
fn every_kind_of_splits_says_what_it_is() {
    for (splits, word) in [("proof", "proved"), ("thorough", "thorough"), ("quick", "quick")] {
        let (out, _) =
            expect(0, &["run", "--filter", "inline-tag/one-call-is-one-event", "--splits", splits, "--seed", "7"]);
        assert!(out.contains(&format!("splittings: 1 {word}")), "{out}");
    }
}

#[test]
fn misuse_is_told_in_words() {
    let table: &[(i32, &[&str], &str)] = &[
        (
            2,
            &["run", "--dialect", "inline"],
            "unknown dialect \"inline\"; there are markdown-fence, inline-tag, tool-session",
        ),
        (2, &["run", "--level", "most"], "there are must, should and may"),
        (2, &["run", "--shard", "5/4"], "expected I/N"),
        (2, &["run", "--jobs", "0"], "--jobs"),
        (2, &["run", "--seed", "x"], "--seed"),
        (2, &["run", "--splits", "some"], "possible values: proof, thorough, quick"),
        (2, &["run", "--cases", "no-such-file.json"], "no-such-file.json: cannot be read"),
        (2, &["run", "--cases", "src"], "src: no .json file in this folder"),
        (2, &["run", "--cases", "Cargo.toml"], "Cargo.toml: not a JSON file of cases"),
        (4, &["run", "--filter", "no such case"], "no case matches"),
        (4, &["run", "--filter", "inline-tag/plain-text-passes", "--shard", "2/2"], "this shard holds no case"),
        (4, &["list", "--filter", "no such case"], "no case matches"),
        (2, &["show", "document-example"], "did you mean markdown-fence/document-example"),
        (2, &["rules", "T99"], "there is no rule \"T99\""),
        (2, &["judge"], "unrecognized subcommand"),
        (2, &[], "Usage"),
    ];
    for (code, arguments, message) in table {
        let (_, err) = expect(*code, arguments);
        assert!(err.contains(message), "{arguments:?}: {err}");
    }
}

#[test]
fn list_show_and_rules_agree() {
    let (list, _) = expect(0, &["list", "--dialect", "inline-tag"]);
    let id = list.split_whitespace().next().expect("a case");
    let (shown, _) = expect(0, &["show", id]);
    assert!(shown.starts_with(id) && shown.contains("\nevents\n"), "{shown}");
    let (json, _) = expect(0, &["show", id, "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON")["id"], id);
    let (table, _) = expect(0, &["rules"]);
    assert_eq!(table.lines().count(), spec::rules().len());
    let (full, _) = expect(0, &["rules", "T13"]);
    assert!(full.contains("T13 A refuted marker is text") && full.contains("cases:\n    inline-tag/"), "{full}");
    let (rules, _) = expect(0, &["rules", "--format", "json"]);
    for line in rules.lines() {
        let rule: Value = serde_json::from_str(line).expect(line);
        assert!(rule["cases"].as_array().is_some_and(|cases| !cases.is_empty()), "{line}");
    }
}

#[test]
fn help_has_examples() {
    for arguments in
        [&["--help"][..], &["run", "--help"], &["list", "--help"], &["show", "--help"], &["rules", "--help"]]
    {
        let (out, _) = expect(0, arguments);
        assert!(out.contains("Examples:"), "{out}");
    }
}

#[test]
fn a_closed_pipe_is_no_crash_and_does_not_change_the_verdict() {
    let (_folder, path) = case_file("");
    let mut child = Command::new(env!("CARGO_BIN_EXE_anysplit"))
        .args(["run", "--cases", &path.display().to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert_eq!(err.trim(), "note: nobody reads the output any more; judging goes on for the exit code");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_was_judged() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_anysplit"))
        .args(["run", "--splits", "thorough", "--jobs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("ok") {
        line.clear();
        out.read_line(&mut line).expect("it prints");
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut out, &mut rest).expect("it ends");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&rest).contains("not every case was judged"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted: finishing the cases under way"));
    std::io::stderr().flush().expect("flushed");
}
