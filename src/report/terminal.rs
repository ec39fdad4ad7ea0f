//! A report for people. Colours are written always; the stream decides whether they are shown.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::diff::{self, Line};
use super::{Counts, Covered, Footer, Header, Report};
use crate::check::Check;
use crate::input::Input;
use crate::judge::{Failure, Status, Verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const CUT: Style = AnsiColor::Yellow.on_default().bold();

/// More lines than this of a diff, and longer ones, are left out: the whole of it is in the JSON report.
const MOST_LINES: usize = 40;
const LONGEST_LINE: usize = 400;

/// So many failures are shown with all there is to say; then a line each, or nobody finds the first.
const MOST_IN_FULL: usize = 20;

/// So many reasons are given why nothing was judged.
const MOST_REASONS: usize = 3;

/// A report for people.
pub struct TerminalReport<W> {
    out: W,
    failures_only: bool,
    /// How many failures each check has.
    failures: BTreeMap<Check, usize>,
    /// Why whole cases do not apply, with how many.
    reasons: BTreeMap<String, usize>,
}

impl<W: Write> TerminalReport<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, failures_only: false, failures: BTreeMap::new(), reasons: BTreeMap::new() }
    }

    /// Leaves out the cases that conform.
    pub fn failures_only(self) -> Self {
        Self { failures_only: true, ..self }
    }

    /// How many failures there were so far.
    fn failed(&self) -> usize {
        self.failures.values().sum()
    }

    fn failure(&mut self, verdict: &Verdict, failure: &Failure) -> io::Result<()> {
        *self.failures.entry(verdict.check).or_default() += 1;
        if self.failed() > MOST_IN_FULL {
            let message = visible(failure.message.lines().next().unwrap_or_default());
            return writeln!(self.out, "     {} · {}: {message}", verdict.check, verdict.level);
        }
        let out = &mut self.out;
        writeln!(
            out,
            "\n{BAD}FAIL{BAD:#} {BOLD}{}{BOLD:#} · {BOLD}{}{BOLD:#} · {}",
            verdict.case, verdict.check, verdict.level
        )?;
        writeln!(out, "  {}", verdict.check.sentence())?;
        for rule in &failure.rules {
            writeln!(out, "  {DIM}{}{DIM:#} {}", rule.id, rule.sentence)?;
        }
        for line in failure.message.lines() {
            writeln!(out, "  {}", visible(line))?;
        }
        if let Some(note) = &verdict.note {
            writeln!(out, "  {DIM}{}{DIM:#}", visible(note.lines().next().unwrap_or_default()))?;
        }
        writeln!(out, "\n  input {}", drawn(failure))?;
        writeln!(out)?;
        let diff = diff::events(&failure.expected, &failure.actual);
        let from = first_difference(&diff).saturating_sub(LONGEST_LINE / 2);
        for line in diff.iter().take(MOST_LINES) {
            match line {
                Line::Same(event) => writeln!(out, "    {DIM}{}{DIM:#}", visible(&window(&event.to_string(), 0)))?,
                Line::Missing(event) => {
                    writeln!(out, "  {GOOD}- {}{GOOD:#}", visible(&window(&event.to_string(), from)))?
                }
                Line::Unexpected(event) => {
                    writeln!(out, "  {BAD}+ {}{BAD:#}", visible(&window(&event.to_string(), from)))?
                }
            }
        }
        if diff.len() > MOST_LINES {
            writeln!(out, "    {DIM}… {} more lines{DIM:#}", diff.len() - MOST_LINES)?;
        }
        writeln!(out, "  {DIM}(- must come, + came){DIM:#}")?;
        writeln!(out, "\n  {}", failure.failing)?;
        match &failure.repeat {
            Some(command) => writeln!(out, "  repeat: {command}"),
            None => Ok(()),
        }
    }
}

