//! `anysplit list`: which cases there are.

use std::io::Write;

use clap::Args;

use super::output::{self, unwritable};
use super::select::Select;
use super::{Exit, Format, Problem};

/// List the cases: id, level, rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  anysplit list --dialect inline-tag
  anysplit list --filter surrogate --level must
  anysplit list --format json | head -n 1")]
pub(super) struct List {
    #[command(flatten)]
    select: Select,
    /// What the list looks like
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    format: Format,
}

impl List {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let cases = self.select.cases()?;
        let width = cases.iter().map(|case| case.id.len()).max().unwrap_or(0);
        let mut out = output::stdout(self.format);
        for case in &cases {
            match self.format {
                Format::Terminal => {
                    writeln!(out, "{:width$}  {:6}  {}", case.id, case.level, case.rules.join(" "))
                }
                Format::Json => writeln!(out, "{}", serde_json::json!(case)),
            }
            .map_err(unwritable)?;
        }
        out.flush().map_err(unwritable)?;
        Ok(Exit::Conforms)
    }
}
