//! The children: this executable again, with `--child` and what it is to do.
//!
//! A child answers the adapter protocol by running the embedded reference, so that every case passes, until an input holds
//! `!` and a word: then it does what the word says, on any delivery of it or only on the one splitting of `at=`.

#![allow(clippy::zombie_processes, reason = "what leaves processes behind is under test here")]

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::panic::{self, AssertUnwindSafe};
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::{Duration, Instant};

use anysplit::dialect::{Dialect, Options};
use anysplit::event::Event;
use anysplit::input::{Chunk, Input, Kind};
use anysplit::machine::{Machine, Recorder};
use anysplit::target::{Reference, Setting, Target};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::planted::{Planted, Then};

/// Whatever a test leaves behind ends by itself.
const FOR_EVER: Duration = Duration::from_secs(60);

/// What a child was told, `key=value`.
struct Told(HashMap<String, String>);

impl Told {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    fn log(&self, line: &str) {
        if let Some(path) = self.get("log") {
            let file = OpenOptions::new().append(true).create(true).open(path);
            let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
            written.expect("the log can be written");
        }
    }

    /// The cuts that matter; none: any delivery does.
    fn at(&self) -> Option<Vec<usize>> {
        let places = self.get("at")?.split(',');
        Some(places.map(|place| place.parse().expect("at= holds numbers")).collect())
    }

    /// Another of this kind, in this group or in one of its own, with the same pipes.
    fn spawn(&self, role: &str, in_a_group_of_its_own: bool) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("this executable"));
        let log = format!("log={}", self.get("log").unwrap_or_default());
        command.args(["--child", &log, &format!("role={role}")]).stdin(Stdio::null());
        if in_a_group_of_its_own {
            command.process_group(0);
        }
        command
    }

    fn caps(&self) -> Vec<&str> {
        self.get("caps").map(|caps| caps.split('+').collect()).unwrap_or_default()
    }
}

pub(crate) fn main(arguments: impl Iterator<Item = String>) -> ! {
    let pair = |argument: String| {
        let (key, value) = argument.split_once('=').expect("key=value");
        (key.to_owned(), value.to_owned())
    };
    let told = Told(arguments.map(pair).collect());
    match told.get("role") {
        Some("sleep") => sleep(),
        Some("eat") => eat(),
        // A member of the family that has one of its own.
        Some("parent") => {
            told.spawn("sleep", true).spawn().expect("it starts");
            sleep()
        }
        Some(_) => exit(0),
        None => {}
    }
    told.log(&format!("start {}", std::process::id()));
    panic::set_hook(Box::new(|_| {}));
    let mut lines = io::stdin().lock().lines();
    let mut next = || lines.next().map(|line| line.expect("requests are text"));
    let mut child = Child { told, walk: Vec::new(), atoms: Vec::new() };
    while let Some(line) = next() {
        let request: Value = serde_json::from_str(&line).expect("requests are JSON");
        // `pairs`: the first of two requests is answered only when the second is there.
        let second = if child.is_half_of_a_pair(&request) { next() } else { None };
        child.answer(&request);
        if let Some(second) = second {
            child.answer(&serde_json::from_str(&second).expect("requests are JSON"));
        }
    }
    exit(0)
}

struct Child {
    told: Told,
    /// The states of the walk under way; a fingerprint is the number of one.
    walk: Vec<Planted>,
    atoms: Vec<String>,
}

impl Child {
    fn answer(&mut self, request: &Value) {
        // `chatter=N`: so many kilobytes go to standard error with every answer.
        for _ in 0..self.told.get("chatter").map_or(0, |number| number.parse().expect("a number")) {
            io::stderr().write_all(&[b'.'; 1 << 10]).unwrap_or_else(|_| exit(1));
        }
        let answer = match request["cmd"].as_str().expect("a command") {
            "hello" => self.hello(),
            // `dies=always`: it can be greeted, and no more.
            _ if self.told.get("dies").is_some() => crash(),
            "run" => self.run(request),
            "sweep" => self.sweep(request),
            "walk" => self.walk(request),
            "fork" => self.fork(request),
            "finish" => self.finish(request),
            "bye" => exit(0),
            other => json!({"unsupported": "cmd", "reason": format!("no {other}")}),
        };
        self.write(request, answer);
    }

