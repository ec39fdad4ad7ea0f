//! Bad case files: each is refused with a message that names file, case and place, and the schema refuses it too.

use std::fs;

use anysplit::case::{CaseFile, read_all};
use anysplit::input::Input;
use anysplit::spec;

/// A file with one case, in which `from` is replaced.
fn file_with(from: &str, to: &str) -> String {
    let good = r#"{"dialect": "inline-tag", "cases": [
        {"name": "a", "rules": ["T1"], "level": "must", "options": {}, "input": ["x", "y"], "grow": 1,
         "events": [{"type": "text", "text": "xy"}]}]}"#;
    assert!(from.is_empty() || good.contains(from), "{from}");
    good.replacen(from, to, usize::from(!from.is_empty()))
}

fn schema_accepts(content: &str) -> bool {
    let (_, schema) = spec::FILES.iter().find(|(path, _)| *path == "schema/cases.schema.json").expect("embedded");
    let schema = serde_json::from_str(schema).expect("a JSON file");
    serde_json::from_str(content)
        .is_ok_and(|value| jsonschema::validator_for(&schema).expect("a schema").is_valid(&value))
}

#[test]
fn a_good_file_is_accepted() {
    let content = file_with("", "");
    assert!(schema_accepts(&content));
    let cases = CaseFile::parse("good.json", &content).expect("accepted").cases;
    assert_eq!(cases[0].id, "inline-tag/a");
    assert_eq!(cases[0].grown(3), Some(Input::Text("xyyy".to_owned())));
}

#[test]
fn what_the_schema_refuses_is_refused_with_a_place() {
    let table = [
        (
            "\"inline-tag\"",
            "\"inline_tag\"",
            r#"bad.json: field "dialect": unknown dialect "inline_tag"; there are markdown-fence"#,
        ),
        ("\"dialect\"", "\"dialekt\"", r#"bad.json: unknown field "dialekt""#),
        ("\"name\": \"a\"", "\"name\": \"A b\"", r#"bad.json: case "A b": field "name" must be lower-case"#),
        ("{\"dialect\"", "{\"$schema\": 5, \"dialect\"", r#"bad.json: field "$schema" must be a string"#),
        ("{\"type\": \"text\", \"text\": \"xy\"}", "{\"type\": \"\"}", "event number 1: an event is an object"),
        ("\"name\": \"a\", ", "", r#"bad.json: case number 1: field "name" is missing"#),
        ("\"must\"", "\"musst\"", r#"case "a": field "level" must be must, should or may, not "musst""#),
        ("[\"T1\"]", "[]", r#"field "rules" must be a list"#),
        ("[\"T1\"]", "[\"T1\", \"T1\"]", r#"field "rules" names "T1" twice"#),
        ("\"input\"", "\"inputs\"", r#"unknown field "inputs"; there are name, rules"#),
        ("[\"x\", \"y\"]", "[\"x\", 1]", r#"field "input" must be a string or a list of strings"#),
        ("\"grow\": 1", "\"grow\": -1", r#"field "grow" must be the index"#),
        ("[\"x\", \"y\"]", "\"xy\"", r#"field "grow" must be the index"#),
        ("{\"type\": \"text\", \"text\": \"xy\"}", "{\"text\": \"xy\"}", "event number 1: an event is an object"),
        ("{\"type\": \"text\", \"text\": \"xy\"}", "7", "event number 1: an event is an object"),
        ("\"options\": {}", "\"options\": 1", r#"field "options" must be an object"#),
    ];
    for (from, to, expected) in table {
        let content = file_with(from, to);
        assert!(!schema_accepts(&content), "the schema accepts {to}");
        let error = CaseFile::parse("bad.json", &content).expect_err(to).to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn what_no_schema_can_say_is_refused_too() {
    let table = [
        ("[\"T1\"]", "[\"T99\"]", r#"inline-tag has no rule "T99""#),
        ("[\"T1\"]", "[\"F1\"]", r#"inline-tag has no rule "F1""#),
        (
            "\"level\": \"must\"",
            "\"level\": \"must\", \"level\": \"may\"",
            r#"the key "level" stands here twice at line 2"#,
        ),
        ("\"options\": {}", "\"options\": {\"limits\": 3}", r#"option "limits": unknown; there are limit"#),
        ("\"options\": {}", "\"options\": {\"limit\": 0}", r#"option "limit": expected a number of bytes above 0"#),
        ("\"grow\": 1", "\"grow\": 2", r#"field "grow" must be the index"#),
        ("{\"type\": \"text\", \"text\": \"xy\"}", "{\"type\": \"text\", \"text\": \"\"}", "is not in normal form"),
        ("]}]}", "]}", "not a JSON file of cases"),
        ("]}]}", "]}]} x", "trailing characters at line 3"),
    ];
    for (from, to, expected) in table {
        let error = CaseFile::parse("bad.json", &file_with(from, to)).expect_err(to).to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn absurd_nesting_is_an_error_and_not_a_crash() {
    let error = CaseFile::parse("deep.json", &"[".repeat(200_000)).expect_err("too deep").to_string();
    assert_eq!(error, "deep.json: nests deeper than 512 at line 1");
}

#[test]
fn sessions_say_what_is_wrong_with_their_options() {
    let table = [
        (r#"{"start": "yesterday"}"#, "expected a time like 2025-01-20T14:30:00Z"),
        (r#"{"start": "2025-01-20T14:30:00+02:00"}"#, "expected a time like 2025-01-20T14:30:00Z"),
        (r#"{"start": "2025-01-20T14:30:00.5Z"}"#, "expected a time like 2025-01-20T14:30:00Z"),
        (r#"{"start": "2025-01-20T14:30:60Z"}"#, "expected a time like 2025-01-20T14:30:00Z"),
        (r#"{"start": "20250120T143000Z"}"#, "expected a time like 2025-01-20T14:30:00Z"),
        (r#"{"tools": {"a": {}}}"#, "missing field `id`"),
        (r#"{"tools": {"a": {"id": "x", "result": null, "error": "e"}}}"#, "\"a\" has both a result and an error"),
        (r#"{"tools": {"a": {"id": "x", "delay": -1}}}"#, "option \"tools\""),
        (r#"{"frames": 1}"#, "expected true or false"),
        (r#"{"messageId": 1}"#, "expected a string"),
    ];
    for (options, expected) in table {
        let content = format!(
            r#"{{"dialect": "tool-session", "cases": [{{"name": "a", "options": {options}, "input": "", "events": []}}]}}"#
        );
        let error = CaseFile::parse("bad.json", &content).expect_err(options).to_string();
        assert!(error.contains(expected), "{options}: {error}");
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_with_a_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.json");
    fs::write(&path, b"{\n\"dialect\": \"\xff\"}").expect("written");
    let error = read_all(&[path]).expect_err("not UTF-8").to_string();
    assert!(error.contains("bad.json: not UTF-8 at line 2, byte 14 of the file"), "{error}");
    let error = CaseFile::parse("bom.json", &format!("\u{feff}{}", file_with("", ""))).expect_err("a BOM").to_string();
    assert_eq!(error, "bom.json: begins with a byte order mark; save it without");
}

#[test]
fn names_are_unique_over_all_files() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("one.json"), file_with("", "")).expect("written");
    fs::write(folder.path().join("two.json"), file_with("", "")).expect("written");
    let error = read_all(&[folder.path().to_owned()]).expect_err("a duplicate").to_string();
    assert!(error.contains("two.json: case \"inline-tag/a\": the name is already used in"), "{error}");
    assert!(error.contains("one.json"), "{error}");
}
