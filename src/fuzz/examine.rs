//! One sample put to a target: whether what comes out is right, and if not, how it is wrong.

use std::sync::LazyLock;

use crate::case::{Case, Pieces};
use crate::check::Check;
use crate::disagreement::classify;
use crate::event::Event;
use crate::input::Chunk;
use crate::judge::{Judge, Splits, Status};
use crate::level::Level;
use crate::naive;
use crate::sample::Sample;
use crate::target::{Fault, Lost, Outcome, Setting, Target};
use crate::variation::{Atoms, Cuts};

/// How a target fails on a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The check that does not hold.
    pub check: Check,
    /// The kind of failure: a class of disagreement, or the name of a fault.
    pub class: String,
    /// Where it is cut so that it fails; nothing where that does not matter.
    pub cuts: Cuts,
    /// How many atoms before the end of the input it breaks off.
    pub cut_off: usize,
    /// What must come out.
    pub expected: Vec<Event>,
    /// What came out.
    pub actual: Vec<Event>,
    /// What the fault says, where there was one.
    pub fault: Option<String>,
}

/// What a look at a sample came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Examined {
    /// All is well.
    Fine,
    /// The target cannot be asked about it.
    NotAsked,
    /// Something is wrong.
    Failed(Box<Failed>),
}

impl Failed {
    pub(super) fn of_events(check: Check, cuts: &Cuts, expected: &[Event], actual: &[Event]) -> Self {
        let class = classify(expected, actual).map_or("other", |class| class.name()).to_owned();
        let (expected, actual) = (expected.to_vec(), actual.to_vec());
        Self { check, class, cuts: cuts.clone(), cut_off: 0, expected, actual, fault: None }
    }

    fn of_fault(cuts: &Cuts, expected: &[Event], fault: &Fault) -> Self {
        let (class, fault) = (fault.name().to_owned(), Some(fault.to_string()));
        Self {
            check: Check::Survive,
            class,
            cuts: cuts.clone(),
            cut_off: 0,
            expected: expected.to_vec(),
            actual: Vec::new(),
            fault,
        }
    }

    /// Whether another failure is of the same kind, so that one may stand for the other.
    pub fn is_like(&self, other: &Self) -> bool {
        self.check == other.check && self.class == other.class
    }

    /// What failures with the same cause have in common, as far as can be told from outside: the check, the class, and what first
    /// differs; of a fault, what it says, wherever it strikes.
    pub fn signature(&self) -> String {
        if let Some(fault) = &self.fault {
            let fault = fault.lines().next().map(without_details).unwrap_or_default();
            return format!("{} {} {fault}", self.check, self.class).trim_end().to_owned();
        }
        let same = self.expected.iter().zip(&self.actual).take_while(|(a, b)| a == b).count();
        let kind = |events: &[Event]| events.get(same).map_or("nothing".to_owned(), kind);
        format!("{} {} -{} +{}", self.check, self.class, kind(&self.expected), kind(&self.actual))
    }
}

/// What an event is, in a word: its type, with the rule of a violation and the state of a call.
fn kind(event: &Event) -> String {
    let shown = event.get("toolInvocation").and_then(|shown| shown.get("state")).and_then(serde_json::Value::as_str);
    let more = event.str("rule").or(event.str("state")).or(event.str("stage")).or(shown).or(event.str("event"));
    match more {
        Some(more) => format!("{}:{more}", event.kind()),
        None => event.kind().to_owned(),
    }
}

/// A message without numbers and quoted texts, which differ from input to input.
fn without_details(message: &str) -> String {
    let mut quoted = false;
    let kept = message.chars().filter(|&char| {
        quoted ^= char == '"' || char == '`';
        !quoted && !char.is_ascii_digit()
    });
    kept.take(120).collect()
}

/// What must come out of a sample: what the second opinion says where the reference is under test, else what the reference does.
pub(crate) fn expected_of(sample: &Sample, by_reference: bool) -> Result<Vec<Event>, Fault> {
    let (dialect, options) = (sample.dialect, &*sample.options);
    let chunk = sample.input.as_chunk();
    if !by_reference {
        return Ok(naive::parse(dialect, chunk, options));
    }
    crate::target::Reference.run(Setting { dialect, options }, &[chunk]).map(|run| run.events(dialect.form()))
}

