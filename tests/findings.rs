//! Files that fuzzers and parts of runs leave behind: `fuzz` and its misuse, `replay --promote`, `merge` of reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anysplit::case::CaseFile;
use anysplit::dialect::Dialect;
use anysplit::sample::Sample;
use serde_json::{Value, json};

/// Runs the program, expects this exit code, and returns what it printed on both streams.
fn expect(code: i32, arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_anysplit")).args(arguments).output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
    (out, err)
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// A finding as the fuzzer would have written it, with these changes to it and to its case.
    fn finding(&self, name: &str, finding: &Value, case: &Value) -> String {
        let mut file = json!({
            "dialect": "inline-tag",
            "finding": {
                "check": "split", "class": "loss", "signature": "split loss -text", "cuts": [2], "expectedFrom": "second-opinion",
                "actual": [], "name": "reference", "anysplit": "0.1.0", "seed": 1, "run": 42, "times": 3,
                "firstSeen": "2026-01-31T12:00:00Z", "replay": "anysplit replay findings/split-0123456789abcdef.json",
            },
            "cases": [{"name": "split-0123456789abcdef", "input": "a<t", "events": [{"type": "text", "text": "a<t"}]}],
        });
        merge_into(&mut file["finding"], finding);
        merge_into(&mut file["cases"][0], case);
        let path = self.path(name);
        fs::write(&path, file.to_string()).expect("written");
        path.display().to_string()
    }
}

fn merge_into(value: &mut Value, changes: &Value) {
    for (name, change) in changes.as_object().expect("fields") {
        value[name] = change.clone();
    }
}

fn cases(path: &Path) -> Vec<String> {
    let file = CaseFile::read(path).expect("a file of cases");
    file.cases.into_iter().map(|case| case.id).collect()
}

#[test]
fn a_finding_with_name_and_rules_becomes_a_case() {
    let folder = Folder::new();
    let place = folder.text("strings.json");
    for (name, count) in [("half-a-marker-is-text", 1), ("half-a-marker-is-still-text", 2)] {
        let finding = folder.finding("one.json", &json!({}), &json!({"name": name, "rules": ["T1"]}));
        let (out, err) = expect(0, &["replay", &finding, "--promote", &place]);
        assert_eq!(out, format!("promoted {name} into {place}\n"));
        assert!(err.contains("held against the rules"), "{err}");
        assert!(!Path::new(&finding).exists(), "it was moved");
        let there = cases(Path::new(&place));
        assert_eq!((there.len(), there.last()), (count, Some(&format!("inline-tag/{name}"))));
    }
    let (out, _) = expect(0, &["run", "--cases", &place]);
    assert!(out.contains("ok   inline-tag/half-a-marker-is-text"), "{out}");
}

/// What stood in the file before, stands there as it was written.
#[test]
fn the_other_cases_of_the_file_are_left_alone() {
    let folder = Folder::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/inline-tag/cases/strings.json");
    let before = fs::read_to_string(source).expect("a file of cases");
    fs::write(folder.path("strings.json"), &before).expect("written");
    let finding = folder.finding("one.json", &json!({}), &json!({"name": "half-a-marker", "rules": ["T1"]}));
    expect(0, &["replay", &finding, "--promote", &folder.text("strings.json")]);
    let after = fs::read_to_string(folder.path("strings.json")).expect("a file of cases");
    let kept = before.trim_end().trim_end_matches('}').trim_end().trim_end_matches(']').trim_end();
    assert!(after.starts_with(kept), "{after}");
    assert!(cases(&folder.path("strings.json")).contains(&"inline-tag/half-a-marker".to_owned()));
}

#[test]
fn a_finding_with_a_name_becomes_a_seed() {
    let folder = Folder::new();
    let finding = folder.finding("one.json", &json!({}), &json!({"name": "half-a-marker"}));
    let place = format!("{}/", folder.text("corpus/inline_tag"));
    expect(0, &["replay", &finding, "--promote", &place]);
    let seed = fs::read(folder.path("corpus/inline_tag/half-a-marker")).expect("a seed");
    assert_eq!(seed, b"a<t\xff\x02");
    assert_eq!(Sample::read(Dialect::InlineTag, &seed).cuts.0, [2]);
    assert!(!Path::new(&finding).exists(), "it was moved");
}

