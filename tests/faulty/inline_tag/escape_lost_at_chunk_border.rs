//! The scan of the arguments goes on where it stopped, but forgets that the last character was a backslash.
//!
//! ikawrakow/ik_llama.cpp#750: a backslash at the end of a chunk is taken as a character of its own, the next parse
//! disagrees and the process aborts. vllm-project/vllm#46708: the parity of a run of backslashes is misread.
//!
//! `\` | `"` ends the string, so that its real end opens another and the closing brace is never found.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, Marker, Stop, marker, object_end};
use crate::support::{Faulty, provable};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Resumed {
    scanned: usize,
    depth: usize,
    in_string: bool,
}

impl Habits for Resumed {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        let read = marker(self, text);
        if !matches!(read, Err(Stop::End)) {
            *self = Self::default();
        }
        read
    }

    fn object_end(&mut self, text: &str) -> Result<usize, Stop> {
        if let Err(Stop::Broken(at)) = object_end(text) {
            return Err(Stop::Broken(at)); // what breaks the JSON is not what this is about
        }
        let mut escaped = false; // the bug: this belongs to the state
        for byte in text.bytes().skip(self.scanned) {
            if self.scanned > 0 && self.depth == 0 {
                break;
            }
            self.scanned += 1;
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' if !self.in_string => self.depth += 1,
                b'}' if !self.in_string => self.depth -= 1,
                _ => {}
            }
        }
        if self.depth == 0 { Ok(self.scanned) } else { Err(Stop::End) }
    }
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "ikawrakow/ik_llama.cpp#750",
        caught_by: Check::Split,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Resumed::default())),
    }
}