    fn write(&self, request: &Value, mut answer: Value) {
        // What an answer is to be beside its fields.
        let how = answer.as_object_mut().and_then(|fields| fields.remove("how"));
        let fields = answer.as_object_mut().expect("an answer is an object");
        let id = request["id"].as_u64().expect("an id");
        match how.as_ref().and_then(Value::as_str) {
            Some("wrong-id") => fields.insert("id".to_owned(), (id + 1000).into()),
            Some("null-id") => fields.insert("id".to_owned(), Value::Null),
            Some("no-id") => None,
            _ => fields.insert("id".to_owned(), id.into()),
        };
        let mut line = answer.to_string().into_bytes();
        line.push(b'\n');
        match how.as_ref().and_then(Value::as_str) {
            Some("extra") => line.extend(b"and by the way\n"),
            Some("half") => line.truncate(line.len() / 2),
            Some("garbage") => line = b"Traceback (most recent call last):\n".to_vec(),
            Some("list") => line = b"[1, 2]\n".to_vec(),
            Some("utf8") => {
                let at = line.len() - 2;
                line.splice(at..at, *b",\"\xff\":1");
            }
            _ => {}
        }
        print(&line);
        match how.as_ref().and_then(Value::as_str) {
            Some("half") => exit(0),
            Some("late") => {
                thread::sleep(Duration::from_millis(20));
                print(b"oh, and another thing\n");
            }
            _ => {}
        }
    }

    fn hello(&self) -> Value {
        let mut greeting = json!({
            "protocol": 1, "name": "child", "version": "1", "language": "rust",
            "dialects": ["inline-tag", "sse", "tool-stages"], "caps": self.told.caps(),
        });
        let with = |name: &str, value: Value| {
            let mut greeting = greeting.clone();
            greeting[name] = value;
            greeting
        };
        match self.told.get("hello") {
            Some("protocol-2") => return with("protocol", 2.into()),
            Some("refuses") => return json!({"unsupported": "protocol", "reason": "I speak 2"}),
            Some("no-dialects") => return with("dialects", json!([])),
            Some("accepts-words") => return with("accepts", "words".into()),
            Some("how") => return with("how", self.told.get("how").into()),
            Some("no-name") => drop(greeting.as_object_mut().map(|fields| fields.remove("name"))),
            Some("exits") => {
                eprintln!("ModuleNotFoundError: No module named 'acme'");
                exit(1)
            }
            Some("never") => {
                self.told.log("hanging");
                sleep()
            }
            _ => {}
        }
        greeting
    }

    fn run(&self, request: &Value) -> Value {
        let (setting, kind) = Owned::of(request);
        let chunks = request["chunks"].as_array().expect("chunks");
        let chunks: Vec<Input> = chunks.iter().map(|chunk| input(kind, std::slice::from_ref(chunk))).collect();
        self.wait_for_others();
        match self.misbehaviour(&chunks) {
            Some(word) => self.misbehave(&word, false, chunks.len() + 1),
            None => match self.run_one(&setting, &chunks) {
                Ok(out) => json!({ "out": out }),
                Err(message) => json!({"error": message, "trace": "line 1\nline 2"}),
            },
        }
    }

