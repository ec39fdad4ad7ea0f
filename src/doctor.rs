//! Is an adapter sound? Probes of the protocol, each with what to mend.
//!
//! A probe asks what every adapter must be able to answer, whatever its implementation does: the verdicts of a run mean
//! something only if all of them pass.

use serde_json::{Map, Value, json};

use crate::dialect::{Dialect, Options};
use crate::fault::Fault;
use crate::input::{Input, Kind};
use crate::level::Level;
use crate::spec;
use crate::target::process::Process;
use crate::target::{Attempt, Setting, Target as _};
use crate::variation::{Atoms, Cuts};

/// What came of one probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// What was asked.
    pub question: String,
    /// What was wrong, if anything.
    pub problem: Option<String>,
    /// What to mend then.
    pub mend: &'static str,
}

type Answer = Result<(), String>;

/// Puts all probes to an adapter.
pub fn examine(process: &Process) -> Vec<Probe> {
    let doctor = Doctor { process };
    let mut probes = Vec::new();
    let mut add = |question: &str, answer: Answer, mend: &'static str| {
        let problem = answer.err();
        let mend = problem.as_deref().and_then(mend_of_garbage).unwrap_or(mend);
        probes.push(Probe { question: question.to_owned(), problem, mend });
    };
    add(
        "the greeting names what is known here",
        doctor.greeting(),
        "name dialects, caps and accepts as PROTOCOL.md does",
    );
    add(
        "an unknown command is unsupported",
        doctor.unknown_command(),
        "answer {\"id\":…,\"unsupported\":\"cmd\"} to a cmd you do not know",
    );
    add(
        "an unknown dialect is unsupported",
        doctor.unknown_dialect(),
        "answer {\"id\":…,\"unsupported\":\"dialect\"} to a dialect you do not know",
    );
    add("an unknown field is ignored", doctor.extra_field(), "read the fields you know and ignore others");
    add(
        "a line that is no JSON is an error with id null",
        doctor.unreadable(),
        "answer {\"id\":null,\"error\":\"…\"} and read on",
    );
    add("requests may be pipelined", doctor.pipelined(), "read line by line, and answer in the order of the requests");
    for &dialect in &process.greeting().dialects {
        let on = |question: &str| format!("{dialect}: {question}");
        let doctor = InDialect { process, dialect, kind: doctor.kind(dialect) };
        add(
            &on("one list more than chunks"),
            doctor.lists(),
            "answer with the events after each chunk, then those of the end, also for empty chunks and none",
        );
        add(
            &on("the same input gives the same events"),
            doctor.twice(),
            "make a new instance for every run, without clock or randomness",
        );
        add(
            &on("characters beyond the BMP"),
            doctor.beyond_the_bmp(),
            "read and write UTF-8; do not cut surrogate pairs",
        );
        add(&on("a line of 1 MiB"), doctor.long_line(), "read whole lines of any length");
        if process.greeting().can("sweep") {
            add(
                &on("a sweep gives what the runs give"),
                doctor.sweep(),
                "make a new instance for every list of cuts; cut before atom k",
            );
        }
        if process.greeting().can("fork") {
            add(
                &on("a walk gives what the runs give"),
                doctor.walk(),
                "copy the whole state; equal fingerprints must mean equal behaviour",
            );
        }
    }
    let bye = doctor.bye();
    add("bye ends it with 0", bye, "exit with 0 after bye, and at the end of input");
    probes
}

/// What to mend where something came that is no answer, whatever was asked: most often a line that was printed to see what goes on.
fn mend_of_garbage(problem: &str) -> Option<&'static str> {
    let is_garbage = problem.contains("not a JSON object");
    is_garbage.then_some("standard output is for answers only: print whatever else there is to standard error")
}

struct Doctor<'a> {
    process: &'a Process,
}