#[test]
fn what_cannot_be_promoted_stays_as_it_was() {
    let folder = Folder::new();
    let (named, ruled) = (json!({"name": "half-a-marker"}), json!({"name": "half-a-marker", "rules": ["T1"]}));
    fs::write(folder.path("other.json"), "{}").expect("written");
    let taken = r#"{"dialect": "inline-tag", "cases": [{"name": "half-a-marker", "input": "", "events": []}]}"#;
    fs::write(folder.path("taken.json"), taken).expect("written");
    fs::create_dir(folder.path("seeds")).expect("a folder");
    fs::write(folder.path("seeds/half-a-marker"), "there").expect("written");
    let table = [
        (json!({}), json!({}), "new.json", "give the case a name"),
        (json!({}), named.clone(), "new.json", "give the case the \"rules\""),
        (json!({}), json!({"name": "half-a-marker", "rules": ["T99"]}), "new.json", "T99"),
        (json!({"target": "python3 a.py"}), ruled.clone(), "new.json", "only those of the reference"),
        (json!({}), ruled.clone(), "other.json", "no file of cases"),
        (json!({}), named.clone(), "seeds", "is there already"),
        (json!({}), ruled.clone(), "one.json", "is itself one of the findings"),
        (json!({}), ruled.clone(), "taken.json", "has a case inline-tag/half-a-marker already"),
        (json!({}), named.clone(), "sse/", "is for inputs of sse"),
        (
            json!({}),
            json!({"name": "half-a-marker", "options": {"limit": 17}}),
            "seeds",
            "its settings are in no table",
        ),
    ];
    for (record, case, place, why) in table {
        let finding = folder.finding("one.json", &record, &case);
        let text = fs::read_to_string(&finding).expect("text");
        let (_, err) = expect(2, &["replay", &finding, "--promote", &folder.text(place)]);
        assert!(err.contains(why) && (err.contains("one.json") || err.contains(place)), "{why}: {err}");
        assert_eq!(fs::read_to_string(&finding).expect("it is still there"), text);
        assert!(!folder.path("new.json").exists() && !folder.path("sse").exists(), "{why}");
        assert_eq!(fs::read_to_string(folder.path("taken.json")).expect("text"), taken);
        assert_eq!(fs::read_to_string(folder.path("seeds/half-a-marker")).expect("text"), "there");
    }
    // One that cannot be promoted keeps the others too.
    let good = folder.finding("a.json", &json!({}), &ruled);
    let bad = folder.finding("b.json", &json!({}), &json!({}));
    expect(2, &["replay", &good, &bad, "--promote", &folder.text("new.json")]);
    assert!(Path::new(&good).exists() && !folder.path("new.json").exists());
}

#[test]
fn files_that_are_no_findings_are_refused() {
    let folder = Folder::new();
    fs::write(
        folder.path("cases.json"),
        r#"{"dialect": "inline-tag", "cases": [{"name": "a", "input": "", "events": []}]}"#,
    )
    .expect("written");
    fs::write(folder.path("half.json"), "{\"dialect\": ").expect("written");
    fs::create_dir(folder.path("empty")).expect("a folder");
    let far = folder.finding("far.json", &json!({"cuts": [9]}), &json!({}));
    let table = [
        (3, folder.text("cases.json"), "anysplit run --cases"),
        (3, folder.text("half.json"), "half.json"),
        (3, folder.text("none.json"), "none.json"),
        (3, far, "\"cuts\" must ascend and lie within the 3 characters of the input"),
        (4, folder.text("empty"), "no finding"),
    ];
    for (code, file, why) in table {
        let (out, err) = expect(code, &["replay", &file]);
        assert!(out.contains(why) || err.contains(why), "{file}: {out}{err}");
        assert_eq!(code == 3, out.starts_with("error ") && out.ends_with("\n0 fixed, 0 failed, 0 changed, 1 errors\n"));
    }
    // The others are judged all the same.
    folder.finding("good.json", &json!({}), &json!({}));
    let (out, _) = expect(3, &["replay", &folder.0.path().display().to_string()]);
    assert!(out.ends_with("\n1 fixed, 0 failed, 0 changed, 3 errors\n"), "{out}");
}

