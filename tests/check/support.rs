//! Running the program, and reading what it printed.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

use anysplit::spec;
use serde_json::Value;

/// The command, not through any proxy.
pub(crate) fn check(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anysplit"));
    command.arg("check").args(arguments);
    for proxy in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"] {
        command.env_remove(proxy);
    }
    command
}

/// Checks with these arguments, expects this exit code, and returns what was printed on both streams.
pub(crate) fn expect(code: i32, arguments: &[&str]) -> (String, String) {
    let output = check(arguments).stdin(Stdio::null()).output().expect("the binary runs");
    told(code, &output, arguments)
}

/// Checks these bytes through standard input.
pub(crate) fn expect_of(code: i32, stream: &[u8], arguments: &[&str]) -> (String, String) {
    let arguments = [&["-"][..], arguments].concat();
    let mut child = check(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("piped");
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(stream).expect("it reads all"));
        child.wait_with_output().expect("it ends")
    });
    told(code, &output, &arguments)
}

pub(crate) fn told(code: i32, output: &Output, arguments: &[&str]) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(!err.contains("panicked"), "{arguments:?}\n{err}");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

/// The path of a capture that comes with the project.
pub(crate) fn capture(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/captures").join(name).display().to_string()
}

/// The chunks that a capture holds, without the last word.
pub(crate) fn chunks_of(sse: &str) -> Vec<&str> {
    sse.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]").collect()
}

pub(crate) fn sentence(rule: &str) -> &'static str {
    &spec::rule(rule).expect("there is such a rule").sentence
}

pub(crate) fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let (_, after) =
            rest.split_once(part).unwrap_or_else(|| panic!("{part:?} is missing or out of order in\n{text}"));
        rest = after;
    }
}

/// The rules that the summary lists under this word.
pub(crate) fn listed<'a>(out: &'a str, word: &str) -> Vec<&'a str> {
    let line = out.lines().find_map(|line| line.trim_start().strip_prefix(word));
    line.unwrap_or_else(|| panic!("{word} in\n{out}")).split_whitespace().collect()
}

/// The lines of a JSON report, each of which its schema allows.
pub(crate) fn records(text: &str) -> Vec<Value> {
    let schema = spec::FILES.iter().find(|(path, _)| *path == "schema/check.schema.json").expect("embedded").1;
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for record in &records {
        if let Err(error) = validator.validate(record) {
            panic!("{error} in {record}");
        }
    }
    assert!(records.len() >= 2, "{text}");
    records
}

pub(crate) fn violations(records: &[Value]) -> impl Iterator<Item = &Value> {
    records.iter().filter(|record| record["type"] == "violation")
}
