//! One child process: lines in, lines out, and what happens when it does not keep to that.
//!
//! Nothing here waits without an end. Writing is done by a thread, so that a child that does not read cannot stop us; reading by
//! another, one line at a time, so that a child that writes without end fills neither memory nor a queue; a third keeps
//! the last of what it writes to standard error. Whoever waits for an answer also watches the clock and the child's memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child as Process, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Limits, os};
use crate::fault::{Fault, Loss};

/// How often memory is looked at while an answer is awaited.
const TICK: Duration = Duration::from_millis(50);

/// How long a child that closed its output is given to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// A running child. Dropping it ends it, and all its descendants.
pub(super) struct Child {
    process: Process,
    mark: String,
    /// Gone once the child was told that nothing more comes.
    requests: Option<Sender<Vec<u8>>>,
    lines: Receiver<Line>,
    stderr: Arc<Mutex<Stderr>>,
    limits: Limits,
    looked_at_memory: Instant,
}

/// What a child wrote to standard output.
enum Line {
    Whole(Vec<u8>),
    /// It ended before the line did.
    Half(Vec<u8>),
    TooLong,
}

impl Child {
    /// Starts a command.
    pub(super) fn start(command: &[String], limits: Limits) -> Result<Self, Fault> {
        let lost = |detail: String| Fault::Lost { loss: Loss::Unstartable, detail, stderr: Vec::new() };
        let (program, arguments) = command.split_first().ok_or_else(|| lost("there is no command".to_owned()))?;
        let mark = mark();
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        os::prepare(&mut command, &mark);
        // Under the lock: what is started is known to `end_all`, or is not started any more.
        let mut live = live();
        if live.closed {
            return Err(lost("the program is about to end".to_owned()));
        }
        let mut process = command.spawn().map_err(|error| lost(format!("{program:?} cannot be started: {error}")))?;
        live.children.push((process.id(), mark.clone()));
        drop(live);
        let (Some(stdin), Some(stdout), Some(errors)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err(lost("it has no pipes".to_owned()));
        };
        let (requests, to_write) = mpsc::channel();
        // One line waits at most: what is not asked for yet stays in the pipe.
        let (to_read, lines) = mpsc::sync_channel(1);
        let stderr = Arc::new(Mutex::new(Stderr::default()));
        let kept = Arc::clone(&stderr);
        thread::spawn(move || write_requests(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, limits.line, &to_read));
        thread::spawn(move || keep_stderr(errors, &kept));
        Ok(Self { process, mark, requests: Some(requests), lines, stderr, limits, looked_at_memory: Instant::now() })
    }

    /// Sends a line; a child that cannot take it is found out when its answer is awaited.
    pub(super) fn send(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        if let Some(requests) = &self.requests {
            let _ = requests.send(line);
        }
    }

    /// Waits for the next line.
    pub(super) fn receive(&mut self, timeout: Duration) -> Result<Vec<u8>, Fault> {
        let deadline = Instant::now() + timeout;
        let mut has_ended = false;
        loop {
            self.watch()?;
            if HURRY.get().is_some_and(|&end| Instant::now() > end) {
                return Err(Fault::GivenUp);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(TICK)) {
                Ok(Line::Whole(line)) => return self.watch_stderr().map(|()| line),
                Ok(Line::Half(line)) => {
                    let detail = format!("{} within the line {}", self.ended(), shown(&line));
                    return Err(self.lost(Loss::HalfALine, detail));
                }
                Ok(Line::TooLong) => {
                    let detail = format!("a line of more than {} bytes", self.limits.line);
                    return Err(self.lost(Loss::Flood, detail));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.exited()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let detail = format!("no answer within {} s", timeout.as_secs_f64());
                    return Err(self.lost(Loss::Hang, detail));
                }
                // A descendant may keep the pipe open; what the child wrote last has had its time to arrive.
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(self.exited()),
                Err(RecvTimeoutError::Timeout) => has_ended = matches!(self.process.try_wait(), Ok(Some(_))),
            }
        }
    }

    /// A line that came although nothing was asked, if one did already.
    pub(super) fn unasked(&self) -> Option<Fault> {
        match self.lines.try_recv().ok()? {
            Line::Whole(line) | Line::Half(line) => {
                Some(self.lost(Loss::Garbage, format!("a line that nobody asked for: {}", shown(&line))))
            }
            Line::TooLong => Some(self.lost(Loss::Flood, format!("a line of more than {} bytes", self.limits.line))),
        }
    }

    /// The child is lost in this way.
    pub(super) fn lost(&self, loss: Loss, detail: String) -> Fault {
        Fault::Lost { loss, detail, stderr: lock(&self.stderr).last_lines() }
    }

