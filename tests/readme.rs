//! Every command of the README is run: those of the program here, those of cargo by `.ci/run`.

use std::process::Command;

const README: &str = include_str!("../README.md");
const CI: &str = include_str!("../.ci/run");

#[test]
fn every_command_works() {
    let blocks = README.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(commands.len() > 5);
    for command in commands {
        match command.strip_prefix("cargo run --release -- ") {
            Some(arguments) => run(arguments),
            None => assert!(in_ci(command), "{command:?} is in the README and not in .ci/run"),
        }
    }
}

/// Runs the program on the project's files, but lets it write elsewhere.
fn run(arguments: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.ndjson").display().to_string();
    let arguments = arguments.replace("report.ndjson", &report);
    let output = Command::new(env!("CARGO_BIN_EXE_anysplit")).args(arguments.split(' ')).output().expect("it runs");
    let wrong_on_purpose = arguments.contains("own-cases.json");
    assert_eq!(output.status.code(), Some(i32::from(wrong_on_purpose)), "{arguments}");
    let printed = String::from_utf8_lossy(&output.stdout);
    if wrong_on_purpose {
        shows_the_same_failure(&printed);
    } else if arguments == "run" {
        shows_the_same_run(&printed);
    }
}

/// The lines of a run in the README are printed by it.
fn shows_the_same_run(printed: &str) {
    let shown = README.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    assert!(shown.lines().count() > 2);
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(
            printed.lines().any(|printed| printed == line),
            "the README shows {line:?}, which is not in\n{printed}"
        );
    }
}

/// The failure in the README is the one that is printed.
fn shows_the_same_failure(printed: &str) {
    let start = README.find("FAIL inline-tag/wrong-on-purpose ·").expect("in the README");
    let shown = README[start..].split("```\n").next().unwrap_or_default();
    assert!(
        shown.lines().count() > 10 && printed.contains(shown.trim_end()),
        "the README shows another failure than\n{printed}"
    );
}

fn in_ci(command: &str) -> bool {
    // CI adds flags that a person does not need.
    let plain = CI.replace(" --locked", "").replace(" --quiet", "");
    plain.lines().any(|line| line.trim() == format!("step {command}"))
}
