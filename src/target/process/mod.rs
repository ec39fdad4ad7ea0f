//! A child process as a target: an adapter that speaks the protocol of `spec/PROTOCOL.md`.
//!
//! Children are hostile until shown otherwise: each answer has a deadline, each child limits, and one that does not keep to
//! the protocol is ended with all its descendants and replaced, so that the next case starts anew.

mod child;
mod merged;
mod message;
mod os;
mod walk;

use std::cell::Cell;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

pub use message::{Greeting, PROTOCOL, understand};

use self::child::Child;
use self::message::{Answer, Items, Request, Wrong};
use super::{Attempt, Fault, Lost, Run, Setting, Swept, Target};
use crate::dialect::Dialect;
use crate::fault::{Loss, flood_from};
use crate::input::{Chunk, Kind};
use crate::proof::{self, Cap, Proof};
use crate::variation::{Atoms, Cuts};

/// What a child may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long an answer may take.
    pub timeout: Duration,
    /// How long the first answer may take, where that is longer: runtimes and imports are slow.
    pub start: Duration,
    /// How many bytes of memory it may hold, descendants included; looked at on Linux only.
    pub memory: Option<u64>,
    /// How many bytes a line may have.
    pub line: usize,
    /// How many bytes it may write to standard error while it is asked what belongs together.
    pub stderr: u64,
    /// How many cases may cost a child before the target is given up.
    pub replacements: usize,
    /// Whether only those count that come in a row, without an answer between them.
    pub in_a_row: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            start: Duration::from_secs(30),
            memory: Some(2 << 30),
            line: 64 << 20,
            stderr: 64 << 20,
            replacements: 10,
            in_a_row: false,
        }
    }
}

/// So many requests are under way at once.
const WINDOW: usize = 4;

/// So many splittings go into one message.
const BATCH: usize = 256;

/// A message on which the child is lost is asked again in so many parts, and the part in so many again: the child is lost twice
/// more, and not once for each halving, which for one that hangs is a matter of minutes.
const PARTS: usize = 16;

/// Holds a message against its schema: the request's name, whether it is the answer, and the message.
pub type Validate = dyn Fn(&str, bool, &Value) -> Result<(), String> + Send + Sync;

/// An adapter, in as many processes as are needed at the same time.
pub struct Process {
    command: Vec<String>,
    name: String,
    greeting: Greeting,
    limits: Limits,
    validate: Option<Box<Validate>>,
    idle: Mutex<Vec<Child>>,
    lost: AtomicUsize,
    next_id: AtomicU64,
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("command", &self.command).field("greeting", &self.greeting).finish()
    }
}

