//! The engine against machines that misbehave in one exact way: what it finds, and how it shows it.

use anysplit::case::{Case, CaseFile};
use anysplit::check::Check;
use anysplit::dialect::Dialect;
use anysplit::input::{Input, Piece};
use anysplit::judge::{How, Judge, Splits, Status, Verdict};
use anysplit::machine::{Machine, Sink};
use anysplit::report::{Report, TerminalReport};
use anysplit::target::{InProcess, Target};

/// A case of `inline-tag` whose text must come out as it is.
fn text_case(text: &str, grow: Option<&str>) -> Case {
    let input = serde_json::json!([text, grow.unwrap_or_default()]);
    let all = [text, grow.unwrap_or_default()].concat();
    let grow = if grow.is_some() { ",\"grow\":1" } else { "" };
    let events = serde_json::json!([{"type": "text", "text": all}]);
    let content = format!(
        r#"{{"dialect":"inline-tag","cases":[{{"name":"x","rules":["T1"],"input":{input}{grow},"events":{events}}}]}}"#
    );
    CaseFile::parse("test", &content).expect("a good case").cases.remove(0)
}

fn verdict(verdicts: &[Verdict], check: Check) -> &Verdict {
    verdicts.iter().find(|verdict| verdict.check == check).expect("every check is asked")
}

fn chunks(verdict: &Verdict) -> Vec<&str> {
    verdict
        .failure
        .as_ref()
        .map(|failure| failure.chunks.iter().filter_map(|chunk| <str as Piece>::of(chunk.as_chunk())).collect())
        .unwrap_or_default()
}

/// Passes text on, and does something else when chunks end exactly at these places, one after another.
#[derive(Clone, PartialEq, Eq, Hash)]
struct AtCuts {
    places: &'static [usize],
    met: usize,
    at: usize,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Then {
    Panic,
    Flood,
    Lose,
}

impl AtCuts {
    fn new(places: &'static [usize], then: Then) -> Self {
        Self { places, met: 0, at: 0, then }
    }
}

impl Machine for AtCuts {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        if chunk.is_empty() {
            return;
        }
        self.at += chunk.len();
        let expected = self.places.get(self.met).copied();
        self.met = if expected == Some(self.at) { self.met + 1 } else { usize::MAX / 2 };
        match self.then {
            Then::Panic if self.met == self.places.len() => panic!("cut at all of its places"),
            Then::Flood if self.met == self.places.len() => (0..1000).for_each(|_| sink.text(&"flood".repeat(1000))),
            Then::Lose if self.met == self.places.len() => {}
            _ => sink.text(chunk),
        }
    }

    fn finish(self, _sink: &mut impl Sink) {}
}

#[test]
fn a_fault_on_one_splitting_of_millions_is_found_and_shown() {
    let case = text_case("abcdefghijklmnopqrstuvwxyz", None);
    for (then, words) in [(Then::Panic, "it panicked: cut at all"), (Then::Flood, "far more than an input")] {
        let make = move |_: &_| AtCuts::new(&[2, 5, 6, 11, 13], then);
        let target = InProcess::new("at cuts", Dialect::InlineTag, make).provable();
        let verdicts = Judge::new(&target).judge(&case);
        let (survive, split) = (verdict(&verdicts, Check::Survive), verdict(&verdicts, Check::Split));
        assert_eq!((survive.status, split.status), (Status::Fail, Status::Fail));
        let message = &survive.failure.as_ref().expect("it fails").message;
        assert!(message.contains(words), "{message}");
        assert_eq!(chunks(survive), ["ab", "cde", "f", "ghijk", "lm", "nopqrstuvwxyz"]);
        assert_eq!(chunks(split), chunks(survive));
    }
}

#[test]
fn a_splitting_that_was_tried_and_panics_is_no_pass() {
    let case = text_case("abcdefghij", None);
    let target = InProcess::new("at cuts", Dialect::InlineTag, |_| AtCuts::new(&[3, 5], Then::Panic));
    for splits in [Splits::Thorough, Splits::Proof] {
        let verdicts = Judge { splits, ..Judge::new(&target) }.judge(&case);
        assert_eq!(verdict(&verdicts, Check::Split).status, Status::Fail);
        assert_eq!(chunks(verdict(&verdicts, Check::Survive)), ["abc", "de", "fghij"]);
        assert_eq!(verdict(&verdicts, Check::Split).coverage.map(|coverage| coverage.how), Some(How::Thorough));
    }
}