impl Doctor<'_> {
    fn greeting(&self) -> Answer {
        let greeting = self.process.greeting();
        if !greeting.unknown.is_empty() {
            return Err(format!("unknown dialects: {}", greeting.unknown.join(", ")));
        }
        let known = ["sweep", "fork", "fingerprint", "violations"];
        let unknown: Vec<&str> = greeting.caps.iter().map(String::as_str).filter(|cap| !known.contains(cap)).collect();
        if !unknown.is_empty() {
            return Err(format!("unknown caps: {}", unknown.join(", ")));
        }
        if greeting.can("fork") != greeting.can("fingerprint") {
            return Err("of fork and fingerprint there is only one".to_owned());
        }
        let takes_nothing = greeting.dialects.iter().find(|&&dialect| {
            let kinds = [dialect.kind(&Options::default()), Kind::Bytes];
            !kinds.into_iter().any(|kind| self.process.takes(dialect, kind))
        });
        match takes_nothing {
            Some(dialect) => Err(format!("no case of {dialect} can be fed with what it accepts")),
            None => Ok(()),
        }
    }

    fn unknown_command(&self) -> Answer {
        let answer = ask(self.process, &json!({"id": 900_001, "cmd": "anysplit-doctor"}))?;
        expect(&answer, "unsupported", &json!("cmd"))
    }

    fn unknown_dialect(&self) -> Answer {
        let request = json!({"id": 900_002, "cmd": "run", "dialect": "anysplit-doctor", "options": {}, "chunks": []});
        expect(&ask(self.process, &request)?, "unsupported", &json!("dialect"))
    }

    fn extra_field(&self) -> Answer {
        let plain = self.first_run(900_003);
        let mut with = plain.clone();
        with["anysplit-doctor"] = json!({"a": [1, null]});
        let (plain, with) = (ask(self.process, &plain)?, ask(self.process, &with)?);
        if plain == with { Ok(()) } else { Err(format!("{} became {}", short(&plain), short(&with))) }
    }

    fn unreadable(&self) -> Answer {
        let line = self.process.probe(&["{\"id\":900004,\"cmd\":"]).map_err(|fault| fault.to_string())?;
        let answer = parsed(&line[0])?;
        expect(&answer, "id", &Value::Null)?;
        if answer.contains_key("error") { Ok(()) } else { Err(format!("no error in {}", short(&answer))) }
    }

    fn pipelined(&self) -> Answer {
        let requests: Vec<String> = (900_010..900_020).map(|id| self.first_run(id).to_string()).collect();
        let requests: Vec<&str> = requests.iter().map(String::as_str).collect();
        let lines = self.process.probe(&requests).map_err(|fault| fault.to_string())?;
        for (line, id) in lines.iter().zip(900_010..) {
            expect(&parsed(line)?, "id", &json!(id))?;
        }
        Ok(())
    }

    fn bye(&self) -> Answer {
        match self.process.part().map_err(|fault| fault.to_string())? {
            Some(status) if status.ends_with(": 0") => Ok(()),
            Some(status) => Err(format!("it ended with {status}")),
            None => Err("it did not end within a second".to_owned()),
        }
    }

    fn kind(&self, dialect: Dialect) -> Kind {
        let own = dialect.kind(&Options::default());
        if self.process.takes(dialect, own) { own } else { Kind::Bytes }
    }

    /// A run of nothing, in the first dialect.
    fn first_run(&self, id: u64) -> Value {
        let dialect = self.process.greeting().dialects.first().map_or("", |dialect| dialect.name());
        json!({"id": id, "cmd": "run", "dialect": dialect, "options": {}, "chunks": []})
    }
}

struct InDialect<'a> {
    process: &'a Process,
    dialect: Dialect,
    kind: Kind,
}

