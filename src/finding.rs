//! A finding: a failure that a fuzzer met, as a file that anyone can replay.
//!
//! The file is a complete case file, so that every command takes it, with the field `finding` beside its one case: which check
//! failed and how, where the input is cut, which target that was, and how to see it again. Its events are not written by
//! hand: `expectedFrom` says whose they are.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::case::{Case, CaseError, CaseFile, text_appended, text_with};
use crate::check::Check;
use crate::event::Event;
use crate::fuzz::{Examined, Failed, case_of, examine, is_quick, judge};
use crate::judge::{Failure, Status, Verdict};
use crate::level::Level;
use crate::machine::landmark;
use crate::sample::Sample;
use crate::target::Target;
use crate::variation::{Atoms, Cuts};

/// A failure that a fuzzer met, in the smallest form that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its input and settings, and what must come out.
    pub case: Case,
    /// What else is known.
    pub record: Record,
}

/// The field `finding` of a finding's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Record {
    /// The check that fails.
    pub check: String,
    /// How: a class of disagreement, or the name of a fault.
    pub class: String,
    /// What failures with the same cause have in common.
    pub signature: String,
    /// Where the input is cut: before which characters, bytes or items.
    pub cuts: Vec<usize>,
    /// How many characters, bytes or items before its end it breaks off.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut_off: usize,
    /// Whose events the case has.
    pub expected_from: Source,
    /// What came out.
    pub actual: Vec<Event>,
    /// How the target failed to answer, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The command line of the target; absent: the embedded reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What the target calls itself, with its version.
    pub name: String,
    /// The version of anysplit.
    pub anysplit: String,
    /// The seed of the fuzzer.
    pub seed: u64,
    /// Which run of the seed met it first.
    pub run: u64,
    /// How many runs met it.
    pub times: u64,
    /// When it was first seen.
    pub first_seen: String,
    /// The command that judges it again, from the folder in which it was found.
    pub replay: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Whose word it is what must come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The reference's, where another target is under test.
    Reference,
    /// The second opinion's, where the reference itself is.
    SecondOpinion,
    /// The generator's, which wrote the input from these events.
    Construction,
}

impl Source {
    /// The word for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reference => "the reference",
            Self::SecondOpinion => "the second opinion",
            Self::Construction => "the generator that wrote the input",
        }
    }
}

/// Where and how a failure was met.
#[derive(Clone, Debug)]
pub struct Met {
    /// The command line of the target, unless it is the embedded reference.
    pub target: Option<String>,
    /// What the target calls itself.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The run.
    pub run: u64,
    /// The time.
    pub when: String,
    /// The folder of findings, as a shell needs it.
    pub folder: String,
    /// The command that replays a file, up to its path.
    pub replay: String,
}

/// What became of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Again {
    /// All is well now.
    Fixed,
    /// It fails in the same way.
    Same(Box<Failed>),
    /// It fails in another way.
    Changed(Box<Failed>),
    /// The target cannot be asked about it.
    NotAsked,
}

impl Finding {
    /// The finding of a sample that failed.
    pub fn new(sample: &Sample, failed: Failed, expected: (Source, Vec<Event>), met: &Met) -> Self {
        let (expected_from, events) = expected;
        let signature = failed.signature();
        let hash = landmark(
            [sample.dialect.name(), met.target.as_deref().unwrap_or_default(), &signature]
                .join("\n")
                .bytes()
                .map(u64::from),
        );
        let name = format!("{}-{hash:016x}", failed.check);
        let record = Record {
            check: failed.check.name().to_owned(),
            class: failed.class,
            signature,
            cuts: failed.cuts.0,
            cut_off: failed.cut_off,
            expected_from,
            actual: failed.actual,
            fault: failed.fault,
            target: met.target.clone(),
            name: met.name.clone(),
            anysplit: env!("CARGO_PKG_VERSION").to_owned(),
            seed: met.seed,
            run: met.run,
            times: 1,
            first_seen: met.when.clone(),
            replay: format!("{} {}/{name}.json", met.replay, met.folder.trim_end_matches('/')),
        };
        Self { case: case_of(sample, &name, events), record }
    }

