//! Your own implementation, as a newcomer hooks it up: `init`, `doctor`, `run`, `diff`, and the suite in a crate of one's own.
//!
//! What needs Python or Node is passed over where they are not installed, and says so.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn anysplit(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anysplit")).current_dir(folder).args(arguments).output().expect("the binary runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn is_there(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = status.is_ok_and(|status| status.success());
    if !there {
        eprintln!("passed over: {program} is not installed");
    }
    there
}

/// What `init` writes is sound, and fails some cases, but not all, until it is edited.
fn init_works(lang: &str, program: &str, script: &str) {
    if !is_there(program) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let written = anysplit(folder.path(), &["init", "--lang", lang, "mine"]);
    assert!(written.status.success(), "{}", text(&written));
    let mine = folder.path().join("mine");
    let target = format!("{program} {script}");
    let doctor = anysplit(&mine, &["doctor", "--target", &target, "--validate"]);
    assert_eq!(doctor.status.code(), Some(0), "{}", text(&doctor));
    assert!(text(&doctor).contains("\nsound: "), "{}", text(&doctor));

    let cases = ["--dialect", "inline-tag", "--filter", "several", "--filter", "plain", "--filter", "near-miss"];
    let run =
        |more: &[&str]| anysplit(&mine, &[&["run", "--target", &target, "--validate"], &cases[..], more].concat());
    let judged = run(&["--quiet"]);
    assert_eq!(judged.status.code(), Some(1), "{}", text(&judged));
    assert!(text(&judged).contains("FAIL inline-tag/") && text(&judged).contains("│"), "{}", text(&judged));
    let passed = text(&judged).split(" checks passed").next().and_then(|text| text.rsplit(' ').next()?.parse().ok());
    assert!(passed > Some(20_usize), "{}", text(&judged));

    // What fails becomes known, and then it is fine.
    assert_eq!(run(&["--write-known", "known.json"]).status.code(), Some(0));
    let known = run(&["--known", "known.json"]);
    assert_eq!(known.status.code(), Some(0), "{}", text(&known));

    let diff = anysplit(&mine, &[&["diff", "--target", &target], &cases[..]].concat());
    assert_eq!(diff.status.code(), Some(1), "{}", text(&diff));
    assert!(text(&diff).contains("against reference") && text(&diff).contains("\nleak: "), "{}", text(&diff));
    let same = anysplit(&mine, &[&["diff", "--target", &target, "--target", &target], &cases[..]].concat());
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
}

#[test]
fn python_in_five_minutes() {
    init_works("python", "python3", "adapter.py");
}

#[test]
fn node_in_five_minutes() {
    init_works("node", "node", "adapter.mjs");
}

#[test]
fn init_overwrites_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.txt"), "mine").expect("written");
    let refused = anysplit(folder.path(), &["init", "--lang", "rust", "."]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("is not empty"), "{}", text(&refused));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// The test of the example crate, built with this one, as its `cargo test` would run it.
#[test]
fn rust_in_five_minutes() {
    let this = std::env::current_exe().expect("it runs");
    let built = this.ancestors().nth(2).expect("target/<profile>/deps/<this>").join("examples/conformance");
    let judge = |filter: &str| {
        let arguments = ["--quiet", "--color", "never", filter];
        Command::new(&built).args(arguments).output().expect("the example was built with the tests")
    };
    let passed = judge("plain-text-passes");
    assert!(text(&passed).contains("test result: ok. ") && !text(&passed).contains(" 0 passed"), "{}", text(&passed));
    let failed = judge("half-an-opening-after-a-whole-call");
    assert!(!failed.status.success(), "a parser that looks at each chunk alone cannot conform");
    assert!(text(&failed).contains("splittings fail"), "{}", text(&failed));
}

/// What `init --lang rust` writes is that crate. Its own `cargo test` takes a build of its own, so it runs where
/// ANYSPLIT_LARGE is set, as in CI.
#[test]
fn init_writes_the_example_crate() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = anysplit(folder.path(), &["init", "--lang", "rust", "mine"]);
    assert!(written.status.success(), "{}", text(&written));
    let mine = folder.path().join("mine");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src/lib.rs", "tests/conformance.rs"] {
        let read = |path: &Path| std::fs::read_to_string(path.join(file)).expect("it is there");
        assert_eq!(read(&mine), read(&root.join("examples/rust")));
    }
    if std::env::var_os("ANYSPLIT_LARGE").is_none() {
        return;
    }
    // The versions that are there already, so that nothing is fetched.
    std::fs::copy(root.join("Cargo.lock"), mine.join("Cargo.lock")).expect("it is there");
    let judged = Command::new(env!("CARGO"))
        .current_dir(&mine)
        .args(["test", "--offline", "--quiet", "--test", "conformance", "--", "--color", "never", "plain-text-passes"])
        .env("CARGO_TARGET_DIR", mine.join("target"))
        .output()
        .expect("cargo runs");
    assert!(text(&judged).contains("test result: ok. ") && !text(&judged).contains(" 0 passed"), "{}", text(&judged));
}

#[test]
fn a_target_that_cannot_be_talked_to_is_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let table: [(&[&str], i32, &str); 5] = [
        (&["run", "--target", "no-such-program-anywhere"], 3, "cannot be started"),
        (&["doctor", "--target", "no-such-program-anywhere"], 3, "cannot be started"),
        (&["run", "--target", "'open quote"], 2, "no command line"),
        (&["run", "--target", env!("CARGO_BIN_EXE_anysplit")], 3, "cannot be judged"),
        (&["diff", "--target", "no-such-program-anywhere"], 3, "cannot be started"),
    ];
    for (arguments, code, words) in table {
        let output = anysplit(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {}", text(&output));
        assert!(text(&output).contains(words), "{arguments:?} {}", text(&output));
    }
}

/// Every message that PROTOCOL.md shows follows its schema.
#[test]
fn the_protocols_examples_follow_its_schema() {
    let schema = anysplit::spec::file("schema/protocol.schema.json").expect("embedded");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let document = anysplit::spec::file("PROTOCOL.md").expect("embedded");
    let lines = document.lines().map(|line| line.trim_start_matches(['>', '<']).trim());
    let messages: Vec<&str> = lines.filter(|line| line.starts_with("{\"id\":")).collect();
    assert!(messages.len() > 20);
    for message in messages {
        let value = serde_json::from_str(message).expect(message);
        assert!(validator.is_valid(&value) || message.contains("\"sing\""), "{message}");
    }
}