impl InDialect<'_> {
    fn lists(&self) -> Answer {
        let options = self.options();
        let setting = Setting { dialect: self.dialect, options: &options };
        let input = self.input("two");
        let whole = input.as_chunk();
        let empty = Atoms::of(whole).slice(0, 0);
        for chunks in [vec![], vec![whole], vec![empty, whole, empty]] {
            self.process.run(setting, &chunks).map(drop).map_err(|fault| self.told(&fault))?;
        }
        Ok(())
    }

    fn twice(&self) -> Answer {
        let (first, second) = (self.run("again")?, self.run("again")?);
        if first == second { Ok(()) } else { Err("two runs of the same input differ".to_owned()) }
    }

    fn beyond_the_bmp(&self) -> Answer {
        let events = self.run("\u{1f600} \u{10348}")?;
        let told = Value::from_iter(events.iter().map(|event| Value::Object(event.fields().clone()))).to_string();
        match self.dialect.has_text() && !(told.contains('\u{1f600}') && told.contains('\u{10348}')) {
            true => Err(format!("the text is not in {told}")),
            false => Ok(()),
        }
    }

    fn long_line(&self) -> Answer {
        self.run(&"long ".repeat((1 << 20) / 5)).map(drop)
    }

    fn sweep(&self) -> Answer {
        let options = self.options();
        let setting = Setting { dialect: self.dialect, options: &options };
        let input = self.input("a sweep \u{1f600}");
        let atoms = Atoms::of(input.as_chunk());
        let cuts = [Cuts::NONE, Cuts(vec![1]), Cuts(vec![0, 1, 1, atoms.len()]), Cuts::finest(atoms.len())];
        let swept = self.process.sweep(setting, &atoms, &cuts).map_err(|lost| self.told(&lost.fault))?;
        for (cuts, &number) in cuts.iter().zip(&swept.runs) {
            let run = self.process.run(setting, &atoms.chunks(cuts)).map_err(|fault| self.told(&fault))?;
            if swept.outcomes[number] != Ok(run.events(self.dialect.form())) {
                return Err(format!("cuts {:?} give something else in a sweep than in a run", cuts.0));
            }
        }
        Ok(())
    }

    fn walk(&self) -> Answer {
        let options = self.options();
        let setting = Setting { dialect: self.dialect, options: &options };
        // Something in which states differ: the shortest case that is more than a word.
        let case = spec::cases().unwrap_or_default().into_iter().filter(|case| {
            let kind = case.dialect.kind(&case.options);
            let atoms = Atoms::count(case.whole().as_chunk());
            case.dialect == self.dialect && case.options == options && kind == self.kind && (24..=96).contains(&atoms)
        });
        let case = case.filter(|case| case.level == Level::Must && case.events.len() > 1);
        let Some(case) = case.min_by_key(|case| Atoms::count(case.whole().as_chunk())) else { return Ok(()) };
        let input = case.whole();
        let atoms = Atoms::of(input.as_chunk());
        if !self.process.cuts(input.as_chunk().kind()) {
            return Ok(()); // items are not walked over
        }
        let proof = match self.process.prove(setting, &atoms, crate::proof::Cap::default()) {
            Attempt::Proved(proof) => proof,
            // An implementation that raises an error here has a fault of its own, of which a run tells.
            Attempt::Faulted(_, Fault::Raised { .. }) => return Ok(()),
            Attempt::Faulted(_, fault) => return Err(self.told(&fault)),
            Attempt::Cannot => return Err("walk, fork or finish is answered with unsupported".to_owned()),
            // States that are never equal prove nothing, and say nothing that is wrong.
            Attempt::PastCap => return Ok(()),
        };
        let walked: Vec<_> = proof.outcomes.iter().map(|outcome| &outcome.events).collect();
        let single = (1..atoms.len()).map(|at| Cuts(vec![at]));
        let pairs = (1..atoms.len() - 2).map(|at| Cuts(vec![at, at + 2]));
        let cuts: Vec<Cuts> = [Cuts::NONE, Cuts::finest(atoms.len())].into_iter().chain(single).chain(pairs).collect();
        let inputs: Vec<_> = cuts.iter().map(|cuts| atoms.chunks(cuts)).collect();
        let runs = self.process.run_all(setting, &inputs).map_err(|lost| self.told(&lost.fault))?;
        for (cuts, run) in cuts.iter().zip(runs) {
            let Ok(run) = run else { continue };
            let events = run.events(self.dialect.form());
            if !walked.contains(&&events) {
                let (case, cuts) = (&case.id, &cuts.0);
                return Err(format!("{case} cut at {cuts:?} gives events in a run that no way of the walk leads to"));
            }
        }
        Ok(())
    }

    fn run(&self, text: &str) -> Result<Vec<crate::event::Event>, String> {
        let options = self.options();
        let setting = Setting { dialect: self.dialect, options: &options };
        let run = self.process.run(setting, &[self.input(text).as_chunk()]).map_err(|fault| self.told(&fault))?;
        Ok(run.events(self.dialect.form()))
    }

    /// A fault that the implementation raises is a verdict, not the adapter's fault, but here nothing should be raised.
    fn told(&self, fault: &Fault) -> String {
        fault.to_string()
    }

    fn options(&self) -> Options {
        let transported = self.kind == Kind::Bytes && self.dialect.kind(&Options::default()) == Kind::Objects;
        let transport = transported.then(|| ("transport".to_owned(), json!("ndjson")));
        Options(transport.into_iter().collect())
    }

    /// An input of this dialect that holds a text and no call.
    fn input(&self, text: &str) -> Input {
        let item = json!({"type": "data-doctor", "data": text});
        match (self.dialect, self.kind) {
            (Dialect::Sse, _) => Input::Bytes(format!("data: {text}\n\n").into_bytes()),
            (Dialect::Ndjson, _) => Input::Bytes(format!("{}\n", json!(text)).into_bytes()),
            (dialect, Kind::Objects) => {
                Input::Objects(vec![if dialect == Dialect::DefaultExpanded { owner(text) } else { item }])
            }
            (dialect, Kind::Bytes) if !dialect.has_text() => Input::Bytes(format!("{item}\n").into_bytes()),
            (_, _) => Input::Text(text.to_owned()),
        }
    }
}

/// An owner state, the one item that `default-expanded` takes.
fn owner(text: &str) -> Value {
    json!({"toolCallId": text, "toolName": "doctor", "state": "input-available", "role": "assistant",
        "isMessageStreaming": false, "section": "root"})
}

fn ask(process: &Process, request: &Value) -> Result<Map<String, Value>, String> {
    let lines = process.probe(&[&request.to_string()]).map_err(|fault| fault.to_string())?;
    let answer = parsed(&lines[0])?;
    expect(&answer, "id", &request["id"])?;
    Ok(answer)
}

fn parsed(line: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(answer)) => Ok(answer),
        _ => Err(format!("not a JSON object: {:?}", String::from_utf8_lossy(line))),
    }
}

fn expect(answer: &Map<String, Value>, field: &str, value: &Value) -> Answer {
    match answer.get(field) {
        Some(found) if found == value => Ok(()),
        _ => Err(format!("no \"{field}\":{value} in {}", short(answer))),
    }
}

fn short(answer: &Map<String, Value>) -> String {
    let text = Value::Object(answer.clone()).to_string();
    text.char_indices().nth(200).map_or(text.clone(), |(at, _)| format!("{}…", &text[..at]))
}
