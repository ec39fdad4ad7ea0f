//! How a stream is transported, told from how it begins.

use super::Framing;
use crate::scan::json::{is_blank, is_json};
use crate::scan::sse;

/// A byte order mark.
pub(super) const MARK: &[u8] = "\u{feff}".as_bytes();

/// So much is looked at before the first byte decides alone.
const MOST: usize = 16 << 10;

/// What the beginning of a stream says about its transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Nothing: there are only blanks, or a part of a byte order mark.
    Blank,
    /// Not enough; if nothing more came, it would be taken for this.
    Open(Framing),
    /// It is this, after so many bytes that are neither a field of an event nor JSON.
    Told { framing: Framing, garbage: usize },
}

impl Beginning {
    /// What these bytes say that came until now.
    pub(super) fn of(bytes: &[u8]) -> Self {
        if bytes.len() < MARK.len() && MARK.starts_with(bytes) {
            return Self::Blank;
        }
        let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let Some(first) = text.iter().find(|byte| !byte.is_ascii_whitespace()) else { return Self::Blank };
        let framing = match first {
            b'[' => Framing::Array,
            b'{' | b'"' | b'-' | b'0'..=b'9' => Framing::Ndjson,
            _ => Framing::Sse,
        };
        // A line of a log may stand before the stream: the first line that can only be one thing decides.
        let mut garbage = 0;
        let mut at = bytes.len() - text.len();
        for line in text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            if let Some(framing) = told_by(line) {
                return Self::Told { framing, garbage };
            }
            at += line.len();
            if !line.trim_ascii().is_empty() {
                garbage = at;
            }
        }
        if bytes.len() < MOST { Self::Open(framing) } else { Self::Told { framing, garbage: 0 } }
    }
}

/// What a line, or the beginning of one, can only be.
fn told_by(line: &[u8]) -> Option<Framing> {
    let is_whole = line.ends_with(b"\n") || line.ends_with(b"\r");
    if is_field(line.trim_ascii_end(), is_whole) {
        return Some(Framing::Sse);
    }
    let value = line.trim_ascii();
    match value.first()? {
        b'{' => Some(Framing::Ndjson),
        b'[' => match value[1..].iter().find(|&&byte| !is_blank(byte)) {
            Some(b'{' | b']') => Some(Framing::Array),
            Some(_) => (is_whole && is_json(value)).then_some(Framing::Array),
            None => is_whole.then_some(Framing::Array),
        },
        _ => (is_whole && is_json(value)).then_some(Framing::Ndjson),
    }
}

/// Whether this is a comment, or a field that a server-sent event has.
fn is_field(line: &[u8], is_whole: bool) -> bool {
    let colon = line.iter().position(|&byte| byte == b':');
    let name = &line[..colon.unwrap_or(line.len())];
    match name {
        b"" => colon.is_some(),
        _ => sse::is_known(name) && (colon.is_some() || is_whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(framing: Framing, garbage: usize) -> Beginning {
        Beginning::Told { framing, garbage }
    }

    #[test]
    fn the_first_line_that_is_known_decides() {
        let table = [
            ("", Beginning::Blank),
            (" \r\n", Beginning::Blank),
            ("\u{feff}\n", Beginning::Blank),
            ("{", told(Framing::Ndjson, 0)),
            (":", told(Framing::Sse, 0)),
            ("data:", told(Framing::Sse, 0)),
            ("dat", Beginning::Open(Framing::Sse)),
            ("data", Beginning::Open(Framing::Sse)),
            ("data\n", told(Framing::Sse, 0)),
            ("[", Beginning::Open(Framing::Array)),
            ("[ {", told(Framing::Array, 0)),
            ("[\n", told(Framing::Array, 0)),
            ("[1,", Beginning::Open(Framing::Array)),
            ("[1]\n", told(Framing::Array, 0)),
            ("[INFO] up\n", Beginning::Open(Framing::Array)),
            ("[INFO] up\n{", told(Framing::Ndjson, 10)),
            ("12", Beginning::Open(Framing::Ndjson)),
            ("12\n", told(Framing::Ndjson, 0)),
            ("12:00 up\n\ndata:", told(Framing::Sse, 9)),
            ("null", Beginning::Open(Framing::Sse)),
            ("null\n", told(Framing::Ndjson, 0)),
            (" data: {}\n", Beginning::Open(Framing::Sse)),
            ("data : {}\n", Beginning::Open(Framing::Sse)),
            ("\u{feff}INFO\r\n\r\n [{", told(Framing::Array, 8)),
        ];
        for (text, beginning) in table {
            assert_eq!(Beginning::of(text.as_bytes()), beginning, "{text:?}");
        }
    }

    #[test]
    fn the_first_byte_decides_in_the_end() {
        for (first, framing) in [("<", Framing::Sse), ("[x", Framing::Array), ("1x", Framing::Ndjson)] {
            let text = format!("{first}{}", "what is this?\n".repeat(MOST / 10));
            assert_eq!(Beginning::of(text.as_bytes()), told(framing, 0), "{first}");
        }
    }
}
