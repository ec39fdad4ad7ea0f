//! The references hold nothing back longer than they must (T18, F24, X19), judged without them.
//!
//! What is certain after a prefix is what all its continuations have in common. Here that is computed with the second
//! opinion, over continuations that end the stream, break whatever is open, or complete it: a reference must have put out
//! exactly so much, for every prefix of every case.

use std::thread;

use anysplit::case::Case;
use anysplit::dialect::Dialect;
use anysplit::event::Event;
use anysplit::input::{Chunk, Input, Piece};
use anysplit::naive;
use anysplit::spec;
use anysplit::target::{Reference, Setting, Target};
use anysplit::variation::Atoms;

#[test]
fn after_every_prefix_all_that_is_certain_is_out() {
    let cases = spec::cases().expect("the embedded cases load");
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let prefixes: usize = thread::scope(|scope| {
        let judge_every = |first| cases.iter().skip(first).step_by(threads).map(judge_prefixes).sum::<usize>();
        let threads: Vec<_> = (0..threads).map(|first| scope.spawn(move || judge_every(first))).collect();
        threads.into_iter().map(|thread| thread.join().expect("every prefix is judged")).sum()
    });
    assert!(prefixes > 10_000, "only {prefixes} prefixes");
}

fn judge_prefixes(case: &Case) -> usize {
    let Input::Text(text) = case.whole() else { return 0 };
    let atoms = Atoms::of(text.as_str());
    let prefixes = (0..=atoms.len()).filter_map(|length| <str as Piece>::of(atoms.slice(0, length)));
    let prefixes: Vec<&str> = prefixes.filter(|prefix| !in_huge_number(case, prefix)).collect();
    prefixes.iter().for_each(|prefix| judge(case, prefix));
    prefixes.len()
}

/// A number that fits no double is judged where it ends, by rule (T11, F9), though it may be hopeless before.
fn in_huge_number(case: &Case, prefix: &str) -> bool {
    case.rules.iter().any(|rule| rule == "T11" || rule == "F9") && prefix.ends_with(|char: char| char.is_ascii_digit())
}

fn judge(case: &Case, prefix: &str) {
    let setting = Setting { dialect: case.dialect, options: &case.options };
    let run = Reference.run(setting, &[Chunk::Text(prefix)]).expect("the reference survives");
    let out = run.before_end(case.dialect.form());
    let mut certain = naive::parse(case.dialect, prefix, &case.options);
    let mut continuations = continuations(case.dialect, prefix);
    while certain != out
        && let Some(continuation) = continuations.next()
    {
        let events = naive::parse(case.dialect, format!("{prefix}{continuation}").as_str(), &case.options);
        certain = common(&certain, &events);
    }
    assert_eq!(out, certain, "{}: after {prefix:?} the left had come out, the right is certain", case.id);
}

/// What two sequences of events begin with; of differing texts, what the texts begin with.
fn common(a: &[Event], b: &[Event]) -> Vec<Event> {
    let mut common: Vec<Event> = Vec::new();
    for (a, b) in a.iter().zip(b) {
        if a == b {
            common.push(a.clone());
            continue;
        }
        if let (Some((kind, a)), Some((other, b))) = (a.running_text(), b.running_text())
            && kind == other
        {
            let shared: String = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
            if !shared.is_empty() {
                common.push(kind.event(&shared));
            }
        }
        break;
    }
    common
}

/// What finishes a value that was begun: a string with or without a half escape, a number, a literal, a key, nothing.
const VALUE_ENDS: &[&str] = &[
    "",
    "\"",
    "\":1",
    "1",
    ":1",
    "\"k\":1",
    "rue",
    "ue",
    "e",
    "alse",
    "lse",
    "se",
    "ull",
    "ll",
    "l",
    "n\"",
    "n\":1",
    "u0041\"",
    "u0041\":1",
    "0041\"",
    "0041\":1",
    "041\"",
    "041\":1",
    "41\"",
    "41\":1",
    "1\"",
    "1\":1",
    "83d\\ude00\"",
    "83d\\ude00\":1",
    "3d\\ude00\"",
    "3d\\ude00\":1",
    "d\\ude00\"",
    "d\\ude00\":1",
    "\\udc00\"",
    "\\udc00\":1",
    "udc00\"",
    "udc00\":1",
    "dc00\"",
    "dc00\":1",
    "c00\"",
    "c00\":1",
    "00\"",
    "00\":1",
    "0\"",
    "0\":1",
];

/// Continuations that complete or break what is open after this prefix.
fn continuations(dialect: Dialect, prefix: &str) -> impl Iterator<Item = String> {
    let (openings, tails) = match dialect {
        Dialect::MarkdownFence => (FENCES, [" \n", "\n", "`", "~", ""].map(fence_end)),
        _ => (TAGS, ["", " name=\"z\"", "\"", "z\"", "\u{0}"].map(|before| format!("{before} ></tool_call>"))),
    };
    // The rest of a JSON value, and of all that is around it. Which brace began the object is not known: the first ones that
    // are still open may, an inner one never does.
    let starts = prefix.match_indices('{').map(|(at, _)| closing_brackets(&prefix[at..]));
    let mut brackets: Vec<String> = starts.filter(|brackets| !brackets.is_empty()).take(2).collect();
    brackets.dedup();
    let values = brackets.into_iter().flat_map(|brackets| VALUE_ENDS.iter().map(move |end| format!("{end}{brackets}")));
    // The rest of an opening, cut after each of its characters; those that go on where the prefix ends settle it soonest.
    let rests = openings.iter().flat_map(|opening| (0..=opening.len()).rev().map(|at| opening.split_at(at)));
    let (fitting, others): (Vec<_>, Vec<_>) = rests.partition(|(begun, _)| prefix.ends_with(begun));
    let rests = |rests: Vec<(&str, &str)>| rests.into_iter().map(|(_, rest)| rest.to_owned()).collect::<Vec<_>>();
    let completed = rests(fitting)
        .into_iter()
        .chain(values)
        .chain(rests(others))
        .flat_map(move |rest| tails.clone().map(|tail| format!("{rest}{tail}")));
    let closing = (0..12).map(|at| "</tool_call>"[at..].to_owned());
    // The few that most often settle it come first.
    ["\u{0}".to_owned(), "\n\u{0}".to_owned()].into_iter().chain(closing).chain(completed)
}

const TAGS: &[&str] =
    &["<tool_call name=\"z\" args={\"k\":1}", "<tool_call args={\"k\":1} name=\"z\"", "<tool_call name=\"z\""];
const FENCES: &[&str] = &["   ```tool\n{}", "   ~~~ tool \n{}", "```tool\r{}"];

/// A closing line that is long enough for any case, after the end of the line before or the marks that stand there.
fn fence_end(before: &str) -> String {
    let mark = if before == "\n" || before == "~" { "~" } else { "`" };
    match before {
        "" => "\n".to_owned(),
        _ => format!("{before}{}\n", mark.repeat(150)),
    }
}

/// What closes the brackets that are open after this text, strings left out.
fn closing_brackets(text: &str) -> String {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    for char in text.chars() {
        match char {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => open.push('}'),
            '[' if !in_string => open.push(']'),
            '}' | ']' if !in_string => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}