    /// The name of its file, which findings with the same signature share.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.name())
    }

    /// The name of its case: check and hash, until somebody gives it another.
    pub fn name(&self) -> &str {
        self.case.id.split_once('/').map_or(&self.case.id, |(_, name)| name)
    }

    /// The name that somebody gave it.
    pub fn own_name(&self) -> Result<&str, String> {
        let name = self.name();
        let hash = name.strip_prefix(&self.record.check).and_then(|rest| rest.strip_prefix('-'));
        if hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            return Err(format!("give the case a name that says what it shows instead of {name:?}"));
        }
        Ok(name)
    }

    /// The check that failed; nothing where this version knows none of the name.
    pub fn check(&self) -> Option<Check> {
        Check::named(&self.record.check)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, FindingError> {
        let file = CaseFile::read(path)?;
        Self::of(file).map_err(|problem| FindingError::Bad { path: path.to_owned(), problem })
    }

    /// The finding in a file of cases.
    pub fn of(file: CaseFile) -> Result<Self, String> {
        let Some(record) = file.finding else {
            return Err("no \"finding\" in it; cases of your own are judged by `anysplit run --cases`".to_owned());
        };
        let record: Record = serde_json::from_value(record).map_err(|error| format!("field \"finding\": {error}"))?;
        let [case] =
            <[Case; 1]>::try_from(file.cases).map_err(|cases| format!("{} cases instead of one", cases.len()))?;
        let finding = Self { case, record };
        let atoms = finding.sample().atoms().len();
        if finding.check().is_none() {
            return Err(format!("field \"finding\": there is no check {:?}", finding.record.check));
        }
        let cuts = &finding.record.cuts;
        if cuts.last().is_some_and(|&last| last > atoms) || !cuts.is_sorted() {
            let units = finding.case.whole().as_chunk().kind().units();
            return Err(format!(
                "field \"finding\": \"cuts\" must ascend and lie within the {atoms} {units} of the input"
            ));
        }
        Ok(finding)
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        text_with(self.case.dialect, Some(&json!(self.record)), [&self.case])
    }

    /// Writes its file into a folder, as a whole or not at all.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let path = folder.join(self.file_name());
        write_whole(&path, self.text().as_bytes())?;
        Ok(path)
    }

    /// Its input with its settings and cuts.
    pub fn sample(&self) -> Sample {
        let options = std::sync::Arc::new(self.case.options.clone());
        Sample { dialect: self.case.dialect, options, input: self.case.whole(), cuts: Cuts(self.record.cuts.clone()) }
    }

    /// Takes another finding of the same signature for the same: the smaller stays, and of equals the one that was met first.
    pub fn join(&mut self, other: Self) {
        let times = self.record.times + other.record.times;
        let first = self.record.first_seen.clone().min(other.record.first_seen.clone());
        let order = |finding: &Self| {
            let Record { cuts, seed, run, .. } = &finding.record;
            (cuts.len(), finding.case.whole().as_chunk().size(), *seed, *run)
        };
        if order(&other) < order(self) {
            *self = other;
        }
        (self.record.times, self.record.first_seen) = (times, first);
    }

    /// Asks a target again.
    pub fn replay(&self, target: &dyn Target) -> Again {
        let (sample, expected) = (self.sample(), self.case.events.clone());
        let Some(check) = self.check() else { return Again::NotAsked };
        let first = match examine(target, &sample, &expected, &[]) {
            Examined::NotAsked => return Again::NotAsked,
            Examined::Failed(failed) => Some(failed),
            Examined::Fine => None,
        };
        let is_same = |failed: &Failed| failed.check == check && failed.class == self.record.class;
        match first {
            Some(failed) if is_same(&failed) => Again::Same(failed),
            Some(failed) if is_quick(check) => Again::Changed(failed),
            first => {
                let judged = judge(target, &sample, expected, &[check], self.record.seed);
                let (same, others): (Vec<_>, Vec<_>) =
                    judged.into_iter().map(Box::new).partition(|failed| is_same(failed));
                match (same.into_iter().next(), first.or_else(|| others.into_iter().next())) {
                    (Some(failed), _) => Again::Same(failed),
                    (None, Some(failed)) => Again::Changed(failed),
                    (None, None) => Again::Fixed,
                }
            }
        }
    }

    /// What it looks like in a report.
    pub fn verdict(&self, failed: &Failed) -> Verdict {
        let input = self.case.whole();
        let atoms = Atoms::of(input.as_chunk());
        let came = Atoms::of(atoms.slice(0, atoms.len().saturating_sub(failed.cut_off)));
        let chunks = came.chunks(&failed.cuts).into_iter().map(|chunk| chunk.to_input()).collect();
        let message = failed.fault.clone().unwrap_or_else(|| {
            format!("class {}; what must come is the word of {}", failed.class, self.record.expected_from.words())
        });
        let failure = Failure {
            message,
            rules: Vec::new(),
            chunks,
            cut_off: failed.cut_off,
            expected: failed.expected.clone(),
            actual: failed.actual.clone(),
            failing: format!("met by run {} of seed {}", self.record.run, self.record.seed),
            fault: None,
            repeat: Some(self.record.replay.clone()),
        };
        Verdict {
            case: self.case.id.clone(),
            check: failed.check,
            level: Level::Must,
            status: Status::Fail,
            note: None,
            coverage: None,
            failure: Some(Box::new(failure)),
        }
    }

    /// Puts its case behind those of a file of cases, which need not exist: the text of the file then.
    pub fn appended_to(&self, file: Option<&str>) -> Result<String, String> {
        self.own_name()?;
        if self.case.rules.is_empty() {
            return Err("give the case the \"rules\" that it shows; `anysplit rules` lists them".to_owned());
        }
        match file {
            None => Ok(crate::case::text_of(self.case.dialect, [&self.case])),
            Some(file) => text_appended(file, &self.case).ok_or_else(|| "that is no file of cases".to_owned()),
        }
    }
}

