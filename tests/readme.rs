//! Every command of the README is run: those of the program here, those of cargo and the whole suite by `.ci/run`, which has an
//! optimised build.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");
const CI: &str = include_str!("../.ci/run");

#[test]
fn every_command_works() {
    let blocks = README.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(commands.len() > 5);
    let folder = tempfile::tempdir().expect("a folder");
    for command in commands {
        match command.strip_prefix("cargo run --release -- ") {
            Some(arguments) if ["python3", "replay"].iter().any(|it| arguments.contains(it)) && !has_python() => {
                eprintln!("passed over, for want of python3: {command}");
            }
            Some("run") => assert!(CI.contains("target/release/anysplit run >"), "the whole suite is not in .ci/run"),
            Some(arguments) => run(arguments, folder.path()),
            None => assert!(in_ci(command), "{command:?} is in the README and not in .ci/run"),
        }
    }
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs the program on the project's files, but lets it write elsewhere.
fn run(arguments: &str, folder: &Path) {
    let mut there = arguments.to_owned();
    if arguments.starts_with("fuzz") {
        there = there.replace("--time 10s", "--time 2s") + " --findings findings";
    }
    for written in ["report.ndjson", "my-adapter", "known.json", "findings"] {
        there = there.replace(&format!(" {written}"), &format!(" {}", folder.join(written).display()));
    }
    if arguments.contains("known") {
        there += " --filter near"; // the whole suite was put to the same adapter before
    }
    let words = shlex::split(&there).expect("words");
    let output = Command::new(env!("CARGO_BIN_EXE_anysplit")).args(words).output().expect("it runs");
    let bypassed = arguments.contains("approval-bypassed.sse");
    let judges = ["run --target", "fuzz --target", "replay"].iter().any(|command| arguments.starts_with(command));
    let starts_with_faults = judges && !arguments.contains("known");
    let wrong_on_purpose = arguments.contains("own-cases.json");
    let fails = bypassed || starts_with_faults || wrong_on_purpose;
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(i32::from(fails)), "{arguments}\n{printed}");
    if bypassed {
        let shown = README.split("```text\n").find(|text| text.starts_with("C12 must")).unwrap_or_default();
        assert_eq!(shown.split("```").next().unwrap_or_default(), printed, "the README shows something else");
    } else if wrong_on_purpose {
        shows_the_same_failure(&printed);
    }
}

/// The lines of a run in the README are printed by it, as far as this is known: `.ci/run` sets the variable.
#[test]
fn the_run_is_as_shown() {
    let shown = README.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    assert!(shown.lines().count() > 2);
    let cases = anysplit::spec::cases().expect("the embedded cases load").len();
    assert!(shown.contains(&format!("conforms: {cases} cases, ")), "there are {cases} cases");
    let Some(path) = std::env::var_os("ANYSPLIT_RUN_OUTPUT") else { return };
    let printed = std::fs::read_to_string(path).expect("the output of a run");
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
    let steps = ["step", "measure", "step_with c++"].map(|step| format!("{step} {command}"));
    plain.lines().any(|line| steps.iter().any(|step| line.trim() == step))
}