impl Process {
    /// Starts a command and greets it.
    pub fn start(command: Vec<String>, limits: Limits, validate: Option<Box<Validate>>) -> Result<Self, Fault> {
        let nobody = Greeting {
            name: String::new(),
            version: None,
            language: None,
            dialects: Vec::new(),
            unknown: Vec::new(),
            accepts: std::collections::BTreeMap::new(),
            caps: Vec::new(),
        };
        let mut process = Self {
            command,
            name: String::new(),
            greeting: nobody,
            limits,
            validate,
            idle: Mutex::default(),
            lost: AtomicUsize::new(0),
            next_id: AtomicU64::new(1),
        };
        let (child, greeting) = process.greet()?;
        process.name = [Some(greeting.name.as_str()), greeting.version.as_deref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        process.greeting = greeting;
        process.give_back(child);
        Ok(process)
    }

    /// How the adapter introduced itself.
    pub fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Sends lines as they are to a child, and what it answers to each; for those who want to see how it takes them.
    pub fn probe(&self, lines: &[&str]) -> Result<Vec<Vec<u8>>, Fault> {
        self.with_child(|child| {
            lines.iter().for_each(|line| child.send(line.as_bytes().to_vec()));
            lines.iter().map(|_| child.receive(self.limits.timeout)).collect()
        })
    }

    /// Says goodbye to a child: how it ended in words, if it did.
    pub fn part(&self) -> Result<Option<String>, Fault> {
        let mut child = self.take()?;
        let status = child.say_bye(Request::Bye.line(self.id()));
        Ok(status.map(|status| status.to_string()))
    }

    fn greet(&self) -> Result<(Child, Greeting), Fault> {
        let mut child = Child::start(&self.command, self.limits)?;
        let hello = Request::Hello { protocol: PROTOCOL };
        let id = self.id();
        self.send(&child, id, &hello)?;
        let deadline = self.limits.timeout.max(self.limits.start);
        let answer = self.receive(&mut child, id, &hello, deadline);
        let answer = answer.map_err(|fault| fault.noting("instead of an answer to hello, as in spec/PROTOCOL.md"))?;
        if let Some(refused) = message::refusal(&answer.fields) {
            return Err(child.lost(Loss::Garbage, format!("it refuses to be greeted: {refused}")));
        }
        let greeting = Greeting::of(&answer.fields).map_err(|why| child.lost(Loss::Garbage, why))?;
        Ok((child, greeting))
    }

    fn id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    fn take(&self) -> Result<Child, Fault> {
        let idle = self.idle.lock().map(|mut idle| idle.pop()).ok().flatten();
        idle.map_or_else(|| self.greet().map(|(child, _)| child), Ok)
    }

    fn give_back(&self, child: Child) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(child);
        }
    }

    /// Does something with a child, which is replaced if that ends badly, as often as that is allowed.
    fn with_child<T>(&self, work: impl FnOnce(&mut Child) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.lost.load(Ordering::Relaxed) > self.limits.replacements {
            return Err(Fault::GivenUp);
        }
        let result = self.with_any_child(work);
        if result.as_ref().is_err_and(Fault::is_fatal) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        } else if self.limits.in_a_row && self.lost.load(Ordering::Relaxed) <= self.limits.replacements {
            self.lost.store(0, Ordering::Relaxed);
        }
        result
    }

    /// The same, to look closer at how a child was lost: a case costs one child, however often it is looked for.
    fn with_any_child<T>(&self, work: impl FnOnce(&mut Child) -> Result<T, Fault>) -> Result<T, Fault> {
        let mut child = self.take()?;
        let result = work(&mut child);
        if !result.as_ref().is_err_and(Fault::is_fatal) {
            self.give_back(child);
        }
        result
    }

    fn send(&self, child: &Child, id: u64, request: &Request<'_>) -> Result<(), Fault> {
        let line = request.line(id);
        if let Some(validate) = &self.validate {
            let value = serde_json::from_slice(&line).unwrap_or_default();
            let held = validate(request.name(), false, &value);
            held.map_err(|why| child.lost(Loss::Garbage, format!("a request of anysplit's own is wrong: {why}")))?;
        }
        child.send(line);
        Ok(())
    }

    fn receive(&self, child: &mut Child, id: u64, request: &Request<'_>, timeout: Duration) -> Result<Answer, Fault> {
        let line = child.receive(timeout)?;
        let answer = message::read(&line, id).map_err(|(loss, detail)| child.lost(loss, detail))?;
        if let Some(validate) = &self.validate {
            let held = validate(request.name(), true, &Value::Object(answer.object()));
            held.map_err(|why| {
                child.lost(Loss::Garbage, format!("the answer to {} breaks its schema: {why}", request.name()))
            })?;
        }
        Ok(answer)
    }

    /// Sends these requests, some ahead of their answers, and reads the answers in order until one costs the child.
    fn converse<T>(
        &self,
        child: &mut Child,
        requests: &[Request<'_>],
        read: impl Fn(usize, &mut Answer) -> Result<T, Wrong>,
    ) -> Result<Vec<Result<T, Fault>>, (usize, Fault)> {
        child.begin();
        let ids: Vec<u64> = requests.iter().map(|_| self.id()).collect();
        let mut sent = 0;
        let mut answers = Vec::with_capacity(requests.len());
        for (at, request) in requests.iter().enumerate() {
            while sent < requests.len() && sent < at + WINDOW {
                self.send(child, ids[sent], &requests[sent]).map_err(|fault| (at, fault))?;
                sent += 1;
            }
            let answer = self.receive(child, ids[at], request, self.limits.timeout);
            let mut answer = answer.map_err(|fault| (at, fault))?;
            answers.push(match message::refusal(&answer.fields) {
                Some(fault) => Err(fault),
                None => Ok(read(at, &mut answer).map_err(|(loss, detail)| (at, child.lost(loss, detail)))?),
            });
        }
        match child.unasked() {
            Some(fault) => Err((requests.len().saturating_sub(1), fault)),
            None => Ok(answers),
        }
    }

    /// The same with a child of its own; where the child is lost, with the request on which.
    fn ask<T>(
        &self,
        requests: &[Request<'_>],
        read: impl Fn(usize, &mut Answer) -> Result<T, Wrong>,
        purpose: Purpose,
    ) -> Result<Vec<Result<T, Fault>>, (usize, Fault)> {
        let mut place = 0;
        let work = |child: &mut Child| {
            self.converse(child, requests, read).map_err(|(at, fault)| {
                place = at;
                fault
            })
        };
        let asked = match purpose {
            Purpose::Judge => self.with_child(work),
            Purpose::Locate => self.with_any_child(work),
        };
        asked.map_err(|fault| (place, fault))
    }

    fn run_for(
        &self,
        setting: Setting<'_>,
        inputs: &[Vec<Chunk<'_>>],
        purpose: Purpose,
    ) -> Result<Vec<Result<Run, Fault>>, Lost> {
        let Setting { dialect, options } = setting;
        let request = |chunks: &Vec<_>| Request::Run {
            dialect: dialect.name(),
            options,
            chunks: self.items(setting, chunks.clone()),
        };
        let requests: Vec<Request<'_>> = inputs.iter().map(request).collect();
        let read = |at: usize, answer: &mut Answer| {
            let chunks = &inputs[at];
            let out = message::ran(answer, chunks.iter().map(lists_of).sum::<usize>() + 1)?;
            Ok(gathered(out, chunks))
        };
        let answers = self.ask(&requests, read, purpose).map_err(|(at, fault)| Lost { at, fault })?;
        Ok(answers.into_iter().zip(inputs).map(|(run, chunks)| run.and_then(|run| not_a_flood(run, chunks))).collect())
    }

    fn items<'a>(&self, setting: Setting<'_>, chunks: Vec<Chunk<'a>>) -> Items<'a> {
        let takes_text = self.accepts(setting.dialect).contains(&Kind::Text);
        Items { chunks, as_bytes: !takes_text }
    }

    fn accepts(&self, dialect: Dialect) -> &[Kind] {
        self.greeting.accepts.get(&dialect).map(Vec::as_slice).unwrap_or_default()
    }

    fn atoms<'a>(&self, setting: Setting<'_>, atoms: &Atoms<'a>) -> Items<'a> {
        self.items(setting, (0..atoms.len()).map(|at| atoms.slice(at, at + 1)).collect())
    }

    fn sweep_requests<'a>(&self, setting: Setting<'a>, atoms: &Items<'a>, cuts: &'a [Cuts]) -> Vec<Request<'a>> {
        let Setting { dialect, options } = setting;
        let request = |cuts| Request::Sweep { dialect: dialect.name(), options, atoms: atoms.clone(), cuts };
        cuts.chunks(BATCH).map(request).collect()
    }

    /// Finds the splitting on which a sweep lost its child: what was swept is divided, with a fresh child each time.
    fn locate(&self, setting: Setting<'_>, atoms: &Items<'_>, cuts: &[Cuts], fault: Fault) -> (usize, Fault) {
        let (mut from, mut to, mut fault) = (0, cuts.len(), fault);
        while to - from > 1 {
            let size = (to - from).div_ceil(PARTS);
            let parts: Vec<&[Cuts]> = cuts[from..to].chunks(size).collect();
            let requests: Vec<Request<'_>> =
                parts.iter().flat_map(|part| self.sweep_requests(setting, atoms, part)).collect();
            let read = |at: usize, answer: &mut Answer| message::swept(answer, parts[at].len());
            match self.ask(&requests, read, Purpose::Locate) {
                Err((at, found)) => {
                    (from, fault) = (from + at * size, found);
                    to = to.min(from + size);
                }
                // Only together: the first of them stands for all.
                Ok(_) => break,
            }
        }
        (from, fault)
    }

    /// Finds the splitting on which a walk lost its child, by running those that the child was asked about.
    fn locate_feed(
        &self,
        setting: Setting<'_>,
        atoms: &Atoms<'_>,
        way: Cuts,
        feed: Option<walk::Feed>,
        fault: Fault,
    ) -> Attempt<Proof, Cuts> {
        let Some(walk::Feed { at, end }) = feed else { return Attempt::Faulted(way, fault) };
        let inner = |end: usize| (end < atoms.len()).then_some(end);
        let before = &way.0[..way.0.len() - inner(end).map_or(0, |_| 1)];
        // The empty chunk last: it is the least likely.
        let ends = (at + 1..=atoms.len()).chain([at]);
        let cuts: Vec<Cuts> = ends.map(|end| Cuts(before.iter().copied().chain(inner(end)).collect())).collect();
        let inputs: Vec<Vec<Chunk<'_>>> = cuts.iter().map(|cuts| atoms.chunks(cuts)).collect();
        match self.run_for(setting, &inputs, Purpose::Locate) {
            Err(Lost { at, fault }) => Attempt::Faulted(cuts[at].clone(), fault),
            Ok(_) => Attempt::Faulted(way, fault),
        }
    }

    /// All these splittings, each with a message of its own.
    fn sweep_by_runs(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Result<Swept, Lost> {
        let inputs: Vec<Vec<Chunk<'_>>> = cuts.iter().map(|cuts| atoms.chunks(cuts)).collect();
        let runs = self.run_all(setting, &inputs)?;
        Ok(Swept::of(setting.dialect.form(), runs.into_iter().map(|run| run.map(Run::into_events))))
    }
}

impl Drop for Process {
    /// Children that are idle are told that nothing more comes; they have a moment to end by themselves.
    fn drop(&mut self) {
        let bye = Request::Bye.line(self.id());
        for mut child in self.idle.get_mut().map(std::mem::take).unwrap_or_default() {
            child.say_bye(bye.clone());
        }
    }
}

impl Target for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn speaks(&self, dialect: Dialect) -> bool {
        self.greeting.dialects.contains(&dialect)
    }

    fn takes(&self, dialect: Dialect, kind: Kind) -> bool {
        let accepts = self.accepts(dialect);
        accepts.contains(&kind) || kind == Kind::Text && accepts.contains(&Kind::Bytes)
    }

    fn cuts(&self, kind: Kind) -> bool {
        kind != Kind::Objects
    }

    fn reports_violations(&self) -> bool {
        self.greeting.can("violations")
    }

    fn run(&self, setting: Setting<'_>, chunks: &[Chunk<'_>]) -> Result<Run, Fault> {
        let mut runs = self.run_all(setting, &[chunks.to_vec()]).map_err(|lost| lost.fault)?;
        runs.pop().unwrap_or(Err(Fault::GivenUp))
    }

    fn run_all(&self, setting: Setting<'_>, inputs: &[Vec<Chunk<'_>>]) -> Result<Vec<Result<Run, Fault>>, Lost> {
        self.run_for(setting, inputs, Purpose::Judge)
    }

    fn sweep(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cuts: &[Cuts]) -> Result<Swept, Lost> {
        if !self.greeting.can("sweep") {
            return self.sweep_by_runs(setting, atoms, cuts);
        }
        let items = self.atoms(setting, atoms);
        let requests = self.sweep_requests(setting, &items, cuts);
        let asked = |at: usize| cuts.chunks(BATCH).nth(at).unwrap_or_default();
        let read = |at: usize, answer: &mut Answer| message::swept(answer, asked(at).len());
        match self.ask(&requests, read, Purpose::Judge) {
            Ok(answers) if answers.iter().all(Result::is_ok) => {
                let form = setting.dialect.form();
                let runs = answers.into_iter().flatten();
                Ok(Swept::joined(form, runs))
            }
            // Some splitting raises, and the adapter does not say which.
            Ok(_) => self.sweep_by_runs(setting, atoms, cuts),
            Err((at, fault)) => {
                let (within, fault) = self.locate(setting, &items, asked(at), fault);
                Err(Lost { at: at * BATCH + within, fault })
            }
        }
    }

    /// Pipes and JSON take their time too.
    fn floor(&self) -> Duration {
        Duration::from_millis(20)
    }

    fn prove(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cap: Cap) -> Attempt<Proof, Cuts> {
        if !(self.greeting.can("fork") && self.greeting.can("fingerprint") && self.cuts(atoms.whole().kind())) {
            return Attempt::Cannot;
        }
        let (mut way, feed) = (Cuts::NONE, Cell::new(None));
        let proved = self.with_child(|child| {
            let forks = walk::Remote::start(self, child, setting, atoms, &feed)?;
            proof::prove_forks(forks, atoms, cap).map_err(|(cuts, fault)| {
                way = cuts;
                fault
            })
        });
        match proved {
            Ok(Some(proof)) => Attempt::Proved(proof),
            Ok(None) => Attempt::PastCap,
            Err(Fault::Unsupported { .. }) => Attempt::Cannot,
            Err(fault) if fault.is_fatal() => self.locate_feed(setting, atoms, way, feed.get(), fault),
            Err(fault) => Attempt::Faulted(way, fault),
        }
    }

    fn given_up(&self) -> Option<String> {
        let lost = self.lost.load(Ordering::Relaxed);
        (lost > self.limits.replacements).then(|| {
            let in_a_row = if self.limits.in_a_row { " in a row" } else { "" };
            format!(
                "{}: its process had to be replaced more than {} times{in_a_row}",
                self.name, self.limits.replacements
            )
        })
    }
}