/// The whole input in one chunk must give what is expected, and every splitting the same: that of the sample, and these others.
pub fn examine(target: &dyn Target, sample: &Sample, expected: &[Event], others: &[Cuts]) -> Examined {
    let atoms = sample.atoms();
    let setting = Setting { dialect: sample.dialect, options: &sample.options };
    if !target.takes(sample.dialect, atoms.whole().kind()) {
        return Examined::NotAsked;
    }
    let filtered;
    let expected = if target.reports_violations() {
        expected
    } else {
        filtered = without_violations(expected.to_vec());
        &filtered
    };
    let mut cuts = Vec::with_capacity(2 + others.len());
    cuts.push(Cuts::NONE);
    if target.cuts(atoms.whole().kind()) {
        cuts.extend((!sample.cuts.0.is_empty()).then(|| sample.cuts.clone()));
        cuts.extend_from_slice(others);
    }
    let swept = match target.sweep(setting, &atoms, &cuts) {
        Ok(swept) => swept,
        Err(Lost { at, fault }) => return Examined::Failed(Box::new(Failed::of_fault(&cuts[at], expected, &fault))),
    };
    let asked_for = |outcome: Outcome| match outcome {
        Ok(events) if !target.reports_violations() => Ok(without_violations(events)),
        outcome => outcome,
    };
    let outcomes: Vec<Outcome> = swept.outcomes.into_iter().map(asked_for).collect();
    let Some(whole) = swept.runs.first().map(|&run| &outcomes[run]) else { return Examined::NotAsked };
    let failed = match whole {
        Err(Fault::Unsupported { .. }) => return Examined::NotAsked,
        Err(fault) => Some(Failed::of_fault(&Cuts::NONE, expected, fault)),
        Ok(events) if events != expected => Some(Failed::of_events(Check::Expect, &Cuts::NONE, expected, events)),
        Ok(events) => cuts.iter().zip(&swept.runs).find_map(|(cuts, &run)| match &outcomes[run] {
            Ok(others) => (others != events).then(|| Failed::of_events(Check::Split, cuts, events, others)),
            Err(fault) => Some(Failed::of_fault(cuts, events, fault)),
        }),
    };
    failed.map_or(Examined::Fine, |failed| Examined::Failed(Box::new(failed)))
}

fn without_violations(mut events: Vec<Event>) -> Vec<Event> {
    events.retain(|event| !event.is_violation());
    events
}

/// The sample as a case that must give these events.
pub fn case_of(sample: &Sample, name: &str, events: Vec<Event>) -> Case {
    Case {
        file: String::new(),
        id: format!("{}/{name}", sample.dialect),
        dialect: sample.dialect,
        rules: Vec::new(),
        level: Level::Must,
        why: None,
        origin: None,
        options: (*sample.options).clone(),
        input: Pieces(vec![sample.input.clone()]),
        grow: None,
        events,
    }
}

/// All checks but those that ask a clock: what fails of what must hold, the first check first.
pub fn judge(target: &dyn Target, sample: &Sample, expected: Vec<Event>, checks: &[Check], seed: u64) -> Vec<Failed> {
    let case = case_of(sample, "sample", expected);
    let judge = Judge { checks, splits: Splits::Quick, seed, ..Judge::new(target) };
    let failing =
        judge.judge(&case).into_iter().filter(|verdict| verdict.status == Status::Fail && verdict.level == Level::Must);
    let failed = |verdict: crate::judge::Verdict| {
        let failure = verdict.failure?;
        let lengths: Vec<usize> = failure.chunks.iter().map(|chunk| Atoms::count(chunk.as_chunk())).collect();
        let cuts = cuts_of(&lengths);
        let cut_off = failure.cut_off;
        let of_events =
            Failed { cut_off, ..Failed::of_events(verdict.check, &cuts, &failure.expected, &failure.actual) };
        Some(match failure.fault {
            Some(fault) => Failed { class: fault.to_owned(), fault: Some(failure.message), ..of_events },
            None => of_events,
        })
    };
    failing.filter_map(failed).collect()
}

