//! How fast plain text passes, as a ratio to `memchr` walking the same bytes in the same run.
//!
//! `cargo bench --bench throughput` prints a table and fails if a machine is slower than half of `memchr`. Both sides are
//! measured in turn and the fastest of many rounds counts, so that a noisy machine disturbs both alike.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anysplit::dialect::{InlineTag, MarkdownFence, Options, ToolSession};
use anysplit::event::Event;
use anysplit::machine::{Machine, Sink};

const CHUNK: usize = 64 << 10;
const CHUNKS: usize = 256;
const ROUNDS: usize = 40;
const LEAST: f64 = 0.5;

/// A sink that looks at what it gets and keeps nothing.
struct Count(usize);

impl Sink for Count {
    fn text(&mut self, text: &str) {
        self.0 += black_box(text).len();
    }

    fn event(&mut self, event: Event) {
        black_box(event);
    }
}

fn main() -> ExitCode {
    let text = prose();
    let chunks: Vec<&str> = text.as_bytes().chunks(CHUNK).map(|chunk| str::from_utf8(chunk).expect("ASCII")).collect();
    let options = Options::default();
    let angle = || walk(&chunks, |chunk| memchr::memchr_iter(b'<', chunk).for_each(seen));
    let lines = || walk(&chunks, |chunk| memchr::memchr2_iter(b'\n', b'\r', chunk).for_each(seen));
    println!("plain text, {} MiB in chunks of {} KiB; fastest of {ROUNDS} rounds", text.len() >> 20, CHUNK >> 10);
    let mut good = true;
    good &=
        compare("inline-tag", "memchr <", angle, || feed(&chunks, || InlineTag::new(&options).expect("no options")));
    good &= compare("tool-session", "memchr <", angle, || {
        feed(&chunks, || ToolSession::new(&options).expect("no options"))
    });
    good &= compare("markdown-fence", "memchr2 LF CR", lines, || {
        feed(&chunks, || MarkdownFence::new(&options).expect("no options"))
    });
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Lines of prose of various lengths, without anything that could begin a call.
fn prose() -> String {
    let mut text = String::with_capacity(CHUNK * CHUNKS);
    let words = ["The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog,", "again."];
    for number in 0.. {
        text.push_str(words[number % words.len()]);
        text.push(if number % 13 == 12 { '\n' } else { ' ' });
        if text.len() >= CHUNK * CHUNKS {
            break;
        }
    }
    text.truncate(CHUNK * CHUNKS);
    text
}

fn seen(at: usize) {
    black_box(at);
}

fn walk(chunks: &[&str], walk: impl Fn(&[u8])) -> Duration {
    let start = Instant::now();
    for chunk in chunks {
        walk(black_box(chunk.as_bytes()));
    }
    start.elapsed()
}

fn feed<M: Machine<Chunk = str>>(chunks: &[&str], make: impl Fn() -> M) -> Duration {
    let mut count = Count(0);
    let start = Instant::now();
    let mut machine = make();
    for chunk in chunks {
        machine.feed(black_box(chunk), &mut count);
    }
    machine.finish(&mut count);
    let elapsed = start.elapsed();
    assert_eq!(count.0, chunks.iter().map(|chunk| chunk.len()).sum::<usize>());
    elapsed
}

fn compare(name: &str, baseline: &str, walk: impl Fn() -> Duration, feed: impl Fn() -> Duration) -> bool {
    let (mut walked, mut fed) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        walked = walked.min(walk());
        fed = fed.min(feed());
    }
    let ratio = walked.as_secs_f64() / fed.as_secs_f64();
    let speed = |time: Duration| (CHUNK * CHUNKS) as f64 / time.as_secs_f64() / 1e9;
    println!(
        "{name:15} {:5.1} GB/s, {baseline:13} {:5.1} GB/s, ratio {ratio:.2} (at least {LEAST})",
        speed(fed),
        speed(walked)
    );
    ratio >= LEAST
}