    fn sweep(&self, request: &Value) -> Value {
        let (setting, kind) = Owned::of(request);
        let atoms = request["atoms"].as_array().expect("atoms");
        let mut outcomes: Vec<Value> = Vec::new();
        let mut runs = Vec::new();
        let lists = request["cuts"].as_array().expect("cuts");
        for cuts in lists {
            let cuts: Vec<usize> = serde_json::from_value(cuts.clone()).expect("cuts are numbers");
            let chunks = joined(kind, atoms, &cuts);
            let outcome = match self.misbehaviour(&chunks).as_deref() {
                Some("error-inside") => json!({"error": "IndexError: inside", "trace": "line 9"}),
                Some(word) => return self.misbehave(word, true, lists.len()),
                None => match self.run_one(&setting, &chunks) {
                    Ok(out) => out.into_iter().flatten().collect(),
                    Err(message) => json!({"error": message}),
                },
            };
            runs.push(outcomes.iter().position(|known| *known == outcome).unwrap_or(outcomes.len()));
            if runs.last() == Some(&outcomes.len()) {
                outcomes.push(outcome);
            }
        }
        json!({"outcomes": outcomes, "runs": runs})
    }

    /// An honest run, or one of the machine with a planted fault.
    fn run_one(&self, setting: &Owned, chunks: &[Input]) -> Result<Vec<Vec<Value>>, String> {
        let values = |events: Vec<Event>| events.into_iter().map(Value::from).collect::<Vec<Value>>();
        if self.told.get("then").is_some() && setting.dialect == Dialect::InlineTag {
            let mut machine = self.planted(&text(chunks));
            let mut recorder = Recorder::new(Planted::TEXT);
            let run = || {
                let mut out = Vec::new();
                for chunk in chunks {
                    machine.feed(&text(std::slice::from_ref(chunk)), &mut recorder);
                    out.push(values(recorder.take()));
                }
                machine.finish(&mut recorder);
                out.push(values(recorder.take()));
                out
            };
            return panic::catch_unwind(AssertUnwindSafe(run)).map_err(|_| "it was planted".to_owned());
        }
        let chunks: Vec<Chunk<'_>> = chunks.iter().map(Input::as_chunk).collect();
        let setting = Setting { dialect: setting.dialect, options: &setting.options };
        let run = Reference.run(setting, &chunks).map_err(|fault| fault.to_string())?;
        Ok(run.out.into_iter().map(values).collect())
    }

    fn planted(&self, text: &str) -> Planted {
        // `anywhere=yes`: whatever the text is.
        let is_meant = text.contains('!') || self.told.get("anywhere").is_some();
        let places = if is_meant { self.told.at().unwrap_or_default() } else { Vec::new() };
        Planted::new(places, Then::named(self.told.get("then").unwrap_or("lose")))
    }

    fn walk(&mut self, request: &Value) -> Value {
        if self.told.get("walk") == Some("unsupported") {
            return json!({"unsupported": "cmd", "reason": "cannot be copied"});
        }
        self.atoms = serde_json::from_value(request["atoms"].clone()).expect("text");
        self.walk = vec![self.planted(&self.atoms.concat())];
        json!({"state": "0"})
    }

    fn fork(&mut self, request: &Value) -> Value {
        if self.told.get("fork") == Some("unsupported") {
            return json!({"unsupported": "cmd", "reason": "cannot be copied"});
        }
        let at = usize::try_from(request["at"].as_u64().expect("at")).expect("small");
        let from = self.walk[state(request)].clone();
        let ends: Vec<usize> = serde_json::from_value(request["ends"].clone()).expect("ends");
        let (mut outcomes, mut steps): (Vec<Vec<Event>>, Vec<Value>) = (Vec::new(), Vec::new());
        for end in ends {
            let (mut machine, mut recorder) = (from.clone(), Recorder::new(Planted::TEXT));
            let chunk = self.atoms[at..end].concat();
            if panic::catch_unwind(AssertUnwindSafe(|| machine.feed(&chunk, &mut recorder))).is_err() {
                return json!({"error": "it was planted"});
            }
            let number = position(&mut outcomes, recorder.take());
            steps.push(json!([number, position(&mut self.walk, machine).to_string()]));
        }
        json!({"outcomes": outcomes, "steps": steps})
    }