/// The cuts between chunks of these lengths.
fn cuts_of(lengths: &[usize]) -> Cuts {
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    Cuts(ends.take(lengths.len().saturating_sub(1)).collect())
}

/// Whether [`examine`] is enough to ask a check.
pub fn is_quick(check: Check) -> bool {
    matches!(check, Check::Survive | Check::Expect | Check::Split)
}

/// The checks that a fuzzer can ask of any sample.
pub fn checks() -> &'static [Check] {
    static CHECKS: LazyLock<Vec<Check>> =
        LazyLock::new(|| Check::ALL.into_iter().filter(|&check| check.level() == Level::Must).collect());
    &CHECKS
}

/// Whether the rules let implementations differ on a sample (level may): lone surrogates, numbers beyond a double or 2^53, very deep
/// nests, and limits.
pub fn is_disputed(sample: &Sample) -> bool {
    let text = match sample.input.as_chunk() {
        Chunk::Text(text) => text.as_bytes().to_vec(),
        Chunk::Bytes(bytes) => bytes.to_vec(),
        Chunk::Objects(items) => serde_json::to_vec(items).unwrap_or_default(),
    };
    let mut digits = 0;
    let has_long_number = text.iter().any(|byte| {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        digits > 15
    });
    // Not the `0e` of `\u00e9`.
    let is_escaped = |at: usize| text[at.saturating_sub(4)..=at].windows(2).any(|pair| pair == b"\\u");
    let has_exponent = text
        .windows(2)
        .enumerate()
        .any(|(at, pair)| pair[0].is_ascii_digit() && pair[1].eq_ignore_ascii_case(&b'e') && !is_escaped(at));
    let opened = text.iter().filter(|byte| matches!(byte, b'[' | b'{')).count();
    has_half_a_pair(&text) || has_long_number || has_exponent || opened > 100 || sample.options.0.contains_key("limit")
}

/// Whether there is a `\uXXXX` of a surrogate without its partner, as far as that can be told without knowing what is a string.
fn has_half_a_pair(text: &[u8]) -> bool {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    };
    memchr::memmem::find_iter(text, b"\\u").any(|at| match unit(at) {
        Some(0xd800..=0xdbff) => !matches!(unit(at + 6), Some(0xdc00..=0xdfff)),
        Some(0xdc00..=0xdfff) => !matches!(at.checked_sub(6).and_then(unit), Some(0xd800..=0xdbff)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::target::Reference;

    fn read(file: &[u8]) -> Sample {
        Sample::read(Dialect::InlineTag, file)
    }

    #[test]
    fn the_reference_is_fine_and_another_expectation_is_not_met() {
        let sample = read(b"a <tool_call name=\"b\"></tool_call>");
        let expected = expected_of(&sample, false).expect("no fault");
        assert_eq!(examine(&Reference, &sample, &expected, &[]), Examined::Fine);
        let Examined::Failed(failed) = examine(&Reference, &sample, &expected[..1], &[]) else {
            panic!("it is not met")
        };
        assert_eq!(failed.signature(), "expect other -nothing +tool_call");
        assert!(judge(&Reference, &sample, expected, checks(), 0).is_empty());
    }

    #[test]
    fn what_is_disputed_is_found() {
        for file in [&b"{\"a\":\"\\ud83d\"}"[..], b"1e5", b"1234567890123456", b"x\xff\xff\x01"] {
            assert!(is_disputed(&read(file)), "{file:?}");
        }
        assert!(!is_disputed(&read(b"plain \\u00e9 123 be {} \\ud83d\\ude00 \\ud7ff")));
        assert!(is_disputed(&read(b"\\ude00\\ud83d")));
    }

    #[test]
    fn messages_of_the_same_fault_are_the_same() {
        assert_eq!(
            without_details("it panicked: index 7 out of range for `ab`c"),
            without_details("it panicked: index 12 out of range for `x`c")
        );
    }
}
