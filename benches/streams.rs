//! How fast streams are decoded and linted, as ratios to `serde_json` reading the same payloads in the same run.
//!
//! `cargo bench --bench streams` prints a table and fails if decoding is less than three times as fast as `serde_json` building a
//! `Value` from each payload, or if linting a `chat-chunks` stream takes more than 1.5 times as long as that. Both sides are
//! measured in turn and the fastest of several rounds counts, so that a noisy machine disturbs both alike.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use anysplit::dialect::Dialect;
use anysplit::lint::Linter;
use anysplit::scan::{lines, sse};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const CHUNK: usize = 64 << 10;
const LIMIT: usize = 1 << 20;

fn main() -> ExitCode {
    let payloads = payloads(16 << 20);
    let framed: Vec<u8> = payloads.iter().flat_map(|payload| format!("data: {payload}\n\n").into_bytes()).collect();
    let lined: Vec<u8> = payloads.iter().flat_map(|payload| format!("{payload}\n").into_bytes()).collect();
    let parse = || timed(|| payloads.iter().for_each(|payload| drop(black_box(value(payload.as_bytes())))));
    println!("events of about 1 KiB in chunks of {} KiB; times as fast as serde_json building a Value", CHUNK >> 10);
    let mut good = true;
    good &= faster("sse", parse, || timed(|| decode_sse(&framed)));
    good &= faster("ndjson", parse, || timed(|| decode_lines(&lined)));
    good &= check();
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Chunks of a chat, each of about 1 KiB.
fn payloads(size: usize) -> Vec<String> {
    let words = "The quick brown fox jumps over the lazy dog, again and again. ".repeat(15);
    let payload = |number: usize| json!({"type": "text-delta", "id": number.to_string(), "delta": words}).to_string();
    (0..size / 1024).map(payload).collect()
}

fn value(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("it is JSON")
}

/// How long this thread works on something: what else the machine does in the meantime counts little.
fn timed(work: impl FnOnce()) -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default();
    let start = now();
    work();
    now() - start
}

fn decode_sse(bytes: &[u8]) {
    let mut decoder = sse::Decoder::new(LIMIT);
    for chunk in bytes.chunks(CHUNK) {
        decoder.feed(black_box(chunk), &mut |frame| {
            black_box(frame);
        });
    }
}

fn decode_lines(bytes: &[u8]) {
    let mut decoder = lines::Decoder::new(LIMIT);
    for chunk in bytes.chunks(CHUNK) {
        decoder.feed(black_box(chunk), &mut |found| {
            black_box(found);
        });
    }
    decoder.finish(&mut |found| {
        black_box(found);
    });
}

fn faster(name: &str, parse: impl Fn() -> Duration, decode: impl Fn() -> Duration) -> bool {
    let (parsed, decoded) = fastest(20, parse, decode);
    let ratio = parsed.as_secs_f64() / decoded.as_secs_f64();
    println!("{name:12} {ratio:5.1} times as fast (at least 3)");
    ratio >= 3.0
}

fn fastest(rounds: usize, one: impl Fn() -> Duration, other: impl Fn() -> Duration) -> (Duration, Duration) {
    (0..rounds).fold((Duration::MAX, Duration::MAX), |(a, b), _| (a.min(one()), b.min(other())))
}

/// A 100 MB stream of text and tool calls, as a server would send it. Both sides go over it chunk by chunk, and of every chunk the
/// fastest of several rounds counts: what else the machine does in between disturbs some chunks of some rounds.
fn check() -> bool {
    let stream = chat(100_000_000);
    let chunks: Vec<&[u8]> = lines_of(&stream, 1 << 20);
    let parse = || chunks.iter().map(|chunk| timed(|| parse_lines(chunk))).collect();
    let lint = || {
        let mut linter = Linter::new(Dialect::ChatChunks, None).expect("a stream");
        let mut findings = 0;
        let mut times: Vec<Duration> = chunks
            .iter()
            .map(|chunk| timed(|| chunk.chunks(CHUNK).for_each(|part| linter.feed(part, &mut |_| findings += 1))))
            .collect();
        times.push(timed(|| {
            let summary = linter.finish(None, &mut |_| findings += 1);
            assert_eq!((findings, summary.paths.len()), (0, 1), "the stream conforms");
        }));
        times
    };
    let mut fastest: [Vec<Duration>; 2] = [parse(), lint()];
    let mut ratio = f64::INFINITY;
    for round in 1..MOST_ROUNDS {
        for (best, times) in fastest.iter_mut().zip([parse(), lint()]) {
            best.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
        }
        let [parsed, linted] = fastest.each_ref().map(|times| times.iter().sum::<Duration>().as_secs_f64());
        ratio = linted / parsed;
        if round >= ROUNDS && ratio <= MOST_CHECK {
            break;
        }
    }
    println!(
        "check        {ratio:5.2} times as long as serde_json for the same {} MB of lines (at most {MOST_CHECK})",
        stream.len() / 1_000_000
    );
    ratio <= MOST_CHECK
}

/// How much longer than parsing alone.
const MOST_CHECK: f64 = 1.5;

/// So many rounds are made, and more on a machine that has so much else to do that not every chunk had a quiet moment.
const ROUNDS: usize = 5;
const MOST_ROUNDS: usize = 20;

/// The stream in pieces of whole lines.
fn lines_of(stream: &[u8], size: usize) -> Vec<&[u8]> {
    let mut rest = stream;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let end = rest.iter().skip(size).position(|&byte| byte == b'\n').map_or(rest.len(), |at| size + at + 1);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn parse_lines(lines: &[u8]) {
    let lines = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.for_each(|line| drop(black_box(value(line))));
}

fn chat(size: usize) -> Vec<u8> {
    let mut stream = b"{\"type\":\"start\",\"messageId\":\"m\"}\n".to_vec();
    for call in 0.. {
        let id = format!("call_{call}");
        let input =
            json!({"query": "rust streaming parsers", "limit": 10, "filters": {"lang": ["en", "de"], "safe": true}});
        let text = input.to_string();
        let mut put = |chunk: Value| stream.extend(format!("{chunk}\n").into_bytes());
        put(json!({"type": "text-start", "id": "t"}));
        for word in ["Let", " me", " look", " that", " up", " for", " you", "."] {
            put(json!({"type": "text-delta", "id": "t", "delta": word}));
        }
        put(json!({"type": "text-end", "id": "t"}));
        put(json!({"type": "tool-input-start", "toolCallId": id, "toolName": "search"}));
        for piece in text.as_bytes().chunks(12) {
            put(
                json!({"type": "tool-input-delta", "toolCallId": id, "inputTextDelta": String::from_utf8_lossy(piece)}),
            );
        }
        put(json!({"type": "tool-input-available", "toolCallId": id, "toolName": "search", "input": input}));
        let hits: Vec<Value> =
            (0..8).map(|hit| json!({"title": "A page about parsers", "score": 0.5, "rank": hit})).collect();
        put(json!({"type": "tool-output-available", "toolCallId": id, "output": {"hits": hits}}));
        if stream.len() > size {
            break;
        }
    }
    stream.extend(b"{\"type\":\"finish\",\"messageId\":\"m\"}\n");
    stream
}
