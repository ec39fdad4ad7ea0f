//! `anysplit show`: one case in full.

use std::io::{self, Write};
use std::path::PathBuf;

use anysplit::case::Case;
use anysplit::input::Input;
use anysplit::judge::Variations;
use anysplit::spec;
use anysplit::variation::Atoms;
use clap::Args;

use super::output::{self, Output, unwritable};
use super::select::cases;
use super::{Exit, Format, Problem};

/// Show one case in full: its input, its events and the rules it shows
#[derive(Args)]
#[command(after_help = "\
Examples:
  anysplit show inline-tag/plain-text-passes
  anysplit show markdown-fence/document-example --format json")]
pub(super) struct Show {
    /// The case's id, as `anysplit list` prints it
    case: String,
    /// A case file of your own, or a folder of them, instead of the embedded ones; may be given several times
    #[arg(long, value_name = "PATH")]
    cases: Vec<PathBuf>,
    /// What it looks like
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    format: Format,
}

impl Show {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let cases = cases(&self.cases)?;
        let Some(case) = cases.iter().find(|case| case.id == self.case) else {
            return Err(self.unknown(&cases));
        };
        let mut out = output::stdout(self.format);
        match self.format {
            Format::Terminal => print(&mut out, case),
            Format::Json => writeln!(out, "{}", serde_json::json!(case)),
        }
        .and_then(|()| out.flush())
        .map_err(unwritable)?;
        Ok(Exit::Conforms)
    }

    fn unknown(&self, cases: &[Case]) -> Problem {
        let name = self.case.rsplit('/').next().unwrap_or_default();
        let near: Vec<&str> =
            cases.iter().map(|case| case.id.as_str()).filter(|id| id.contains(name)).take(5).collect();
        let hint = if near.is_empty() {
            "`anysplit list` shows all".to_owned()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        Problem::usage(format!("there is no case {:?}; {hint}", self.case))
    }
}

fn print(out: &mut Output, case: &Case) -> io::Result<()> {
    let input = case.whole();
    let atoms = Atoms::of(input.as_chunk());
    let units = input.as_chunk().kind().units();
    writeln!(out, "{} ({}), from {}", case.id, case.level, case.file)?;
    for (what, words) in [("why", &case.why), ("origin", &case.origin)] {
        if let Some(words) = words {
            writeln!(out, "{what}: {words}")?;
        }
    }
    for rule in case.rules.iter().filter_map(|id| spec::rule(id)) {
        writeln!(out, "{}: {}", rule.id, rule.sentence)?;
    }
    if !case.options.0.is_empty() {
        writeln!(out, "\noptions\n  {}", serde_json::json!(case.options))?;
    }
    writeln!(out, "\ninput ({} {units}, {} splittings)", atoms.len(), Variations::splittings_of(atoms.len()))?;
    match &input {
        Input::Objects(items) => items.iter().try_for_each(|item| writeln!(out, "  {item}"))?,
        Input::Text(_) => writeln!(out, "  {}", serde_json::json!(input))?,
        Input::Bytes(bytes) => match str::from_utf8(bytes) {
            Ok(text) => writeln!(out, "  {}", serde_json::json!(text))?,
            Err(_) => writeln!(out, "  {}", serde_json::json!(input))?,
        },
    }
    if let Some(piece) = case.grow {
        writeln!(out, "  grows by repeating {}", serde_json::json!(case.input.0[piece]))?;
    }
    writeln!(out, "\nevents")?;
    case.events.iter().try_for_each(|event| writeln!(out, "  {event}"))
}