    fn finish(&self, request: &Value) -> Value {
        let mut recorder = Recorder::new(Planted::TEXT);
        self.walk[state(request)].clone().finish(&mut recorder);
        json!({"out": [recorder.take()]})
    }

    /// The word behind `!`, where this delivery is one that it is about.
    fn misbehaviour(&self, chunks: &[Input]) -> Option<String> {
        if self.told.get("then").is_some() {
            return None;
        }
        let (_, rest) = text(chunks).split_once('!').map(|(before, rest)| (before.to_owned(), rest.to_owned()))?;
        let (word, _) = rest.split_once(' ')?;
        let ends = chunks.iter().scan(0, |at, chunk| {
            *at += text(std::slice::from_ref(chunk)).chars().count();
            Some(*at)
        });
        let cuts: Vec<usize> = ends.take(chunks.len() - 1).collect();
        self.told.at().is_none_or(|at| at == cuts).then(|| word.to_owned())
    }

    /// Does what the word says, in answer to a `run` or a `sweep` from which so many lists or numbers are expected.
    fn misbehave(&self, word: &str, sweeping: bool, count: usize) -> Value {
        let answer = |count: usize| match sweeping {
            true => json!({"outcomes": [[]], "runs": vec![0; count]}),
            false => json!({"out": vec![json!([]); count]}),
        };
        let how = |how: &str| {
            let mut answer = answer(count);
            answer["how"] = how.into();
            answer
        };
        match word {
            "hang" => {
                self.told.log("hanging");
                sleep()
            }
            "crash" => crash(),
            "exit" => {
                (1..=20).for_each(|number| eprintln!("line {number} on standard error \x1b[31m"));
                exit(7)
            }
            "exit-0" => exit(0),
            "half-and-hang" => {
                print(b"{\"id\":");
                sleep()
            }
            "half-and-crash" => {
                print(b"{\"id\":");
                crash()
            }
            "too-many" => answer(count + 1),
            "too-few" => answer(count - 1),
            "no-such-outcome" => json!({"outcomes": [[]], "runs": vec![1; count], "out": vec![json!([]); count - 1]}),
            "no-events" => json!({"out": vec![json!([1]); count], "outcomes": [[1]], "runs": vec![0; count]}),
            "empty" => json!({}),
            "flood" => loop {
                print(&[b'x'; 1 << 16]);
            },
            "flood-of-lines" => loop {
                print(b"hello?\n");
            },
            "stderr-flood" => loop {
                io::stderr().write_all(&[b'x'; 1 << 16]).unwrap_or_else(|_| exit(1));
            },
            "stderr-flood-and-answer" => {
                (0..1100).for_each(|_| drop(io::stderr().write_all(&[b'x'; 1 << 16])));
                answer(count)
            }
            "memory" => eat(),
            "memory-of-a-grandchild" => {
                // Of another thread: each has children of its own.
                let mut eater = self.told.spawn("eat", false);
                thread::spawn(move || {
                    eater.spawn().expect("it starts");
                    sleep()
                });
                sleep()
            }
            "family" => {
                // The last but one without the mark; the last ends at once, and nobody waits for it: a zombie.
                let mut unmarked = self.told.spawn("sleep", true);
                unmarked.env_clear();
                let members = [self.told.spawn("sleep", false), self.told.spawn("parent", true), unmarked];
                for mut member in members.into_iter().chain([self.told.spawn("none", false)]) {
                    member.spawn().expect("it starts");
                }
                self.told.log("hanging");
                sleep()
            }
            "orphan" => {
                self.told.spawn("sleep", true).spawn().expect("it starts");
                exit(3)
            }
            "orphan-in-the-group" => {
                self.told.spawn("sleep", false).spawn().expect("it starts");
                crash()
            }
            "error" => json!({"error": "IndexError: out of range", "trace": "line 1\nline 2"}),
            "error-inside" => json!({"error": "IndexError: inside", "trace": "line 9"}),
            "number-as-error" => json!({"error": 5}),
            "unsupported" => json!({"unsupported": "option", "reason": "there is no such setting"}),
            "lie" => match sweeping {
                true => json!({"outcomes": [[{"type": "text", "text": "A LIE"}]], "runs": vec![0; count]}),
                false => {
                    let mut out = vec![json!([]); count];
                    out[count - 1] = json!([{"type": "text", "text": "A LIE"}]);
                    json!({ "out": out })
                }
            },
            "wrong-id" | "no-id" | "null-id" | "extra" | "half" | "garbage" | "list" | "utf8" | "late" => how(word),
            other => panic!("there is no misbehaviour {other:?}"),
        }
    }