impl<W: Write> Report for TerminalReport<W> {
    fn header(&mut self, header: &Header) -> io::Result<()> {
        let shard = header.shard.as_ref().map(|shard| format!(", shard {shard}")).unwrap_or_default();
        writeln!(
            self.out,
            "anysplit {} judges {BOLD}{}{BOLD:#} on {} cases (splits: {}, seed {}{shard})",
            header.anysplit, header.target, header.cases, header.splits, header.seed
        )?;
        self.out.flush()
    }

    fn case(&mut self, verdicts: &[Verdict]) -> io::Result<()> {
        let Some(first) = verdicts.first() else { return Ok(()) };
        let is_left_out = verdicts.iter().all(|verdict| verdict.status == Status::NotApplicable);
        if let Some(note) = first.note.as_ref().filter(|_| is_left_out) {
            *self.reasons.entry(note.clone()).or_default() += 1;
        }
        let failed = verdicts.iter().any(|verdict| verdict.status == Status::Fail);
        if self.failures_only && !failed {
            return Ok(());
        }
        let known = verdicts.iter().any(|verdict| verdict.status == Status::Known);
        let passed = verdicts.iter().any(|verdict| verdict.status == Status::Pass);
        let (style, word) = match () {
            () if failed => (BAD, "FAIL"),
            () if known => (CUT, "know"),
            () if passed => (GOOD, "ok  "),
            () => (DIM, "n/a "),
        };
        let covered = [(Check::Split, "splittings"), (Check::Interleave, "orders")].map(|(check, what)| {
            let verdict = verdicts.iter().find(|verdict| verdict.check == check)?;
            verdict.coverage.map(|coverage| format!("{} {} {what}", coverage.how, coverage.variations))
        });
        let covered: Vec<String> = covered.into_iter().flatten().collect();
        writeln!(self.out, "{style}{word}{style:#} {} {DIM}{}{DIM:#}", first.case, covered.join(", "))?;
        for verdict in verdicts {
            if let Some(failure) = verdict.failure.as_ref().filter(|_| verdict.status == Status::Fail) {
                self.failure(verdict, failure)?;
            }
        }
        if failed {
            writeln!(self.out)?;
        }
        self.out.flush()
    }

    fn footer(&mut self, footer: &Footer) -> io::Result<()> {
        summary(&mut self.out, footer)?;
        if self.failed() > 1 {
            let by_check: Vec<String> = self.failures.iter().map(|(check, count)| format!("{check} {count}")).collect();
            writeln!(self.out, "failures: {}", by_check.join(", "))?;
        }
        if self.failed() > MOST_IN_FULL {
            writeln!(self.out, "the first {MOST_IN_FULL} are shown in full; --filter and --check show others")?;
        }
        if footer.counts.judged_nothing() {
            let mut reasons: Vec<(&String, &usize)> = self.reasons.iter().collect();
            reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (reason, count) in reasons.into_iter().take(MOST_REASONS) {
                writeln!(self.out, "  {count} cases: {}", visible(reason))?;
            }
        }
        self.out.flush()
    }
}

/// The closing lines: what was judged, how, and what failed.
fn summary(out: &mut impl Write, footer: &Footer) -> io::Result<()> {
    let Counts { cases, passed, not_applicable, failed, known, stale, coverage, orders } = &footer.counts;
    let total = failed.must + failed.should + failed.may;
    let (style, word) = match (failed.must, total) {
        _ if !footer.complete => (CUT, "cut short"),
        (0, _) if *stale > 0 => (BAD, "known failures are stale"),
        _ if footer.counts.judged_nothing() => (CUT, "nothing was judged"),
        (_, 0) if *known > 0 => (GOOD, "fails only as known"),
        (_, 0) => (GOOD, "conforms"),
        (0, _) => (CUT, "conforms where it must"),
        _ => (BAD, "does not conform"),
    };
    writeln!(
        out,
        "\n{style}{word}{style:#}: {cases} cases, {passed} checks passed, {total} failed (must {}, should {}, may {}), \
         {not_applicable} not applicable",
        failed.must, failed.should, failed.may
    )?;
    if *known > 0 || *stale > 0 {
        writeln!(out, "known failures: {known} occurred, {stale} stale")?;
    }
    for entry in &footer.stale {
        writeln!(out, "  stale: {entry}")?;
    }
    for (what, Covered { proved, thorough, quick, sampled, most }) in [("splittings", coverage), ("orders", orders)] {
        let how = [("proved", proved), ("thorough", thorough), ("quick", quick), ("sampled", sampled)];
        let how: Vec<String> =
            how.iter().filter(|(_, count)| **count > 0).map(|(how, count)| format!("{count} {how}")).collect();
        if let (false, Some(most)) = (how.is_empty(), most) {
            writeln!(out, "{what}: {} (up to {most} a case)", how.join(", "))?;
        }
    }
    if !footer.complete {
        writeln!(out, "not every case was judged")?;
    }
    Ok(())
}