#[test]
fn a_finding_of_the_reference_is_judged_by_the_reference() {
    let folder = Folder::new();
    let fixed = folder.finding("fixed.json", &json!({}), &json!({}));
    let (out, _) = expect(0, &["replay", &fixed]);
    assert!(out.starts_with("fixed ") && out.ends_with("\n1 fixed, 0 failed, 0 changed, 0 errors\n"), "{out}");
    let events = json!({"events": [{"type": "text", "text": "b<t"}]});
    let wrong = folder.finding("wrong.json", &json!({"check": "expect", "class": "arguments", "cuts": []}), &events);
    let (out, _) = expect(1, &["replay", &wrong]);
    assert!(out.contains("wrong.json") && out.contains("- {\"type\":\"text\",\"text\":\"b<t\"}"), "{out}");
}

#[test]
fn a_corpus_grows_by_what_is_new_and_is_begun_with() {
    let folder = Folder::new();
    let (corpus, findings) = (folder.text("corpus"), folder.text("findings"));
    let run = |seed: &str| {
        let fixed = ["fuzz", "--dialect", "inline-tag", "--runs", "2000", "--seed", seed, "--findings", &findings];
        expect(0, &[&fixed[..], &["--corpus", &corpus]].concat()).0
    };
    fs::create_dir(folder.path("corpus")).expect("a folder");
    run("1");
    let count = || fs::read_dir(folder.path("corpus/inline_tag")).expect("a folder").count();
    let first = count();
    assert!(first > 20, "{first} inputs");
    let again = run("1");
    assert!(again.contains(&format!("beginning with {first} inputs of the corpus")), "{again}");
    run("2");
    assert!(count() < 2 * first, "{} inputs after {first}: most of what the second run met was known", count());
}

#[test]
fn misuse_of_the_fuzzer_is_told() {
    let folder = Folder::new();
    let file = folder.text("file");
    fs::write(&file, "no folder").expect("written");
    let findings = folder.text("findings");
    let table: [(i32, &[&str], &str); 9] = [
        (2, &["--time", "soon"], "expected a time, such as 60s, 5m or 8h"),
        (2, &["--time", "0s"], "expected a time"),
        (2, &["--runs", "0"], "--runs"),
        (2, &["--time", "1s", "--runs", "1"], "cannot be used with"),
        (2, &["--shard", "5/4"], "expected I/N"),
        (2, &["--runs", "1", "--corpus", &file], &file),
        (4, &["--runs", "1", "--shard", "2/4", "--findings", &findings], "there was no run in this part"),
        (2, &["--runs", "1", "--findings", &file], &file),
        (3, &["--runs", "1", "--target", "no-such-program-anywhere"], "no-such-program-anywhere"),
    ];
    for (code, arguments, why) in table {
        let (_, err) = expect(code, &[&["fuzz"], arguments].concat());
        assert!(err.contains(why), "{arguments:?}: {err}");
    }
}

