//! What a person, or a program, is told about a stream.

use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use anysplit::dialect::Dialect;
use anysplit::lint::{Finding, Observed, RuleCount, Summary};
use anysplit::spec;
use serde_json::json;

use super::{Broken, level};
use crate::cli::Format;
use crate::cli::output::Output;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();

/// So many ways of calls are shown; the JSON report has all of them.
const MOST_PATHS: usize = 12;

pub(super) struct Printer<'a> {
    out: Output,
    format: Format,
    stream: &'a str,
    dialect: Dialect,
    /// Whether a broken should fails the check.
    strict: bool,
    /// The rules whose sentences were printed: a rule that is broken a thousand times is explained once.
    explained: BTreeSet<&'static str>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(out: Output, format: Format, stream: &'a str, dialect: Dialect, strict: bool) -> Self {
        Self { out, format, stream, dialect, strict, explained: BTreeSet::new() }
    }

    pub(super) fn header(&mut self) -> io::Result<()> {
        if self.format == Format::Json {
            let version = env!("CARGO_PKG_VERSION");
            let record = json!({"type": "header", "schema": 1, "anysplit": version, "stream": self.stream, "dialect": self.dialect.name()});
            writeln!(self.out, "{record}")?;
        }
        self.out.flush()
    }

    pub(super) fn finding(&mut self, finding: &Finding) -> io::Result<()> {
        let Finding { line, event, rule, call, came, allowed } = finding;
        let sentence = spec::rule(rule).map_or("", |rule| &rule.sentence);
        let level = level(rule);
        if self.format == Format::Json {
            let mut record = json!(finding);
            record["type"] = "violation".into();
            record["level"] = json!(level);
            record["sentence"] = sentence.into();
            return writeln!(self.out, "{record}");
        }
        let call = call.as_ref().map(|call| format!(" · call {call:?}")).unwrap_or_default();
        let stream = visible(if self.stream == "-" { "stdin" } else { self.stream });
        let out = &mut self.out;
        writeln!(out, "{BAD}{rule}{BAD:#} {level} {BOLD}{stream}:{line}{BOLD:#} · event {event}{call}")?;
        if self.explained.insert(rule) {
            writeln!(out, "  {DIM}{sentence}{DIM:#}")?;
        }
        writeln!(out, "  came     {}", visible(came))?;
        writeln!(out, "  allowed  {}\n", visible(allowed))
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    pub(super) fn summary(&mut self, summary: &Summary, broken: &Broken, complete: bool) -> io::Result<()> {
        if self.format == Format::Json {
            let mut record = json!(summary);
            record["type"] = "footer".into();
            record["violations"] = json!({"must": broken.must, "should": broken.should, "may": broken.may});
            record["complete"] = complete.into();
            writeln!(self.out, "{record}")?;
        } else {
            self.summary_for_people(summary, broken, complete)?;
        }
        self.out.flush()
    }

    fn summary_for_people(&mut self, summary: &Summary, broken: &Broken, complete: bool) -> io::Result<()> {
        let out = &mut self.out;
        if !summary.paths.is_empty() {
            writeln!(out, "calls")?;
        }
        for path in summary.paths.iter().take(MOST_PATHS) {
            let more = if path.calls > path.examples.len() as u64 { ", …" } else { "" };
            let examples = visible(&path.examples.join(", "));
            writeln!(out, "  {:>6}  {}  {DIM}{examples}{more}{DIM:#}", path.calls, path.states.join(" → "))?;
        }
        if summary.paths.len() > MOST_PATHS {
            writeln!(out, "  {DIM}… and {} other ways{DIM:#}", summary.paths.len() - MOST_PATHS)?;
        }
        writeln!(out, "rules")?;
        for (what, style, observed) in [
            ("held", GOOD, Observed::Held),
            ("violated", BAD, Observed::Violated),
            ("not observed", DIM, Observed::NotObserved),
        ] {
            let of = |count: &&RuleCount| count.observed == observed;
            let name = |count: &RuleCount| match count.violated {
                0 => count.rule.to_owned(),
                times => format!("{} ({times}×)", count.rule),
            };
            let names: Vec<String> = summary.rules.iter().filter(of).map(name).collect();
            if !names.is_empty() {
                writeln!(out, "  {style}{what:12}{style:#}  {}", names.join(" "))?;
            }
        }
        let none_of_ours = format!(
            "nothing was judged: no event is one that {} has a rule for (is it the right --dialect?)",
            self.dialect
        );
        let (style, word) = match (broken.must, broken.should) {
            _ if !complete => (WARN, "interrupted"),
            _ if !summary.judged && summary.bytes == 0 => (WARN, "nothing was judged: the stream is empty"),
            _ if !summary.judged && summary.items == 0 => (WARN, "nothing was judged: there is no event in the stream"),
            _ if !summary.judged => (WARN, none_of_ours.as_str()),
            (0, 0) => (GOOD, "conforms"),
            (0, _) if !self.strict => (WARN, "conforms where it must"),
            _ => (BAD, "does not conform"),
        };
        let framing = summary.framing.map(|framing| format!(" ({})", framing.name())).unwrap_or_default();
        writeln!(
            out,
            "\n{style}{word}{style:#}: {}{framing}, {}, violations: must {}, should {}, may {}",
            counted(summary.items, "event"),
            counted(summary.calls, "call"),
            broken.must,
            broken.should,
            broken.may
        )
    }
}

fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A text without anything that a terminal would act on: control characters, and those that turn the direction of writing.
fn visible(text: &str) -> String {
    let acts = |char: char| {
        char.is_control() || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().flat_map(|char| if acts(char) { char.escape_default().collect() } else { vec![char] }).collect()
}