    /// `together=N`: answers nothing before N children were started.
    fn wait_for_others(&self) {
        let Some(children) = self.told.get("together").and_then(|number| number.parse::<usize>().ok()) else { return };
        let log = self.told.get("log").expect("together needs a log");
        let since = Instant::now();
        while std::fs::read_to_string(log).unwrap_or_default().matches("start").count() < children {
            assert!(since.elapsed() < FOR_EVER, "they do not come");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// `pairs=N`: a prefix of an input of N characters, other than the last that there is, is never alone.
    fn is_half_of_a_pair(&self, request: &Value) -> bool {
        let Some(whole) = self.told.get("pairs").and_then(|number| number.parse::<usize>().ok()) else { return false };
        match request["chunks"].as_array().map(Vec::as_slice) {
            Some([Value::String(text)]) => text.contains('p') && text.chars().count() + 1 < whole,
            _ => false,
        }
    }
}

/// The setting of a request.
struct Owned {
    dialect: Dialect,
    options: Options,
}

impl Owned {
    fn of(request: &Value) -> (Self, Kind) {
        let dialect: Dialect = request["dialect"].as_str().and_then(|name| name.parse().ok()).expect("a dialect");
        let options: Options = serde_json::from_value(request["options"].clone()).expect("options");
        let kind = dialect.kind(&options);
        (Self { dialect, options }, kind)
    }
}

/// Atoms as one chunk.
fn input(kind: Kind, atoms: &[Value]) -> Input {
    let words = || atoms.iter().map(|atom| atom.as_str().expect("a string"));
    match kind {
        Kind::Text => Input::Text(words().collect()),
        Kind::Bytes => Input::Bytes(words().flat_map(|word| STANDARD.decode(word).expect("base64")).collect()),
        Kind::Objects => Input::Objects(atoms.to_vec()),
    }
}

/// Atoms as the chunks that these cuts leave.
fn joined(kind: Kind, atoms: &[Value], cuts: &[usize]) -> Vec<Input> {
    if kind == Kind::Objects {
        return atoms.iter().map(|atom| input(kind, std::slice::from_ref(atom))).collect();
    }
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([atoms.len()]);
    starts.zip(ends).map(|(start, end)| input(kind, &atoms[start..end])).collect()
}

/// The text of chunks; nothing where they are something else.
fn text(chunks: &[Input]) -> String {
    chunks.iter().filter_map(|chunk| if let Input::Text(text) = chunk { Some(text.as_str()) } else { None }).collect()
}

fn position<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|known| *known == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

fn state(request: &Value) -> usize {
    request["state"].as_str().and_then(|state| state.parse().ok()).expect("a state of mine")
}

fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // Who is not heard any more has nothing left to do.
    out.write_all(bytes).and_then(|()| out.flush()).unwrap_or_else(|_| exit(1));
}

pub(crate) fn sleep() -> ! {
    thread::sleep(FOR_EVER);
    exit(0)
}

/// A signal from itself.
pub(crate) fn crash() -> ! {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    sleep()
}

/// Takes far more memory than it may.
fn eat() -> ! {
    let mut eaten = Vec::new();
    for _ in 0..24 {
        eaten.push(vec![1_u8; 32 << 20]);
        thread::sleep(Duration::from_millis(5));
    }
    sleep()
}
