//! An input with its settings and the places where it is cut: what fuzzers make, keep and shrink.
//!
//! A sample of a dialect can be written as a plain file and read back. Up to the first byte 0xFF stands the input: text, bytes,
//! or a line of JSON for each item. Behind it every byte is the number of atoms (characters, bytes, items) of the next chunk, and
//! what is left is the last chunk. Behind a second 0xFF one byte says which of the dialect's [`settings`] apply. A file without 0xFF
//! is fed one atom at a time: every piece of model output is a sample as it stands.
//!
//! ```
//! use anysplit::dialect::Dialect;
//! use anysplit::input::Input;
//! use anysplit::sample::Sample;
//!
//! let sample = Sample::read(Dialect::InlineTag, b"a <tool_call\xff\x03\x00\xff\x01");
//! assert_eq!(sample.input, Input::Text("a <tool_call".to_owned()));
//! assert_eq!(sample.cuts.0, [3, 3]);
//! assert_eq!(sample.options.0["limit"], 40);
//! assert_eq!(sample.write(), b"a <tool_call\xff\x03\x00\xff\x01");
//! ```

use std::sync::{Arc, LazyLock};

use serde_json::json;

use crate::dialect::{Dialect, Options};
use crate::input::{Input, Kind};
use crate::variation::{Atoms, Cuts};

/// An input with its settings and the places where it is cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The dialect.
    pub dialect: Dialect,
    /// Its settings.
    pub options: Arc<Options>,
    /// The whole input.
    pub input: Input,
    /// Where it is cut.
    pub cuts: Cuts,
}

const END: u8 = 0xff;

impl Sample {
    /// Reads a file.
    pub fn read(dialect: Dialect, file: &[u8]) -> Self {
        let mut parts = file.splitn(3, |&byte| byte == END);
        let (input, lengths, number) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let known = settings(dialect);
        let number = number.and_then(|number| number.first()).map_or(0, |&number| usize::from(number) % known.len());
        let options = Arc::clone(&known[number]);
        let input = input_of(dialect.kind(&options), input);
        let atoms = Atoms::count(input.as_chunk());
        let cuts = lengths.map_or_else(|| Cuts::finest(atoms), |lengths| cuts(lengths, atoms));
        Self { dialect, options, input, cuts }
    }

    /// Writes a file that is read as this sample; with settings that are in no table, as one with the first of them, and with
    /// more cuts where a chunk is longer than a byte can say.
    pub fn write(&self) -> Vec<u8> {
        let mut file = match &self.input {
            Input::Text(text) => text.as_bytes().to_vec(),
            Input::Bytes(bytes) => bytes.iter().map(|&byte| if byte == END { END - 1 } else { byte }).collect(),
            Input::Objects(items) => items.iter().flat_map(|item| format!("{item}\n").into_bytes()).collect(),
        };
        let number = settings(self.dialect).iter().position(|known| *known == self.options).unwrap_or_default();
        let is_finest = self.cuts == Cuts::finest(Atoms::count(self.input.as_chunk()));
        if is_finest && number == 0 {
            return file;
        }
        file.push(END);
        let mut before = 0;
        for &cut in &self.cuts.0 {
            let (long, rest) = ((cut - before) / LONGEST, (cut - before) % LONGEST);
            file.extend(std::iter::repeat_n(LONGEST as u8, long));
            file.push(rest as u8);
            before = cut;
        }
        if number > 0 {
            file.extend([END, number as u8]);
        }
        file
    }

    /// Whether its settings are among those that a file can name.
    pub fn has_known_settings(&self) -> bool {
        settings(self.dialect).contains(&self.options)
    }

    /// The chunks that its cuts leave.
    pub fn atoms(&self) -> Atoms<'_> {
        Atoms::of(self.input.as_chunk())
    }

    /// Its input in so many atoms, and nothing behind them.
    pub fn cut_off(&self, length: usize) -> Self {
        let cuts = Cuts(self.cuts.0.iter().copied().filter(|&cut| cut <= length).collect());
        Self { input: self.atoms().slice(0, length).to_input(), cuts, ..self.clone() }
    }
}

/// The longest chunk that one byte tells of.
const LONGEST: usize = END as usize - 1;

fn cuts(lengths: &[u8], atoms: usize) -> Cuts {
    let places = lengths.iter().scan(0, |at, &length| {
        *at += usize::from(length);
        Some(*at)
    });
    Cuts(places.take_while(|&at| at <= atoms).collect())
}