/// A file that is no finding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindingError {
    /// It is no case file either.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// It is one, but tells of no finding that could be replayed.
    #[error("{path}: {problem}", path = path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// Writes a file that is there as a whole or not at all, whatever happens meanwhile.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    write_by(path, |file| {
        file.write_all(content)?;
        file.sync_all()
    })
}

/// The same, for a file that nobody misses when the machine is switched off: it need not wait for the disk.
pub fn write_soon(path: &Path, content: &[u8]) -> io::Result<()> {
    write_by(path, |file| file.write_all(content))
}

fn write_by(path: &Path, write: impl FnOnce(&mut fs::File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::File::create(&unfinished).and_then(|mut file| write(&mut file));
    let renamed = written.and_then(|()| fs::rename(&unfinished, path));
    if renamed.is_err() {
        // What cannot be removed was perhaps never there.
        let _ = fs::remove_file(&unfinished);
    }
    renamed
}

/// The findings of a file, or of all files of a folder.
pub fn read_all(path: &Path) -> Result<Vec<Finding>, FindingError> {
    paths(path)?.iter().map(|file| Finding::read(file)).collect()
}

/// The files of findings in a folder, by their names; a file is its own.
pub fn paths(path: &Path) -> Result<Vec<PathBuf>, FindingError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let bad = |problem: String| FindingError::Bad { path: path.to_owned(), problem };
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| bad(format!("cannot be read: {error}")))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    // Files that are only half written begin with a dot.
    files.retain(|file| {
        file.is_file()
            && file.extension().is_some_and(|extension| extension == "json")
            && !file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
    });
    files.sort();
    Ok(files)
}
