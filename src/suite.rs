//! The suite as a test of your own crate, one trial per case × check.
//!
//! In `Cargo.toml`, `[[test]] name = "conformance"` with `harness = false`, and in `tests/conformance.rs`:
//!
//! ```no_run
//! # use anysplit::machine::{Machine, Sink};
//! # #[derive(Clone, PartialEq, Eq, Hash)] struct MyParser;
//! # impl MyParser { fn new() -> Self { Self } }
//! # impl Machine for MyParser {
//! #     type Chunk = str;
//! #     fn feed(&mut self, chunk: &str, sink: &mut impl Sink) { sink.text(chunk); }
//! #     fn finish(self, _sink: &mut impl Sink) {}
//! # }
//! fn main() -> std::process::ExitCode {
//!     anysplit::suite(MyParser::new).proved().dialect("inline-tag").known("known-failures.json").run()
//! }
//! ```
//!
//! Trials are named `<dialect>/<case>/<check>` and filtered as any other: `cargo test --test conformance near-miss`. A check that does
//! not apply, and a failure of level should or may, is *ignored* with its reason, never a pass; a known failure passes; one that
//! no longer fails is a failure.

use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::case::Case;
use crate::check::Check;
use crate::dialect::Dialect;
use crate::judge::{Judge, Splits, Status, Verdict};
use crate::known::KnownFailures;
use crate::level::Level;
use crate::machine::Machine;
use crate::report::{Report as _, TerminalReport};
use crate::spec;
use crate::target::{InProcess, Target};

/// The suite for what `make` makes: a fresh instance of your implementation for every run.
pub fn suite<M, F>(make: F) -> Suite<F>
where
    M: Machine + 'static,
    F: Fn() -> M + Send + Sync + 'static,
{
    Suite { make, wrap: tried, splits: Splits::Quick, dialect: String::new(), known: None, strict: false }
}

/// A suite that is being put together; [`Suite::run`] runs it.
#[must_use = "a suite does nothing until it is run"]
pub struct Suite<F> {
    make: F,
    wrap: fn(F, Dialect) -> Arc<dyn Target + Send + Sync>,
    splits: Splits,
    dialect: String,
    known: Option<PathBuf>,
    strict: bool,
}

impl<M, F> Suite<F>
where
    M: Machine + 'static,
    F: Fn() -> M + Send + Sync + 'static,
{
    /// Which dialect it implements.
    pub fn dialect(mut self, name: &str) -> Self {
        name.clone_into(&mut self.dialect);
        self
    }

    /// A file of failures that are known, relative to the folder of your `Cargo.toml`.
    pub fn known(mut self, path: impl AsRef<Path>) -> Self {
        self.known = Some(path.as_ref().to_owned());
        self
    }

    /// Lets a failed should fail too.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// How splittings are covered; without [`Suite::proved`] the quick selection is the default.
    pub fn splits(mut self, splits: Splits) -> Self {
        self.splits = splits;
        self
    }

    /// Proves all splittings of every case, for a type that can be cloned and compared.
    pub fn proved(mut self) -> Self
    where
        M: Clone + Eq + Hash,
    {
        (self.wrap, self.splits) = (proved, Splits::Proof);
        self
    }

    /// Runs the suite with the arguments of this process, as a test executable does.
    pub fn run(self) -> ExitCode {
        let arguments = Arguments::from_args();
        match self.trials() {
            Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
            Err(problem) => {
                eprintln!("error: {problem}");
                ExitCode::from(2)
            }
        }
    }

    fn trials(self) -> Result<Vec<Trial>, String> {
        let dialect: Dialect = self.dialect.parse().map_err(|unknown| format!("{unknown}"))?;
        let known = self.known.as_deref().map(KnownFailures::read).transpose().map_err(|error| error.to_string())?;
        let shared = Arc::new(Shared {
            dialect,
            target: (self.wrap)(self.make, dialect),
            splits: self.splits,
            strict: self.strict,
            known: known.unwrap_or_default(),
        });
        let cases = spec::cases().map_err(|error| error.to_string())?;
        let cases = cases.into_iter().filter(|case| case.dialect == dialect);
        let judged: Vec<Arc<Judged>> = cases
            .map(|case| Arc::new(Judged { case, shared: Arc::clone(&shared), verdicts: OnceLock::new() }))
            .collect();
        let trials = judged.iter().flat_map(|judged| Check::ALL.map(|check| trial(judged, check)));
        let mut trials: Vec<Trial> = trials.collect();
        if !shared.known.entries.is_empty() {
            trials.push(Trial::test("known-failures-are-not-stale", move || none_is_stale(&shared, &judged)));
        }
        Ok(trials)
    }
}

fn tried<M: Machine + 'static, F>(make: F, dialect: Dialect) -> Arc<dyn Target + Send + Sync>
where
    F: Fn() -> M + Send + Sync + 'static,
{
    Arc::new(InProcess::new("this crate", dialect, move |_options| make()))
}

fn proved<M, F>(make: F, dialect: Dialect) -> Arc<dyn Target + Send + Sync>
where
    M: Machine + Clone + Eq + Hash + 'static,
    F: Fn() -> M + Send + Sync + 'static,
{
    Arc::new(InProcess::new("this crate", dialect, move |_options| make()).provable())
}

