//! The smallest sample that still fails: fewest cuts, then the smallest input, in turn until neither gets smaller.

mod cuts;
mod spans;
mod values;

pub use cuts::fewest_cuts;

use std::ops::Range;
use std::sync::Arc;

use self::spans::spans;
use self::values::smaller_values;
use crate::dialect::Options;
use crate::input::Input;
use crate::sample::Sample;
use crate::variation::Cuts;

/// Makes a sample smaller as long as it fails, asking at most so many times; `fails` must say of the same failure that it is one.
pub fn smallest(sample: Sample, most: usize, fails: impl FnMut(&Sample) -> bool) -> Sample {
    let mut shrinking = Shrinking { sample, asked: 0, most, fails };
    loop {
        let before = (shrinking.size(), shrinking.sample.cuts.0.len());
        shrinking.options();
        shrinking.cuts();
        shrinking.parts();
        shrinking.simplify();
        if (shrinking.size(), shrinking.sample.cuts.0.len()) == before || shrinking.asked >= most {
            return shrinking.sample;
        }
    }
}

struct Shrinking<F> {
    sample: Sample,
    asked: usize,
    most: usize,
    fails: F,
}

impl<F: FnMut(&Sample) -> bool> Shrinking<F> {
    fn size(&self) -> usize {
        self.sample.input.as_chunk().size() + self.sample.options.0.len()
    }

    /// Goes on with this sample if it fails too.
    fn try_one(&mut self, smaller: Sample) -> bool {
        if self.asked >= self.most {
            return false;
        }
        self.asked += 1;
        let fails = (self.fails)(&smaller);
        if fails {
            self.sample = smaller;
        }
        fails
    }

    /// Without settings, as far as it can do without them.
    fn options(&mut self) {
        let names: Vec<String> = self.sample.options.0.keys().cloned().collect();
        for name in names {
            let mut fewer = self.sample.options.0.clone();
            fewer.remove(&name);
            let fewer = Sample { options: Arc::new(Options(fewer)), ..self.sample.clone() };
            // Another setting may mean another kind of input.
            if fewer.dialect.kind(&fewer.options) == fewer.input.as_chunk().kind() {
                self.try_one(fewer);
            }
        }
    }

    fn cuts(&mut self) {
        let sample = self.sample.clone();
        let fewest = fewest_cuts(&sample.cuts, |cuts| self.try_one(Sample { cuts: cuts.clone(), ..sample.clone() }));
        debug_assert!(fewest.0.len() <= sample.cuts.0.len());
    }

    /// Takes parts out: what belongs together first, then ever shorter stretches.
    fn parts(&mut self) {
        let mut together = spans(&self.sample.input);
        together.sort_by_key(|span| usize::MAX - span.len());
        // From the back, so that the others keep their places.
        while let Some(at) = together.iter().position(|span| self.removes(span.clone())) {
            let gone = together.remove(at);
            together.retain(|span| span.end <= gone.start);
            together.extend(spans(&self.sample.input).into_iter().filter(|span| span.start >= gone.start));
            together.sort_by_key(|span| usize::MAX - span.len());
        }
        let mut stride = self.sample.atoms().len().div_ceil(2);
        while stride > 0 {
            let mut at = 0;
            while at < self.sample.atoms().len() {
                let end = (at + stride).min(self.sample.atoms().len());
                if !self.removes(at..end) {
                    at += stride;
                }
            }
            stride = if stride == 1 { 0 } else { stride.div_ceil(2) };
        }
    }

    /// Tries it without these atoms.
    fn removes(&mut self, part: Range<usize>) -> bool {
        let atoms = self.sample.atoms();
        let kept = [atoms.slice(0, part.start), atoms.slice(part.end, atoms.len())].map(|chunk| chunk.to_input());
        let input = Input::joined(&kept);
        let moved = |&cut: &usize| cut - cut.min(part.end).saturating_sub(part.start);
        let moved: Vec<usize> = self.sample.cuts.0.iter().map(moved).collect();
        let mut once = moved.clone();
        once.dedup();
        let with = |cuts| Sample { input: input.clone(), cuts: Cuts(cuts), ..self.sample.clone() };
        let (fewer, as_many) = (with(once.clone()), with(moved.clone()));
        self.try_one(fewer) || once != moved && self.try_one(as_many)
    }

