//! `anysplit rules`: the rules, and which cases show them.

use std::io::{self, Write};

use anysplit::case::Case;
use anysplit::dialect::Dialect;
use anysplit::rule::Rule;
use anysplit::spec;
use clap::Args;
use serde_json::json;

use super::output::{self, Output, unwritable};
use super::{Exit, Format, Problem};

/// List the rules and how many cases show each; or show some of them in full
#[derive(Args)]
#[command(after_help = "\
Examples:
  anysplit rules --dialect inline-tag
  anysplit rules T13 T14")]
pub(super) struct Rules {
    /// Rules to show in full, such as T13
    rules: Vec<String>,
    /// Only this dialect; may be given several times
    #[arg(long, value_name = "DIALECT")]
    dialect: Vec<Dialect>,
    /// What it looks like
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    format: Format,
}

impl Rules {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        if let Some(unknown) = self.rules.iter().find(|id| spec::rule(id).is_none()) {
            return Err(Problem::usage(format!("there is no rule {unknown:?}; `anysplit rules` lists them all")));
        }
        if !spec::rules().iter().any(|rule| self.selects(rule)) {
            return Err(Problem::nothing("none of these rules belongs to this dialect"));
        }
        let cases = spec::cases().map_err(Problem::usage)?;
        let mut out = output::stdout(self.format);
        self.print(&mut out, &cases).and_then(|()| out.flush()).map_err(unwritable)?;
        Ok(Exit::Conforms)
    }

    fn print(&self, out: &mut Output, cases: &[Case]) -> io::Result<()> {
        for rule in spec::rules().iter().filter(|rule| self.selects(rule)) {
            let shown: Vec<&str> =
                cases.iter().filter(|case| case.rules.contains(&rule.id)).map(|case| case.id.as_str()).collect();
            match self.format {
                Format::Terminal if self.rules.is_empty() => {
                    writeln!(
                        out,
                        "{:4} {:6} {:4} cases  {:15} {}",
                        rule.id,
                        rule.level,
                        shown.len(),
                        rule.dialect,
                        rule.title
                    )?;
                }
                Format::Terminal => in_full(out, rule, &shown)?,
                Format::Json => {
                    let (dialect, sentence) = (rule.dialect.name(), &rule.sentence);
                    let record = json!({"rule": rule.id, "dialect": dialect, "level": rule.level, "title": rule.title, "sentence": sentence, "cases": shown});
                    writeln!(out, "{record}")?;
                }
            }
        }
        Ok(())
    }

    fn selects(&self, rule: &Rule) -> bool {
        (self.rules.is_empty() || self.rules.contains(&rule.id))
            && (self.dialect.is_empty() || self.dialect.contains(&rule.dialect))
    }
}

fn in_full(out: &mut Output, rule: &Rule, cases: &[&str]) -> io::Result<()> {
    writeln!(out, "{} {} ({}, {})\n\n  {}\n", rule.id, rule.title, rule.dialect, rule.level, rule.sentence)?;
    for line in rule.notes.lines() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "\n  {} cases:", cases.len())?;
    for case in cases {
        writeln!(out, "    {case}")?;
    }
    writeln!(out)
}
