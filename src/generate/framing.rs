//! Items and texts as the bytes of a transport, framed in every legal way (rules E, N).

use serde_json::{Value, json};

use super::{Draw, json};
use crate::event::Event;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// What values are made of: the bytes, and what they decode to (E1).
const PIECES: [(&[u8], &str); 18] = [
    (b"a", "a"),
    (b"{\"k\":1}", "{\"k\":1}"),
    (b"[DONE]", "[DONE]"),
    (b" ", " "),
    (b":", ":"),
    (b"data: x", "data: x"),
    (b"\xc3\xa9", "é"),
    (b"\xf0\x9f\x98\x80", "😀"),
    (b"\xe2\x80\xa8", "\u{2028}"),
    (b"\xef\xbb\xbf", "\u{feff}"),
    (b"\t", "\t"),
    (b"\0", "\0"),
    (b"7", "7"),
    (b"-", "-"),
    (b"\xfe", "\u{fffd}"),
    (b"\xc3", "\u{fffd}"),
    (b"\xe2\x82", "\u{fffd}"),
    (b"\xf0\x9f\x98", "\u{fffd}"),
];

/// A value of one line: its bytes, and the text that it is.
fn value(draw: &mut Draw<'_>) -> (Vec<u8>, String) {
    let (mut bytes, mut text) = (Vec::new(), String::new());
    for _ in 0..draw.few(4) {
        let (piece, decoded) = PIECES[draw.below(PIECES.len())];
        bytes.extend_from_slice(piece);
        text.push_str(decoded);
    }
    (bytes, text)
}

/// Lines as they are written: how each ends is drawn.
#[derive(Default)]
struct Lines {
    bytes: Vec<u8>,
    /// How many of the three line ends are used.
    ends: usize,
}

impl Lines {
    fn new(draw: &mut Draw<'_>) -> Self {
        let bytes = if draw.one_in(6) { MARK.to_vec() } else { Vec::new() };
        Self { bytes, ends: [1, 1, 2, 3][draw.below(4)] }
    }

    fn line(&mut self, parts: &[&[u8]], draw: &mut Draw<'_>) {
        let is_blank = parts.iter().all(|part| part.is_empty());
        self.bytes.extend(parts.concat());
        let end = ["\n", "\r\n", "\r"][draw.below(self.ends)];
        // An LF just behind a CR would end the same line.
        let end = if is_blank && end == "\n" && self.bytes.last() == Some(&b'\r') { "\r" } else { end };
        self.bytes.extend_from_slice(end.as_bytes());
    }

    fn field(&mut self, name: &str, value: &[u8], draw: &mut Draw<'_>) {
        let space: &[u8] = if value.first() == Some(&b' ') || !draw.one_in(4) { b" " } else { b"" };
        self.line(&[name.as_bytes(), b":", space, value], draw);
    }

    /// What means nothing: comments, unknown fields, blank lines between events (E5, E14).
    fn noise(&mut self, draw: &mut Draw<'_>) {
        if draw.one_in(4) {
            let noise: [&[u8]; 7] = [b":", b": ping", b":data: x", b"x: y", b"Data: x", b"retry: -1", b"retry: 1x"];
            self.line(&[noise[draw.below(noise.len())]], draw);
        }
    }
}

