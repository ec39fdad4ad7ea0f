//! Does the work grow linearly? Counted in instructions, which repeat on any machine.
//!
//! `cargo bench --bench instructions` runs itself under `valgrind --tool=callgrind` on inputs of size n and 4n and fails if
//! the larger takes more than 4.4 times the instructions. What it costs to start and to build the input is counted on its
//! own and left out.

use std::env;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use anysplit::dialect::{InlineTag, MarkdownFence, Options, ToolSession};
use anysplit::machine::{Discard, Machine};

const MOST: f64 = 4.4;

/// What to feed: a name, what stands before and after, what is repeated, and how many characters a chunk has.
const SHAPES: &[(&str, &str, &str, &str, &str, usize)] = &[
    ("inline-tag", "text in 4s", "", "plain words and ", "", 4),
    ("inline-tag", "argument in 1s", "<tool_call name=\"a\" args={\"s\":\"", "x", "\"}></tool_call>", 1),
    ("inline-tag", "near misses in 4s", "", "<tool_call nam <", "", 4),
    ("inline-tag", "calls in 4s", "", "<tool_call name=\"a\"></tool_call>", "", 4),
    ("tool-session", "argument in 1s", "<tool_call name=\"a\" args={\"s\":\"", "x", "\"}></tool_call>", 1),
    ("markdown-fence", "text in 4s", "", "plain words and\n", "", 4),
    ("markdown-fence", "argument in 1s", "```tool\n{\"input\":\"", "x", "\"}\n```\n", 1),
    ("markdown-fence", "near misses in 4s", "", "   ``` tools\n```\n", "", 4),
    ("markdown-fence", "blocks in 4s", "", "```tool\n{}\n```\n", "", 4),
];

/// Bytes of input; 4n is a megabyte, just below the limit of an unfinished call.
const N: usize = 250_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    if let [_, work, shape, size] = &arguments[..]
        && work == "--work"
    {
        let parse = |number: &String| number.parse::<usize>().unwrap_or(0);
        run(parse(shape), parse(size));
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: nothing was measured");
        return ExitCode::SUCCESS;
    }
    println!("instructions for {N} and {} bytes; at most {MOST} times as many are allowed", 4 * N);
    let mut good = true;
    for (number, (dialect, shape, ..)) in SHAPES.iter().enumerate() {
        let count = |size| instructions(number, size);
        let (Some(empty), Some(small), Some(large)) = (count(0), count(N), count(4 * N)) else {
            println!("{dialect:15} {shape:18} could not be measured");
            good = false;
            continue;
        };
        let (small, large) = (small - empty, large - empty);
        let ratio = large / small;
        println!("{dialect:15} {shape:18} {:8.1} M {:8.1} M  ratio {ratio:.2}", small / 1e6, large / 1e6);
        good &= ratio <= MOST;
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(shape: usize, size: usize) {
    let (dialect, _, before, filling, after, chunk) = SHAPES[shape];
    let text = [before, &filling.repeat(size / filling.len()), after].concat();
    let options = Options::default();
    match dialect {
        "inline-tag" => feed(InlineTag::new(&options).expect("no options"), &text, chunk),
        "tool-session" => feed(ToolSession::new(&options).expect("no options"), &text, chunk),
        _ => feed(MarkdownFence::new(&options).expect("no options"), &text, chunk),
    }
}

fn feed<M: Machine<Chunk = str>>(mut machine: M, text: &str, chunk: usize) {
    for chunk in text.as_bytes().chunks(chunk) {
        machine.feed(black_box(str::from_utf8(chunk).expect("ASCII")), &mut Discard);
    }
    machine.finish(&mut Discard);
}

/// Instructions that a child of this program needs for one shape and size.
fn instructions(shape: usize, size: usize) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().ok()?)
        .args(["--work", &shape.to_string(), &size.to_string()])
        .output()
        .ok()?;
    let report = String::from_utf8_lossy(&output.stderr);
    report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}