/// Why something is asked.
#[derive(Clone, Copy)]
enum Purpose {
    Judge,
    /// To find out on what exactly a child was lost.
    Locate,
}

/// How many lists come out for a chunk: items go one by one.
fn lists_of(chunk: &Chunk<'_>) -> usize {
    if let Chunk::Objects(items) = chunk { items.len() } else { 1 }
}

/// The lists of items put together again by chunk.
fn gathered(out: Vec<Vec<crate::event::Event>>, chunks: &[Chunk<'_>]) -> Run {
    let mut lists = out.into_iter();
    let mut out: Vec<_> = chunks.iter().map(|chunk| lists.by_ref().take(lists_of(chunk)).flatten().collect()).collect();
    out.push(lists.flatten().collect());
    Run { out }
}

fn not_a_flood(run: Run, chunks: &[Chunk<'_>]) -> Result<Run, Fault> {
    let room = flood_from(chunks.iter().map(|chunk| chunk.size()).sum());
    let size = |event: &crate::event::Event| 1 + event.running_text().map_or(0, |(_, text)| text.len());
    if run.out.iter().flatten().map(size).sum::<usize>() >= room { Err(Fault::Flood) } else { Ok(run) }
}

/// Waits only so long for whatever is awaited, from now on; what is not answered then is not asked any more.
pub fn hurry(most: Duration) {
    child::hurry(most);
}

/// Ends all children of all targets, for a way out on which nothing is dropped.
pub fn end_all() {
    child::end_all();
}
