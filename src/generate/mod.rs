//! Inputs for the fuzzers, made out of bytes: those of a seed, or of a fuzzing engine.
//!
//! Most inputs come with their truth. For a text dialect a random sequence of events is written with every freedom that the format
//! has, so that the events are known before anything reads them; for a lifecycle dialect a few calls are walked through the
//! table, sometimes with one step too many; transports are framed at random. The others are such inputs with something
//! lost, doubled, replaced or cut off, and noise that is dense in what parsers look for.
//!
//! ```
//! use anysplit::dialect::Dialect;
//! use anysplit::generate::{Draw, bytes_of, make};
//!
//! let made = make(Dialect::InlineTag, &mut Draw::new(&bytes_of(7)));
//! assert_eq!(made.sample, make(Dialect::InlineTag, &mut Draw::new(&bytes_of(7))).sample);
//! ```

mod draw;
mod framing;
mod inline_tag;
mod json;
mod markdown_fence;
mod mutate;
mod tokens;
mod walks;

use std::sync::Arc;

use serde_json::Value;

pub use self::draw::{Draw, bytes_of};
use crate::dialect::{Dialect, Options};
use crate::event::Event;
use crate::input::Input;
use crate::sample::{Sample, input_of, settings};
use crate::variation::{Atoms, Cuts};

/// A sample, and what is known of it before anything reads it.
#[derive(Clone, Debug)]
pub struct Made {
    /// The sample.
    pub sample: Sample,
    /// What it must give.
    pub truth: Truth,
}

/// What is known of an input by its construction.
#[derive(Clone, Debug, PartialEq)]
pub enum Truth {
    /// Nothing.
    Unknown,
    /// All its events, in normal form.
    Events(Vec<Event>),
    /// How many rules it breaks.
    Violations(usize),
}

/// Makes a sample with any of the dialect's [`settings`].
pub fn make(dialect: Dialect, draw: &mut Draw<'_>) -> Made {
    make_with(dialect, settings(dialect), draw)
}

/// Makes a sample with some of the dialect's settings, the first most often.
pub fn make_with(dialect: Dialect, settings: &[Arc<Options>], draw: &mut Draw<'_>) -> Made {
    let number = if draw.one_in(3) { draw.below(settings.len()) } else { 0 };
    let options = settings.get(number).cloned().unwrap_or_default();
    match draw.below(8) {
        0..5 => rendered(dialect, options, draw),
        5 => mutant(&rendered(dialect, options, draw).sample, draw),
        6 => {
            let whole = rendered(dialect, options, draw).sample;
            let length = draw.below(whole.atoms().len() + 1);
            Made { sample: whole.cut_off(length), truth: Truth::Unknown }
        }
        _ => {
            let noise = mutate::noise(dialect, draw);
            unknown(dialect, input_of(dialect.kind(&options), &noise), options, draw)
        }
    }
}

/// A sample like this one, with something else in a few places.
pub fn mutant(sample: &Sample, draw: &mut Draw<'_>) -> Made {
    let mut input = sample.input.clone();
    mutate::mutate(sample.dialect, &mut input, draw);
    unknown(sample.dialect, input, Arc::clone(&sample.options), draw)
}

fn unknown(dialect: Dialect, input: Input, options: Arc<Options>, draw: &mut Draw<'_>) -> Made {
    let cuts = cuts(Atoms::count(input.as_chunk()), draw);
    Made { sample: Sample { dialect, options, input, cuts }, truth: Truth::Unknown }
}

/// An input written from what it must give.
fn rendered(dialect: Dialect, options: Arc<Options>, draw: &mut Draw<'_>) -> Made {
    let (input, truth) = match dialect {
        Dialect::InlineTag => text(dialect, inline_tag::text(draw)),
        Dialect::ToolSession => {
            let (written, events) = inline_tag::text(draw);
            text(dialect, (written, inline_tag::session(events)))
        }
        Dialect::MarkdownFence => text(dialect, markdown_fence::text(draw)),
        Dialect::Sse => bytes(framing::sse(draw)),
        Dialect::Ndjson => bytes(framing::ndjson(draw)),
        Dialect::ChatChunks | Dialect::DefaultExpanded | Dialect::AiSdkParts | Dialect::ToolStages => {
            let (items, truth) = walks::items(dialect, draw);
            match options.0.get("transport").and_then(Value::as_str) {
                Some(transport) => (Input::Bytes(framing::items(&items, transport, draw)), truth),
                None => (Input::Objects(items), truth),
            }
        }
    };
    let made = unknown(dialect, input, options, draw);
    // What is known is known of the first settings, and of other transports.
    let options = &made.sample.options;
    let is_known = **options == *settings(dialect)[0] || options.0.keys().all(|name| name == "transport");
    if is_known { Made { truth, ..made } } else { made }
}