/// The input as it was delivered, with `│` where it was cut.
fn drawn(failure: &Failure) -> String {
    let cut = format!("{CUT}│{CUT:#}");
    let units = failure.chunks.first().map_or("characters", |chunk| chunk.as_chunk().kind().units());
    let mut drawn = failure.chunks.iter().map(chunk).collect::<Vec<_>>().join(&cut);
    if failure.cut_off > 0 {
        drawn += &format!("{cut} {DIM}(the stream ends here, {} {units} early){DIM:#}", failure.cut_off);
    }
    drawn
}

/// A chunk: text and bytes on one line, items on a line each.
fn chunk(chunk: &Input) -> String {
    match chunk {
        Input::Text(text) => visible(&both_ends(text)),
        Input::Bytes(bytes) => visible(&both_ends(&bytes_as_text(bytes))),
        Input::Objects(items) => {
            items.iter().map(|item| format!("\n    {}", visible(&window(&item.to_string(), 0)))).collect()
        }
    }
}

/// Bytes as text where they are, and as `\xff` where they are not.
fn bytes_as_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for part in bytes.utf8_chunks() {
        text += part.valid();
        text.extend(part.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// Where the first event that is missing and the first that is unexpected begin to differ, in characters.
fn first_difference(diff: &[Line<'_>]) -> usize {
    let missing =
        diff.iter().find_map(|line| if let Line::Missing(event) = line { Some(event.to_string()) } else { None });
    let came =
        diff.iter().find_map(|line| if let Line::Unexpected(event) = line { Some(event.to_string()) } else { None });
    let (missing, came) = (missing.unwrap_or_default(), came.unwrap_or_default());
    missing.chars().zip(came.chars()).take_while(|(a, b)| a == b).count()
}

/// So much of a text as fits a line, from this character on if that is far enough in.
fn window(text: &str, from: usize) -> String {
    let from = if from < LONGEST_LINE / 2 { 0 } else { from };
    let mut rest = text.chars().skip(from);
    let shown: String = rest.by_ref().take(LONGEST_LINE).collect();
    let left = rest.count();
    let before = if from > 0 && !shown.is_empty() { "…" } else { "" };
    if left > 0 { format!("{before}{shown}… ({left} characters more)") } else { format!("{before}{shown}") }
}

/// The beginning and the end of a long chunk: cuts must be seen with what stands beside them.
fn both_ends(chunk: &str) -> String {
    let characters = chunk.chars().count();
    if characters <= LONGEST_LINE {
        return chunk.to_owned();
    }
    let half = LONGEST_LINE / 2;
    let (head, tail): (String, String) =
        (chunk.chars().take(half).collect(), chunk.chars().skip(characters - half).collect());
    format!("{head}… ({} characters) …{tail}", characters - 2 * half)
}

/// A text on one line, without anything a terminal would act on.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' => visible.push('⏎'),
            '\r' => visible.push('␍'),
            '\t' => visible.push('⇥'),
            char if char.is_control() => visible.extend(char.escape_default()),
            char => visible.push(char),
        }
    }
    visible
}