    /// Tells the child that nothing more comes, and how it ended; nothing if it did not in time.
    pub(super) fn say_bye(&mut self, line: Vec<u8>) -> Option<ExitStatus> {
        self.send(line);
        self.requests = None;
        self.wait(GRACE)
    }

    /// Counts what it writes to standard error anew: a long run is no flood.
    pub(super) fn begin(&self) {
        lock(&self.stderr).bytes = 0;
    }

    fn watch_stderr(&self) -> Result<(), Fault> {
        if lock(&self.stderr).bytes > self.limits.stderr {
            return Err(self.lost(Loss::StderrFlood, format!("more than {} bytes", self.limits.stderr)));
        }
        Ok(())
    }

    /// Looks whether it writes too much to standard error, or takes too much memory.
    fn watch(&mut self) -> Result<(), Fault> {
        self.watch_stderr()?;
        if self.looked_at_memory.elapsed() < TICK {
            return Ok(());
        }
        self.looked_at_memory = Instant::now();
        match (os::memory(self.process.id()), self.limits.memory) {
            (Some(taken), Some(most)) if taken > most => {
                let detail = format!("{} MB taken, {} MB allowed", taken >> 20, most >> 20);
                Err(self.lost(Loss::Memory, detail))
            }
            _ => Ok(()),
        }
    }

    fn exited(&mut self) -> Fault {
        let ended = self.ended();
        let crashed = matches!(self.process.try_wait(), Ok(Some(status)) if status.code().is_none());
        // What it wrote last may still be on its way.
        thread::sleep(Duration::from_millis(20));
        self.lost(if crashed { Loss::Crash } else { Loss::Exit }, format!("{ended} instead of answering"))
    }

    /// How it ended, in words.
    fn ended(&mut self) -> String {
        match self.wait(GRACE) {
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".to_owned(),
        }
    }

    fn wait(&mut self, most: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + most;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.requests = None;
        os::end(&mut self.process, &self.mark);
        live().children.retain(|(_, mark)| *mark != self.mark);
    }
}

/// Ends all children of this process, for a way out on which nothing is dropped; no more can be started.
pub(super) fn end_all() {
    let mut live = live();
    live.closed = true;
    let children = std::mem::take(&mut live.children);
    drop(live);
    for (id, mark) in children {
        os::kill_family(id, &mark);
    }
}

/// When nothing is awaited any more.
static HURRY: OnceLock<Instant> = OnceLock::new();

/// Waits only so long for whatever is awaited, from now on.
pub(super) fn hurry(most: Duration) {
    // Who hurries once does not become slower.
    let _ = HURRY.set(Instant::now() + most);
}

/// The children that run, with their marks.
struct Live {
    children: Vec<(u32, String)>,
    closed: bool,
}

fn live() -> MutexGuard<'static, Live> {
    static LIVE: Mutex<Live> = Mutex::new(Live { children: Vec::new(), closed: false });
    lock(&LIVE)
}

/// What no other child has, of this process or another.
fn mark() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn write_requests(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for line in requests {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, limit: usize, lines: &SyncSender<Line>) {
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX);
        let read = stdout.by_ref().take(most).read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Line::Whole(line)
            }
            Ok(length) if length >= limit => Line::TooLong,
            Ok(_) => Line::Half(line),
        };
        let is_last = !matches!(line, Line::Whole(_));
        if lines.send(line).is_err() || is_last {
            return;
        }
    }
}

/// The end of what a child wrote to standard error, and how much it was.
#[derive(Default)]
struct Stderr {
    tail: VecDeque<u8>,
    bytes: u64,
}

impl Stderr {
    const KEPT: usize = 4096;
    const LINES: usize = 8;

    fn last_lines(&self) -> Vec<String> {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let text = String::from_utf8_lossy(&tail);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(Self::LINES)..].iter().map(|line| printable(line)).collect()
    }
}

fn keep_stderr(mut stderr: ChildStderr, kept: &Mutex<Stderr>) {
    let mut buffer = [0; 8192];
    loop {
        let length = match stderr.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut kept = lock(kept);
        kept.bytes += length as u64;
        kept.tail.extend(&buffer[..length]);
        let too_many = kept.tail.len().saturating_sub(Stderr::KEPT);
        kept.tail.drain(..too_many);
    }
}

/// The beginning of a line, for a message.
pub(super) fn shown(line: &[u8]) -> String {
    const MOST: usize = 200;
    let text = String::from_utf8_lossy(&line[..line.len().min(MOST)]);
    let more = if line.len() > MOST { "…" } else { "" };
    format!("{text:?}{more}")
}

/// Without control characters: a target must not steer the reader's terminal.
fn printable(line: &str) -> String {
    line.chars().map(|char| if char.is_control() && char != '\t' { '\u{fffd}' } else { char }).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind these locks is whole after every step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