fn text(dialect: Dialect, (text, events): (String, Vec<Event>)) -> (Input, Truth) {
    (Input::Text(text), Truth::Events(dialect.form().normal(events)))
}

fn bytes((bytes, events): (Vec<u8>, Vec<Event>)) -> (Input, Truth) {
    (Input::Bytes(bytes), Truth::Events(events))
}

/// Cuts of a random density, some of them doubled or at the ends.
pub fn cuts(atoms: usize, draw: &mut Draw<'_>) -> Cuts {
    let longest = [1, 2, 4, 8, 16, 32, 64, 200][draw.below(8)];
    if longest == 1 {
        return Cuts::finest(atoms);
    }
    let mut cuts = Vec::with_capacity(2 * atoms / longest + 4);
    let mut at = 0;
    loop {
        let empty = longest < 64 && draw.one_in(64);
        at += if empty { 0 } else { 1 + draw.below(longest) };
        if at > atoms || at == atoms && !empty {
            return Cuts(cuts);
        }
        cuts.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Chunk, Kind};
    use crate::naive;

    const SEEDS: u64 = 4_000;

    fn all(dialect: Dialect) -> impl Iterator<Item = (u64, Made)> {
        (0..SEEDS).map(move |seed| (seed, make(dialect, &mut Draw::new(&bytes_of(seed)))))
    }

    /// The second opinion is asked, so that neither it nor what is known by construction goes unchecked.
    #[test]
    fn what_is_known_is_so() {
        for dialect in Dialect::ALL {
            let (mut events, mut violations) = (0, [0; 5]);
            for (seed, Made { sample, truth }) in all(dialect) {
                let naive = || naive::parse(dialect, sample.input.as_chunk(), &sample.options);
                match truth {
                    Truth::Unknown => {}
                    Truth::Events(truth) => {
                        events += 1;
                        assert_eq!(naive(), truth, "{dialect}, seed {seed}: {:?}", sample.input);
                    }
                    Truth::Violations(count) => {
                        violations[count] += 1;
                        let broken: Vec<Event> = naive().into_iter().filter(Event::is_violation).collect();
                        assert_eq!(broken.len(), count, "{dialect}, seed {seed}: {broken:?} in {:?}", sample.input);
                    }
                }
            }
            let enough = if dialect == Dialect::DefaultExpanded { 0 } else { 500 };
            assert!(
                events > 2 * enough || violations[..2].iter().all(|&count| count >= enough),
                "{dialect} {events} {violations:?}"
            );
        }
    }

    #[test]
    fn samples_are_of_all_kinds() {
        for dialect in Dialect::ALL {
            let made: Vec<Sample> = all(dialect).map(|(_, made)| made.sample).collect();
            let size = |sample: &Sample| sample.input.as_chunk().size();
            let is_cut =
                |sample: &&Sample| !sample.cuts.0.is_empty() || sample.input.as_chunk().kind() == Kind::Objects;
            let cut = made.iter().filter(is_cut).count();
            let mean = made.iter().map(size).sum::<usize>() / made.len();
            let empty_chunks = |sample: &Sample| sample.cuts.0.windows(2).any(|pair| pair[0] == pair[1]);
            println!("{dialect}: {mean} bytes");
            assert!((40..1_000).contains(&mean), "{dialect}: {mean} bytes");
            assert!(cut > made.len() / 2, "{dialect}: {cut} are cut");
            assert!(made.iter().any(empty_chunks), "{dialect}");
            for number in 0..settings(dialect).len() {
                assert!(made.iter().any(|sample| *sample.options == *settings(dialect)[number]), "{dialect} {number}");
            }
        }
    }

    #[test]
    fn a_mutant_is_another_input_of_the_same_kind() {
        for dialect in Dialect::ALL {
            let (mut same, mut all_of_them) = (0, 0);
            for (seed, Made { sample, .. }) in all(dialect) {
                let mutant = mutant(&sample, &mut Draw::new(&bytes_of(seed ^ (1 << 40)))).sample;
                assert_eq!(mutant.input.as_chunk().kind(), sample.input.as_chunk().kind());
                if let Chunk::Text(text) = mutant.input.as_chunk() {
                    assert!(text.len() < 1 << 14);
                }
                same += usize::from(mutant.input == sample.input);
                all_of_them += 1;
            }
            assert!(same < all_of_them / 4, "{dialect}: {same} of {all_of_them} are the same");
        }
    }
}
