//! Memory stays flat, however long the stream and however many calls wait.

use std::io::{BufWriter, Read, Write};
use std::process::{Child, Stdio};
use std::{env, fs, thread};

use serde_json::json;

/// The id of the calls of a block; its digits are replaced.
const ID: &str = "call-00000000";
/// How often an id stands in a call: start, four deltas, input, output.
const TIMES: usize = 7;

/// A gigabyte where ANYSPLIT_LARGE is set, as in CI; an eighth of it otherwise, for builds that are not optimised.
#[test]
fn it_does_not_grow_with_the_stream() {
    let size: usize = if env::var_os("ANYSPLIT_LARGE").is_some() { 1 << 30 } else { 128 << 20 };
    let mut child = crate::support::check(&["-", "--dialect", "chat-chunks"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let out = thread::spawn(move || {
        let mut out = String::new();
        stdout.read_to_string(&mut out).map(|_| out)
    });
    let (mut block, ids) = block();
    let (mut calls, mut written, mut early) = (0, 0, None);
    stdin.write_all(b"{\"type\":\"start\"}\n").expect("it reads");
    while written < size {
        for places in ids.chunks(TIMES) {
            calls += 1;
            let digits = format!("{calls:08}");
            for &place in places {
                block[place..place + digits.len()].copy_from_slice(digits.as_bytes());
            }
        }
        stdin.write_all(&block).expect("it reads");
        written += block.len();
        if early.is_none() && written >= size / 4 {
            early = Some(peak(&child));
        }
    }
    stdin.write_all(b"{\"type\":\"finish\"}\n").expect("it reads");
    let (early, late) = (early.expect("it was looked at"), peak(&child));
    drop(stdin);
    let out = out.join().expect("no panic").expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{out}");
    assert!(out.contains("\nconforms: ") && out.contains(&format!(" {calls} calls, ")), "{out}");
    let told = format!("{} KiB after a quarter, {} KiB at the end", early >> 10, late >> 10);
    assert!(late < 64 << 20, "{told}");
    assert!(late.abs_diff(early) < 16 << 20, "{told}");
}

/// Calls that wait for ever, many and small, or few with a long input: neither is held. Half of it where
/// ANYSPLIT_LARGE is not set.
#[test]
fn it_does_not_grow_with_calls_that_wait() {
    const CALL: (&str, &str) = ("ai-sdk-parts", "tool-call");
    const INPUT: (&str, &str) = ("chat-chunks", "tool-input-available");
    const REQUEST: (&str, &str) = ("chat-chunks", "tool-approval-request");
    let few = (2_500, 32 << 10, 64 << 20);
    // Two generations of 65,536 calls, at about a kilobyte each with what an allocator adds.
    let many = (300_000, 64, 144 << 20);
    let all = [(CALL, few), (REQUEST, many), (INPUT, few), (CALL, many)];
    let some = if env::var_os("ANYSPLIT_LARGE").is_some() { &all[..] } else { &all[..2] };
    for &((dialect, kind), (calls, long, most)) in some {
        let (early, late) = waiting(dialect, kind, calls, long);
        let told = format!("{} KiB after a half, {} KiB at the end: {kind}", early >> 10, late >> 10);
        assert!(late < most, "{told}");
        assert!(late.abs_diff(early) < 8 << 20, "{told}");
    }
}

/// The most memory held after half of so many calls, and after all of them.
fn waiting(dialect: &str, kind: &str, calls: usize, long: usize) -> (u64, u64) {
    let mut child = crate::support::check(&["-", "--dialect", dialect])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = BufWriter::new(child.stdin.take().expect("piped"));
    let input = "x".repeat(long);
    let [mut early, mut late] = [0, 0];
    writeln!(stdin, r#"{{"type":"start"}}"#).expect("it reads");
    for call in 1..=calls {
        let (id, name) = (format!("call-{call:08}"), r#""toolName":"write""#);
        writeln!(stdin, r#"{{"type":"{kind}","toolCallId":"{id}",{name},"input":{{"text":"{input}"}}}}"#)
            .expect("it reads");
        if call == calls / 2 {
            early = peak(&child);
        } else if call == calls {
            late = peak(&child);
        }
    }
    writeln!(stdin, r#"{{"type":"finish"}}"#).expect("it reads");
    drop(stdin.into_inner().expect("it reads"));
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains("\nconforms: ") && out.contains(&format!(" {calls} calls, ")), "{out}");
    let waits = if kind == "tool-approval-request" { "approval-requested" } else { "input-available" };
    assert!(out.contains(&format!("  {calls}  {waits}  call-00000001, ")) || calls < 100_000, "{out}");
    (early, late)
}

/// About 4 MiB of calls with 8 KiB of input and of output, and of text between them; and where the digits of the ids are.
fn block() -> (Vec<u8>, Vec<usize>) {
    let long = "so long ".repeat(1 << 10);
    let input = json!({ "text": long });
    let joined = input.to_string();
    let mut chunks = vec![json!({"type": "tool-input-start", "toolCallId": ID, "toolName": "write"})];
    let quarter = joined.len().div_ceil(4);
    for delta in [0, 1, 2, 3].map(|at| &joined[at * quarter..joined.len().min((at + 1) * quarter)]) {
        chunks.push(json!({"type": "tool-input-delta", "toolCallId": ID, "inputTextDelta": delta}));
    }
    chunks.push(json!({"type": "tool-input-available", "toolCallId": ID, "toolName": "write", "input": input}));
    chunks.push(json!({"type": "tool-output-available", "toolCallId": ID, "output": long}));
    for _ in 0..8 {
        chunks.push(json!({"type": "text-delta", "id": "0", "delta": &long[..4 << 10]}));
    }
    let lines: String = chunks.iter().map(|chunk| format!("{chunk}\n")).collect();
    let block = lines.repeat((4 << 20) / lines.len());
    let digits = ID.len() - ID.trim_end_matches('0').len();
    let ids: Vec<usize> = block.match_indices(ID).map(|(at, id)| at + id.len() - digits).collect();
    assert!(ids.len() > TIMES && ids.len().is_multiple_of(TIMES), "whole calls");
    (block.into_bytes(), ids)
}

/// The most memory that it has held, in bytes.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it still runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux tells");
    let kib = line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
    kib.expect("a number") << 10
}