/// An input of this kind that bytes stand for; what is no text or no line of JSON is replaced or left out.
pub(crate) fn input_of(kind: Kind, bytes: &[u8]) -> Input {
    match kind {
        Kind::Text => Input::Text(String::from_utf8_lossy(bytes).into_owned()),
        Kind::Bytes => Input::Bytes(bytes.to_vec()),
        Kind::Objects => {
            let lines = bytes.split(|&byte| byte == b'\n');
            Input::Objects(lines.filter_map(crate::scan::json::any).collect())
        }
    }
}

/// The settings that samples of a dialect can have.
pub fn settings(dialect: Dialect) -> &'static [Arc<Options>] {
    static ALL: LazyLock<Vec<Vec<Arc<Options>>>> = LazyLock::new(|| Dialect::ALL.map(table).into());
    let at = Dialect::ALL.iter().position(|known| *known == dialect).unwrap_or_default();
    &ALL[at]
}

fn table(dialect: Dialect) -> Vec<Arc<Options>> {
    let tools = json!({
        "a": {"id": "m::a", "result": {"x": [1, "é"]}, "delay": 1500},
        "b": {"id": "m::b", "error": "boom", "delay": 7},
        "search_flights": {"id": "flights-mcp::search-flights", "result": [], "delay": 450},
    });
    let settings = match dialect {
        Dialect::InlineTag | Dialect::MarkdownFence => vec![json!({}), json!({"limit": 40}), json!({"limit": 12})],
        Dialect::ToolSession => vec![
            json!({"tools": tools}),
            json!({"tools": tools, "frames": true}),
            json!({
                "tools": tools, "limit": 40, "correlationId": "c", "messageId": "m",
                "start": "2024-02-28T23:59:59.990Z",
            }),
        ],
        Dialect::ChatChunks | Dialect::AiSdkParts | Dialect::ToolStages => vec![
            json!({"transport": "ndjson"}),
            json!({}),
            json!({"transport": "sse"}),
            json!({"transport": "ndjson", "limit": 60}),
            json!({"limit": 8}),
        ],
        Dialect::DefaultExpanded => vec![
            json!({"transport": "ndjson"}),
            json!({"policy": {"*": true, "get_weather": false}}),
            json!({"policy": {"*": [
                {"when": {"state": ["output-error"]}, "open": false},
                {"when": {"section": "output"}, "open": false},
                {"when": {"state": ["output-available"]}, "open": null},
                {"when": {"toolNamePrefix": "get_"}, "open": true},
            ]}}),
        ],
        Dialect::Sse | Dialect::Ndjson => vec![json!({}), json!({"limit": 64}), json!({"limit": 8})],
    };
    settings.into_iter().map(|options| Arc::new(Options(options.as_object().cloned().unwrap_or_default()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_one_that_its_dialect_understands() {
        for dialect in Dialect::ALL {
            for options in settings(dialect) {
                dialect.check_options(options).unwrap_or_else(|error| panic!("{dialect}: {error}"));
            }
        }
    }

    #[test]
    fn what_is_written_reads_as_it_was() {
        for dialect in Dialect::ALL {
            for number in 0..settings(dialect).len() {
                for lengths in [&[][..], &[0, 1, 0, 2], &[1, 1]] {
                    let mut file = b"{\"id\":\"\xc3\xa9\"}\n1\n".to_vec();
                    file.push(END);
                    file.extend_from_slice(lengths);
                    file.extend([END, number as u8]);
                    let sample = Sample::read(dialect, &file);
                    assert_eq!(Sample::read(dialect, &sample.write()), sample, "{dialect} {number} {lengths:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_in_a_file_is_an_error() {
        for file in
            [&b""[..], b"\xff", b"\xff\xff", b"\xff\xff\xff", b"\xf0\x9f\xff\xc8\xff\xc8\xff", b"a\xff\x00\x01\x01"]
        {
            for dialect in Dialect::ALL {
                let sample = Sample::read(dialect, file);
                sample.atoms().chunks(&sample.cuts);
                assert_eq!(sample.cut_off(0).atoms().len(), 0);
            }
        }
    }

    #[test]
    fn a_long_chunk_is_cut_where_a_byte_ends() {
        let sample = Sample { cuts: Cuts(vec![600]), ..Sample::read(Dialect::InlineTag, "x".repeat(700).as_bytes()) };
        assert_eq!(Sample::read(Dialect::InlineTag, &sample.write()).cuts.0, [254, 508, 600]);
    }
}