#[test]
fn the_fewest_cuts_and_the_share_are_exact() {
    let case = text_case("abcdefgh", None);
    let target = InProcess::new("at cuts", Dialect::InlineTag, |_| AtCuts::new(&[2, 3], Then::Lose)).provable();
    let verdicts = Judge::new(&target).judge(&case);
    let split = verdict(&verdicts, Check::Split);
    assert_eq!(chunks(split), ["ab", "c", "defgh"]);
    // Of the two places before 3 one must be cut and one not, and 3 itself must be cut: one in eight.
    let failing = &split.failure.as_ref().expect("it fails").failing;
    assert_eq!(failing, "12 % of 128 splittings fail");
    assert_eq!(split.coverage.map(|coverage| coverage.how), Some(How::Proved));
}

/// Loses everything after an empty chunk.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EndsAtEmpty(bool);

impl Machine for EndsAtEmpty {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.0 |= chunk.is_empty();
        if !self.0 {
            sink.text(chunk);
        }
    }

    fn finish(self, _sink: &mut impl Sink) {}
}

#[test]
fn an_empty_chunk_that_matters_is_found() {
    let target = InProcess::new("ends at empty", Dialect::InlineTag, |_| EndsAtEmpty(false)).provable();
    let verdicts = Judge::new(&target).judge(&text_case("abc", None));
    let failure = verdict(&verdicts, Check::Split).failure.as_ref().expect("it fails");
    assert_eq!(failure.failing, "only splittings with empty chunks fail");
    assert!(failure.chunks.contains(&Input::Text(String::new())), "{:?}", failure.chunks);
}

/// Panics once it has seen so much.
struct Weak(usize);

impl Machine for Weak {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
        self.0 += chunk.len();
        assert!(self.0 < 3000, "too much for me");
        sink.text(chunk);
    }

    fn finish(self, _sink: &mut impl Sink) {}
}

#[test]
fn a_crash_on_a_grown_input_is_told() {
    let target = InProcess::new("weak", Dialect::InlineTag, |_| Weak(0));
    let verdicts = Judge::new(&target).judge(&text_case("", Some("ab")));
    let survive = verdict(&verdicts, Check::Survive);
    assert_eq!(survive.status, Status::Fail);
    let message = &survive.failure.as_ref().expect("it fails").message;
    assert!(message.contains("growing piece") && message.contains("too much for me"), "{message}");
}

/// Keeps all text until the end.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Late(String);

impl Machine for Late {
    type Chunk = str;

    fn feed(&mut self, chunk: &str, _sink: &mut impl Sink) {
        self.0.push_str(chunk);
    }

    fn finish(self, sink: &mut impl Sink) {
        sink.text(&self.0);
    }
}

#[test]
fn a_late_one_is_shown_where_it_is_late() {
    let target = InProcess::new("late", Dialect::InlineTag, |_| Late(String::new())).provable();
    let case = text_case("hello", None);
    let verdicts = Judge::new(&target).judge(&case);
    let prompt = verdict(&verdicts, Check::Prompt);
    assert_eq!(prompt.status, Status::Fail);
    assert_eq!(prompt.note.as_deref(), Some("the largest hold-back is 5 characters more than the reference's"));
    let mut text = Vec::new();
    TerminalReport::new(&mut text).case(&verdicts).expect("a buffer takes all");
    let text = String::from_utf8_lossy(&text);
    let plain: String = anstream::adapter::strip_str(&text).to_string();
    assert!(plain.contains("input h│ello"), "{plain}");
    assert!(plain.contains(r#"- {"type":"text","text":"h"}"#), "{plain}");
    assert!(!plain.contains("repeat:"), "no command leads to a target in this process");
}

#[test]
fn a_difference_far_into_a_long_text_is_seen() {
    let right = format!("{}here it is{}", "x".repeat(5000), "y".repeat(5000));
    let case = text_case(&right, None);
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Shouts;
    impl Machine for Shouts {
        type Chunk = str;

        fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
            sink.text(&chunk.replace("here", "HERE"));
        }
        fn finish(self, _sink: &mut impl Sink) {}
    }
    let target = InProcess::new("shouts", Dialect::InlineTag, |_| Shouts);
    let verdicts = Judge { checks: &[Check::Expect], ..Judge::new(&target) }.judge(&case);
    let mut text = Vec::new();
    TerminalReport::new(&mut text).case(&verdicts).expect("a buffer takes all");
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("here it is") && text.contains("HERE it is"), "{text}");
}

#[test]
fn a_dialect_that_is_not_spoken_is_not_applicable() {
    let target = InProcess::new("late", Dialect::MarkdownFence, |_| Late(String::new()));
    assert!(!target.speaks(Dialect::InlineTag));
    let verdicts = Judge::new(&target).judge(&text_case("a", None));
    assert!(verdicts.iter().all(|verdict| verdict.status == Status::NotApplicable));
}
