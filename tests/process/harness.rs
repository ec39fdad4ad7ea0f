//! Running the program on case files with children, and looking at what is left of them.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anysplit::spec;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// No run of the program takes longer than this.
const MOST: Duration = Duration::from_secs(50);

/// A folder with a case file and a log of the children.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// A case of `inline-tag` for each of these inputs, whose text must come out as it is; `case-1` is the first.
    pub(crate) fn new(inputs: &[&str]) -> Self {
        let case = |(number, input): (usize, &&str)| json!({"name": format!("case-{}", number + 1), "input": input, "events": [{"type": "text", "text": input}]});
        let cases: Vec<Value> = inputs.iter().enumerate().map(case).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let bench = Self { folder };
        bench.write("cases.json", &json!({"dialect": "inline-tag", "cases": cases}).to_string());
        bench
    }

    /// A bad case between good ones: the input is this word behind `!`, between others.
    pub(crate) fn around(word: &str) -> Self {
        Self::new(&["one before it", "another <b> before", &bad(word), "one {after} it", "another after"])
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("written");
        path
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command line of a child that is told this.
    pub(crate) fn child(&self, told: &[&str]) -> String {
        let exe = std::env::current_exe().expect("this executable").display().to_string();
        let log = format!("log={}", self.path("log").display());
        let words = [exe.as_str(), "--child", log.as_str()].into_iter().chain(told.iter().copied());
        words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
    }

    /// What the children wrote to their log.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// How many children were started.
    pub(crate) fn starts(&self) -> usize {
        self.log().matches("start").count()
    }

    /// Waits until the log has this word.
    pub(crate) fn wait_for(&self, word: &str) {
        let since = Instant::now();
        while !self.log().contains(word) {
            assert!(since.elapsed() < MOST, "no {word:?} in the log: {}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts `anysplit run` on the cases of this bench.
    pub(crate) fn start(&self, told: &[&str], arguments: &[&str]) -> Running {
        let (cases, child) = (self.path("cases.json").display().to_string(), self.child(told));
        let fixed = ["run", "--format", "json", "--cases", cases.as_str(), "--target", child.as_str()];
        Running {
            folder: Some(self.folder.path().display().to_string()),
            ..Running::start(&[&fixed[..], arguments].concat())
        }
    }

    /// The same, one case at a time, and waits for its end.
    pub(crate) fn run(&self, told: &[&str], arguments: &[&str]) -> Ended {
        self.start(told, &[&["--jobs", "1"], arguments].concat()).end()
    }
}

/// The input of a bad case.
pub(crate) fn bad(word: &str) -> String {
    format!("some !{word} in the middle")
}

/// The program, under way.
pub(crate) struct Running {
    program: Child,
    /// Stands on the command line of everything that belongs to a bench.
    folder: Option<String>,
    since: Instant,
    out: thread::JoinHandle<String>,
    err: thread::JoinHandle<String>,
}

impl Running {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_anysplit"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let out = gather(program.stdout.take().expect("piped"));
        let err = gather(program.stderr.take().expect("piped"));
        Self { program, folder: None, since: Instant::now(), out, err }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let program = i32::try_from(self.program.id()).ok().and_then(Pid::from_raw).expect("it has an id");
        kill_process(program, signal).expect("it runs");
    }

    /// Waits for its end; nothing that it started may be left.
    pub(crate) fn end(mut self) -> Ended {
        let status = loop {
            if let Some(status) = self.program.try_wait().expect("it can be waited for") {
                break status;
            }
            if self.since.elapsed() > MOST {
                self.program.kill().expect("it can be killed");
                kill(&marked(self.program.id(), self.folder.as_deref()));
                panic!("the program did not end: {:?}", self.err.join());
            }
            thread::sleep(Duration::from_millis(5));
        };
        let took = self.since.elapsed();
        let left = left_of(self.program.id(), self.folder.as_deref());
        let (out, err) = (self.out.join().expect("read"), self.err.join().expect("read"));
        assert!(left.is_empty(), "these are left: {left:?}\n{err}");
        assert!(!err.contains("panicked"), "{err}");
        let code = status.code().unwrap_or_else(|| panic!("it ended with {status}\n{err}"));
        let records = records(&out);
        Ended { code, out, err, took, records }
    }
}

fn gather(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("it can be read");
        String::from_utf8(bytes).expect("what the program writes is UTF-8")
    })
}