    /// Replaces what remains with something plainer.
    fn simplify(&mut self) {
        match self.sample.input.clone() {
            Input::Text(text) => {
                let chars: Vec<char> = text.chars().collect();
                for (at, plain) in chars.iter().enumerate().filter_map(|(at, &char)| Some((at, plainer(char)?))) {
                    let Input::Text(text) = &self.sample.input else { return };
                    let simpler = text.chars().enumerate().map(|(nth, char)| if nth == at { plain } else { char });
                    let input = Input::Text(simpler.collect());
                    self.try_one(Sample { input, ..self.sample.clone() });
                }
            }
            Input::Bytes(bytes) => {
                for (at, plain) in bytes
                    .iter()
                    .enumerate()
                    .filter_map(|(at, &byte)| Some((at, plainer(char::from(byte)).filter(|_| byte.is_ascii())?)))
                {
                    let Input::Bytes(mut simpler) = self.sample.input.clone() else { return };
                    simpler[at] = plain as u8;
                    self.try_one(Sample { input: Input::Bytes(simpler), ..self.sample.clone() });
                }
            }
            Input::Objects(items) => {
                for at in 0..items.len() {
                    while let Input::Objects(items) = &self.sample.input
                        && let Some(smaller) = smaller_values(&items[at]).into_iter().find_map(|value| {
                            let mut items = items.clone();
                            items[at] = value;
                            let smaller = Sample { input: Input::Objects(items), ..self.sample.clone() };
                            (self.asked < self.most && (self.fails)(&smaller)).then_some(smaller)
                        })
                    {
                        self.asked += 1;
                        self.sample = smaller;
                    }
                }
            }
        }
    }
}

/// What stands for all letters, and for all digits.
fn plainer(char: char) -> Option<char> {
    match char {
        'a' | '0' => None,
        '0'..='9' => Some('0'),
        char if char.is_alphabetic() => Some('a'),
        char if !char.is_ascii() => Some('a'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::dialect::Dialect;

    fn text(sample: &Sample) -> &str {
        if let Input::Text(text) = &sample.input { text } else { "" }
    }

    #[test]
    fn a_text_and_its_cuts_shrink_together() {
        let whole =
            "Hello <tool_call name=\"first\" args={\"k\": 1}></tool_call> and <tool_call name=\"x\"></tool_call> é!";
        let sample = Sample::read(Dialect::InlineTag, whole.as_bytes());
        // It fails where a cut stands between `<` and `/`.
        let fails = |sample: &Sample| {
            let chars: Vec<char> = text(sample).chars().collect();
            sample.cuts.0.iter().any(|&cut| cut > 0 && chars.get(cut - 1..cut + 1) == Some(&['<', '/']))
        };
        let smallest = smallest(sample, 10_000, fails);
        assert_eq!((text(&smallest), &smallest.cuts.0[..]), ("</", &[1][..]));
    }

    #[test]
    fn items_shrink_to_the_fields_that_matter() {
        let items = [
            json!({"type": "start"}),
            json!({"type": "tool", "id": "call_17", "deep": {"x": [1, 2, {"needle": 7}]}, "other": true}),
            json!({"type": "finish"}),
        ];
        let input = Input::Objects(items.to_vec());
        let sample = Sample { input, ..Sample::read(Dialect::ChatChunks, b"\xff\xff\x01") };
        let fails = |sample: &Sample| {
            let Input::Objects(items) = &sample.input else { return false };
            items.iter().any(|item| item.to_string().contains("needle"))
        };
        let Input::Objects(items) = smallest(sample, 10_000, fails).input else { panic!("items stay items") };
        assert_eq!(Value::from(items), json!([{"needle": null}]));
    }

    #[test]
    fn bytes_shrink_and_the_settings_with_them() {
        let sample = Sample::read(Dialect::Sse, b"data: hello\r\nid: 7\r\n\r\ndata: x\r\r\xff\x0c\xff\x01");
        let fails = |sample: &Sample| {
            let Input::Bytes(bytes) = &sample.input else { return false };
            sample.cuts.0.iter().any(|&cut| cut > 0 && bytes[..cut].ends_with(b"\r") && bytes[cut..].starts_with(b"\n"))
        };
        let smallest = smallest(sample, 10_000, fails);
        assert_eq!((&smallest.input, &smallest.cuts.0[..]), (&Input::Bytes(b"\r\n".to_vec()), &[1][..]));
        assert!(smallest.options.0.is_empty());
    }

    #[test]
    fn it_stops_when_it_has_asked_often_enough() {
        let sample = Sample::read(Dialect::InlineTag, "x".repeat(300).as_bytes());
        let mut asked = 0;
        smallest(sample, 50, |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 50);
    }
}