/// An event stream, and the events that it must give.
pub(super) fn sse(draw: &mut Draw<'_>) -> (Vec<u8>, Vec<Event>) {
    let mut lines = Lines::new(draw);
    let mut events = Vec::new();
    let mut id = String::new();
    let count = 1 + draw.few(6);
    for nth in 1..=count {
        let (mut data, mut kind) = (None, String::new());
        for _ in 0..1 + draw.few(5) {
            lines.noise(draw);
            let (bytes, text) = value(draw);
            match draw.below(8) {
                0..4 => {
                    lines.field("data", &bytes, draw);
                    data = Some(data.map_or(text.clone(), |data: String| format!("{data}\n{text}"))); // E8
                }
                4 => {
                    lines.line(&[b"data"], draw); // E7
                    data = Some(data.map_or(String::new(), |data| data + "\n"));
                }
                5 => {
                    lines.field("event", &bytes, draw);
                    kind = text;
                }
                6 => {
                    lines.field("id", &bytes, draw);
                    id = if text.contains('\0') { id } else { text }; // E11
                }
                _ => {
                    let retry = draw.below(5000);
                    lines.field("retry", retry.to_string().as_bytes(), draw);
                    events.push(Event::new("retry", [("retry", retry.into())]));
                }
            }
        }
        lines.noise(draw);
        if nth == count && draw.one_in(3) {
            break; // E15
        }
        lines.line(&[], draw);
        if let Some(data) = data {
            let kind = if kind.is_empty() { "message".to_owned() } else { kind }; // E10
            let fields = [("event", kind.into()), ("data", data.into()), ("id", id.as_str().into())];
            events.push(Event::new("event", fields));
        }
    }
    (lines.bytes, events)
}

/// Lines of JSON, and the events that they must give.
pub(super) fn ndjson(draw: &mut Draw<'_>) -> (Vec<u8>, Vec<Event>) {
    let mut bytes = if draw.one_in(6) { MARK.to_vec() } else { Vec::new() };
    let mut events = Vec::new();
    for _ in 0..1 + draw.few(12) {
        let (line, event) = match draw.below(8) {
            0 => ([&b""[..], b" ", b"\t "][draw.below(3)].to_vec(), None), // N4
            1 => {
                let bad: [(&[u8], &str); 6] = [
                    (b"nope", "nope"),
                    (b"{\"a\":1,}", "{\"a\":1,}"),
                    (b"1 2", "1 2"),
                    (b"\"\xc3\"", "\"\u{fffd}\""),
                    (b"data: {}", "data: {}"),
                    (b"{\"a\":\"\\ud83d\"}", "{\"a\":\"\\ud83d\"}"),
                ];
                let (line, shown) = bad[draw.below(bad.len())];
                (line.to_vec(), Some(Event::new("error", [("line", shown.into())]))) // N5
            }
            2 => {
                let value = json::value(draw, 2);
                (value.to_string().into_bytes(), Some(Event::new("value", [("value", value)]))) // N1
            }
            _ => {
                let object = json::object(draw, 3);
                let line = one_line(&object, draw);
                (line.into_bytes(), Some(Event::new("value", [("value", object.into())])))
            }
        };
        bytes.extend(line);
        bytes.extend_from_slice(if draw.one_in(3) { b"\r\n" } else { b"\n" });
        events.extend(event);
    }
    if draw.one_in(3) {
        bytes.pop(); // N3
    }
    (bytes, events)
}

/// An object written in one of its ways, on one line.
fn one_line(object: &serde_json::Map<String, Value>, draw: &mut Draw<'_>) -> String {
    let mut text = String::new();
    json::write(object, draw, &mut text);
    if text.contains(['\n', '\r']) { json!(object).to_string() } else { text }
}

/// Items under a transport.
pub(super) fn items(items: &[Value], transport: &str, draw: &mut Draw<'_>) -> Vec<u8> {
    let mut lines = Lines::new(draw);
    let is_sse = transport == "sse";
    if !is_sse {
        lines.ends = lines.ends.min(2);
    }
    for item in items {
        let line = match item {
            Value::Object(object) if draw.one_in(4) => one_line(object, draw),
            item => item.to_string(),
        };
        if is_sse {
            lines.noise(draw);
            lines.field("data", line.as_bytes(), draw);
        } else {
            lines.line(&[line.as_bytes()], draw);
        }
        if is_sse || draw.one_in(8) {
            lines.line(&[], draw);
        }
    }
    if is_sse && draw.one_in(2) {
        lines.field("data", b"[DONE]", draw);
        lines.line(&[], draw);
    }
    lines.bytes
}