/// What it came to.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) took: Duration,
    records: Vec<Value>,
}

impl Ended {
    /// The verdict of this check on the case of this number.
    pub(crate) fn verdict(&self, case: usize, check: &str) -> &Value {
        let case = format!("inline-tag/case-{case}");
        let found = self.records.iter().find(|record| record["case"] == case && record["check"] == check);
        found.unwrap_or_else(|| panic!("no {case} · {check}\n{}\n{}", self.out, self.err))
    }

    pub(crate) fn verdicts(&self) -> impl Iterator<Item = &Value> {
        self.records.iter().filter(|record| record["type"] == "verdict")
    }

    pub(crate) fn footer(&self) -> &Value {
        self.records
            .iter()
            .find(|record| record["type"] == "footer")
            .unwrap_or_else(|| panic!("no footer\n{}", self.err))
    }

    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n{}\n{}", self.out, self.err);
        self
    }

    /// How the target failed to answer on a case.
    pub(crate) fn fault(&self, case: usize) -> &str {
        let survive = self.verdict(case, "survive");
        survive["failure"]["fault"].as_str().unwrap_or_else(|| panic!("it survived: {survive}\n{}", self.out))
    }

    /// The words of the failing `survive` of a case.
    pub(crate) fn message(&self, case: usize) -> &str {
        self.verdict(case, "survive")["failure"]["message"].as_str().expect("a message")
    }

    /// The chunks of the failing `survive` of a case.
    pub(crate) fn chunks(&self, case: usize) -> Vec<&str> {
        let chunks = self.verdict(case, "survive")["failure"]["chunks"].as_array().expect("chunks");
        chunks.iter().map(|chunk| chunk.as_str().expect("text")).collect()
    }

    /// All verdicts but those on these cases hold, or there was nothing to ask; every case survives.
    pub(crate) fn others_pass(&self, but: &[usize]) {
        let but: Vec<String> = but.iter().map(|case| format!("inline-tag/case-{case}")).collect();
        for verdict in self.verdicts().filter(|verdict| !but.iter().any(|case| verdict["case"] == *case)) {
            let status = verdict["status"].as_str().expect("a status");
            let passes = status == "pass" || status == "not-applicable" && verdict["check"] != "survive";
            assert!(passes, "{verdict}");
        }
        assert_eq!(self.footer()["complete"], true);
    }
}

/// The records of a report, each held against its schema; nothing where the report is for people.
fn records(text: &str) -> Vec<Value> {
    if !text.starts_with('{') {
        return Vec::new();
    }
    let schema = spec::file("schema/report.schema.json").expect("embedded");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let record = |line: &str| {
        let record: Value = serde_json::from_str(line).expect(line);
        assert!(validator.is_valid(&record), "{:?} in {line}", validator.validate(&record).map_err(|e| e.to_string()));
        record
    };
    text.lines().map(record).collect()
}

/// The processes that carry the mark of the program of this id, or name this folder.
fn marked(program: u32, folder: Option<&str>) -> Vec<i32> {
    let mark = format!("ANYSPLIT_CHILD={program}-");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let carries = |id: &i32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let names_folder = || {
            let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            folder.is_some_and(|folder| String::from_utf8_lossy(&words).contains(folder))
        };
        environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(mark.as_bytes())) || names_folder()
    };
    ids.filter(carries).collect()
}

/// The same, but what was killed may take a moment to be gone; what is left then is ended here.
fn left_of(program: u32, folder: Option<&str>) -> Vec<i32> {
    let since = Instant::now();
    loop {
        let left = marked(program, folder);
        if left.is_empty() {
            return left;
        }
        if since.elapsed() > Duration::from_secs(2) {
            kill(&left);
            return left;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn kill(ids: &[i32]) {
    for id in ids.iter().filter_map(|&id| Pid::from_raw(id)) {
        let _ = kill_process(id, Signal::KILL);
    }
}