/// Four parts, in any order, are one run: its verdicts in its order, and its sums.
#[test]
fn four_parts_of_a_run_merged_are_the_run() {
    let folder = Folder::new();
    let report = |name: &str, more: &[&str]| {
        let path = folder.text(name);
        let fixed = ["run", "--dialect", "inline-tag", "--format", "json", "--out", &path];
        expect(0, &[&fixed[..], more].concat());
        path
    };
    let whole = report("whole.ndjson", &["--seed", "3"]);
    let mut parts: Vec<String> = (1..=4)
        .map(|part| report(&format!("part-{part}.ndjson"), &["--seed", "3", "--shard", &format!("{part}/4")]))
        .collect();
    parts.rotate_left(1);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let merged = folder.text("merged.ndjson");
    let (out, _) = expect(0, &[&["merge"], &parts[..], &["--out", &merged]].concat());
    assert!(out.contains("conforms: "), "{out}");
    let records = |path: &str| -> Vec<Value> {
        let text = fs::read_to_string(path).expect("a report");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let comparable = |path: &str| -> Vec<Value> {
        let mut records = records(path);
        for record in &mut records {
            // What was measured is never the same twice.
            if record["check"] == "cost" {
                record["note"] = Value::Null;
            }
        }
        records
    };
    let (merged_records, whole_records) = (comparable(&merged), comparable(&whole));
    for (merged, whole) in merged_records.iter().zip(&whole_records) {
        assert_eq!(merged, whole);
    }
    assert_eq!(merged_records.len(), whole_records.len());
    // And without --out to standard output, the same.
    let (out, _) = expect(0, &[&["merge"], &parts[..]].concat());
    assert_eq!(out, fs::read_to_string(&merged).expect("a report"));

    let half = folder.text("half.ndjson");
    let text = fs::read_to_string(parts[1]).expect("a report");
    fs::write(&half, &text[..text.len() / 2]).expect("written");
    let fewer = folder.text("fewer.ndjson");
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&fewer, [&lines[..4], &lines[8..]].concat().join("\n")).expect("written");
    let cases = report("cases.ndjson", &["--seed", "3", "--shard", "1/4", "--filter", "near"]);
    let checks = report("checks.ndjson", &["--seed", "3", "--shard", "1/4", "--check", "expect"]);
    let other = report("other.ndjson", &["--shard", "2/4", "--seed", "4"]);
    for (files, why) in [
        (vec![parts[0], parts[1], parts[2]], "part"),
        (vec![parts[0], parts[1], parts[2], &half], "half.ndjson"),
        (vec![parts[0], parts[1], parts[2], &other], "other.ndjson"),
        (vec![parts[0], &fewer, parts[2], parts[3]], "lines are missing"),
        (vec![parts[0], parts[1], parts[2], &cases], "cases.ndjson"),
        (vec![parts[0], parts[1], parts[2], &checks], "checks.ndjson"),
        (vec!["/no/such/report.ndjson"], "/no/such/report.ndjson"),
    ] {
        let (out, err) = expect(2, &[&["merge"], &files[..]].concat());
        assert!(err.contains(why) && out.is_empty(), "{files:?}: {err}");
    }
}

/// More parts than cases: those that hold none are parts all the same.
#[test]
fn parts_without_a_case_are_merged() {
    let folder = Folder::new();
    let mut parts = Vec::new();
    for part in 1..=3 {
        let (path, shard) = (folder.text(&format!("{part}.ndjson")), format!("{part}/3"));
        let arguments = ["run", "--filter", "plain-text-passes", "--format", "json", "--out", &path, "--shard", &shard];
        let cases = anysplit::spec::cases().expect("the cases load");
        let count = cases.iter().filter(|case| case.id.contains("plain-text-passes")).count();
        expect(if part <= count { 0 } else { 4 }, &arguments);
        parts.push(path);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    expect(0, &[&["merge"], &parts[..]].concat());
}

/// What comes out of a target may nest as deep as it likes.
#[test]
fn reports_with_deep_events_are_merged() {
    let folder = Folder::new();
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    let case = format!(
        r#"{{"dialect": "ndjson", "cases": [{{"name": "deep", "input": {{"bytes": "MQ=="}}, "events": [{{"type": "value", "value": {deep}}}]}}]}}"#
    );
    fs::write(folder.path("deep.json"), case).expect("written");
    let report = folder.text("report.ndjson");
    expect(1, &["run", "--cases", &folder.text("deep.json"), "--format", "json", "--out", &report]);
    let (out, _) = expect(1, &["merge", &report]);
    assert_eq!(out, fs::read_to_string(&report).expect("a report"));
}