struct Shared {
    dialect: Dialect,
    target: Arc<dyn Target + Send + Sync>,
    splits: Splits,
    strict: bool,
    known: KnownFailures,
}

/// A case, judged once for all its trials.
struct Judged {
    case: Case,
    shared: Arc<Shared>,
    verdicts: OnceLock<Vec<Verdict>>,
}

impl Judged {
    /// Its verdicts; none where the case has settings, which the maker of the instances does not take.
    fn verdicts(&self) -> &[Verdict] {
        self.verdicts.get_or_init(|| {
            if !self.case.options.0.is_empty() {
                return Vec::new();
            }
            let judge = Judge { splits: self.shared.splits, ..Judge::new(&*self.shared.target) };
            let mut verdicts = judge.judge(&self.case);
            self.shared.known.clone().apply(&mut verdicts);
            verdicts
        })
    }
}

fn trial(judged: &Arc<Judged>, check: Check) -> Trial {
    let judged = Arc::clone(judged);
    Trial::ignorable_test(format!("{}/{check}", judged.case.id), move || answer(&judged, check))
}

fn answer(judged: &Judged, check: Check) -> Result<Completion, Failed> {
    let Some(verdict) = judged.verdicts().iter().find(|verdict| verdict.check == check) else {
        return Ok(Completion::ignored_with("the case has options"));
    };
    let least = if judged.shared.strict { Level::Should } else { Level::Must };
    match verdict.status {
        Status::Pass | Status::Known => Ok(Completion::Completed),
        Status::NotApplicable => Ok(Completion::ignored_with(verdict.note.as_deref().unwrap_or("not applicable"))),
        Status::Fail if verdict.level > least => {
            Ok(Completion::ignored_with(format!("fails, level {}", verdict.level)))
        }
        Status::Fail => Err(shown(verdict).into()),
    }
}

fn shown(verdict: &Verdict) -> String {
    let mut text = Vec::new();
    match TerminalReport::new(&mut text).case(std::slice::from_ref(verdict)) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => error.to_string(),
    }
}

fn none_is_stale(shared: &Shared, judged: &[Arc<Judged>]) -> Result<(), Failed> {
    let mut known = shared.known.clone();
    for judged in judged {
        let mut verdicts = judged.verdicts().to_vec();
        // As they were before what is known was marked.
        let was_failure = |verdict: &&mut Verdict| verdict.status == Status::Known;
        verdicts.iter_mut().filter(was_failure).for_each(|verdict| verdict.status = Status::Fail);
        known.apply(&mut verdicts);
    }
    match known.stale(true, &[shared.dialect]) {
        stale if stale.is_empty() => Ok(()),
        stale => Err(format!("these did not occur:\n  {}", stale.join("\n  ")).into()),
    }
}

#[cfg(test)]
mod tests {
    use libtest_mimic::Conclusion;

    use super::*;
    use crate::machine::Sink;

    /// Knows no calls.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Echo;

    impl Machine for Echo {
        type Chunk = str;

        fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
            sink.text(chunk);
        }

        fn finish(self, _sink: &mut impl Sink) {}
    }

    fn run(known: Option<&str>, filter: &str) -> Conclusion {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("known.json");
        let mut suite = suite(|| Echo).proved().dialect("inline-tag").splits(Splits::Quick);
        if let Some(known) = known {
            std::fs::write(&file, format!("{{\"known\":[{known}]}}")).expect("it can be written");
            suite = suite.known(&file);
        }
        let trials = suite.trials().expect("they can be made");
        // What it prints would look like that of these tests themselves.
        let logfile = Some(folder.path().join("log").display().to_string());
        let arguments = Arguments { filter: Some(filter.to_owned()), logfile, ..Arguments::default() };
        libtest_mimic::run(&arguments, trials)
    }

    #[test]
    fn what_fails_is_a_failure_unless_it_is_known() {
        let case = "inline-tag/two-calls-with-nothing-between";
        let failed = run(None, case);
        assert!(failed.num_failed > 2 && failed.num_ignored > 2, "{failed:?}");
        let known = run(Some(&format!(r#"{{"case":"{case}","check":"*","reason":"knows no calls"}}"#)), case);
        assert_eq!(known.num_failed, 0);
        assert_eq!(run(None, "inline-tag/plain-text-passes").num_failed, 0);
    }

    #[test]
    fn what_is_known_and_passes_is_stale() {
        let entry = r#"{"case":"inline-tag/plain-text-passes","check":"expect","reason":"it does not"}"#;
        assert_eq!(run(Some(entry), "known-failures-are-not-stale").num_failed, 1);
        let entry = r#"{"case":"inline-tag/*call*","check":"expect","reason":"knows no calls"}"#;
        assert_eq!(run(Some(entry), "known-failures-are-not-stale").num_failed, 0);
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let problem = |suite: Suite<fn() -> Echo>| suite.trials().map(|trials| trials.len()).unwrap_err();
        let echo: fn() -> Echo = || Echo;
        assert!(problem(suite(echo)).contains("unknown dialect"));
        assert!(problem(suite(echo).dialect("inline-tag").known("no-such.json")).contains("no-such.json"));
    }
}
