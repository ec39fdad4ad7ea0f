//! JSON values, and every legal way to write one.

use serde_json::{Map, Number, Value};

use super::Draw;

/// What strings are made of: what a parser that looks for the ends of things trips over.
const PIECES: [&str; 24] = [
    "a",
    "b c",
    "é",
    "😀",
    "\"",
    "\\",
    "}",
    "{",
    "]",
    ">",
    "<",
    "</tool_call>",
    "<tool_call name=\"a\"></tool_call>",
    "```",
    "\n",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{2028}",
    ":",
    ",",
    "//",
    "\u{ffff}",
];

const KEYS: [&str; 8] = ["a", "b", "q", "", "é", "__proto__", "type", "name"];

/// Draws an object of at most so much depth.
pub(super) fn object(draw: &mut Draw<'_>, depth: usize) -> Map<String, Value> {
    let count = draw.below(4);
    (0..count).map(|_| (draw.pick(&KEYS).to_owned(), value(draw, depth.saturating_sub(1)))).collect()
}

/// Draws a value of at most so much depth.
pub(super) fn value(draw: &mut Draw<'_>, depth: usize) -> Value {
    match draw.below(if depth == 0 { 6 } else { 9 }) {
        0 | 1 => Value::String(string(draw)),
        2 | 3 => Value::Number(number(draw)),
        4 => Value::Bool(draw.one_in(2)),
        5 => Value::Null,
        6 => {
            let count = draw.few(4);
            (0..count).map(|_| value(draw, depth - 1)).collect()
        }
        _ => Value::Object(object(draw, depth)),
    }
}

/// Draws a string.
pub(super) fn string(draw: &mut Draw<'_>) -> String {
    let count = draw.few(4);
    (0..count).map(|_| draw.pick(&PIECES)).collect()
}

/// Draws a number that a double holds exactly.
fn number(draw: &mut Draw<'_>) -> Number {
    let whole = match draw.below(4) {
        0 => draw.below(10) as i64,
        1 => draw.below(1 << 20) as i64,
        2 => -(draw.below(300) as i64),
        _ => [1 << 53, -(1 << 53), i64::from(i32::MAX)][draw.below(3)],
    };
    let eighths = if draw.one_in(4) && whole.abs() < 1 << 40 { draw.below(8) } else { 0 };
    match eighths {
        0 => whole.into(),
        eighths => Number::from_f64(whole as f64 + eighths as f64 / 8.0).unwrap_or(0.into()),
    }
}

/// Writes an object in one of its ways: blanks, the order of keys, keys that come twice, escapes, forms of numbers.
pub(super) fn write(object: &Map<String, Value>, draw: &mut Draw<'_>, out: &mut String) {
    let style =
        Style { blanks: draw.one_in(3), escapes: draw.one_in(3), forms: draw.one_in(3), twice: draw.one_in(12) };
    style.object(object, draw, out);
}

/// Which freedoms are taken.
struct Style {
    blanks: bool,
    escapes: bool,
    forms: bool,
    twice: bool,
}

impl Style {
    fn value(&self, value: &Value, draw: &mut Draw<'_>, out: &mut String) {
        match value {
            Value::Null => out.push_str("null"),
            Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Value::Number(number) => self.number(number, draw, out),
            Value::String(text) => self.string(text, draw, out),
            Value::Array(items) => {
                out.push('[');
                self.blank(draw, out);
                for (at, item) in items.iter().enumerate() {
                    self.comma(at, draw, out);
                    self.value(item, draw, out);
                    self.blank(draw, out);
                }
                out.push(']');
            }
            Value::Object(fields) => self.object(fields, draw, out),
        }
    }

    fn object(&self, fields: &Map<String, Value>, draw: &mut Draw<'_>, out: &mut String) {
        let mut order: Vec<(&String, &Value)> = fields.iter().collect();
        if order.len() > 1 {
            let first = draw.below(order.len());
            order.rotate_left(first);
        }
        let repeated = order.first().filter(|_| self.twice).map(|(name, _)| (*name, &Value::Null));
        out.push('{');
        self.blank(draw, out);
        // The last of equal keys wins.
        for (at, (name, value)) in repeated.into_iter().chain(order).enumerate() {
            self.comma(at, draw, out);
            self.string(name, draw, out);
            self.blank(draw, out);
            out.push(':');
            self.blank(draw, out);
            self.value(value, draw, out);
            self.blank(draw, out);
        }
        out.push('}');
    }

    fn comma(&self, at: usize, draw: &mut Draw<'_>, out: &mut String) {
        if at > 0 {
            out.push(',');
            self.blank(draw, out);
        }
    }

    fn blank(&self, draw: &mut Draw<'_>, out: &mut String) {
        if self.blanks {
            out.push_str(draw.pick(&["", " ", "\n", "\r\n", "\t", "  "]));
        }
    }

    fn number(&self, number: &Number, draw: &mut Draw<'_>, out: &mut String) {
        let plain = number.to_string();
        let is_whole = number.is_i64() || number.is_u64();
        let form = if self.forms { draw.below(4) } else { 0 };
        match form {
            1 if is_whole => out.extend([&plain, ".0"]),
            2 if is_whole => out.extend([&plain, "E+0"]),
            3 if is_whole && plain != "0" && plain.len() < 10 => out.extend([&plain, "00e-2"]),
            _ => out.push_str(&plain),
        }
    }

    fn string(&self, text: &str, draw: &mut Draw<'_>, out: &mut String) {
        out.push('"');
        for char in text.chars() {
            let escapes = self.escapes && draw.one_in(3);
            match char {
                '"' | '\\' if !escapes => out.extend(['\\', char]),
                '\n' if !escapes => out.push_str("\\n"),
                '\r' if !escapes => out.push_str("\\r"),
                '\t' if !escapes => out.push_str("\\t"),
                '/' if escapes => out.push_str("\\/"),
                char if escapes || char < ' ' => unicode(char, draw, out),
                char => out.push(char),
            }
        }
        out.push('"');
    }
}

/// One or two `\uXXXX`, with digits of either case.
fn unicode(char: char, draw: &mut Draw<'_>, out: &mut String) {
    let upper = draw.one_in(2);
    for unit in char.encode_utf16(&mut [0; 2]) {
        out.push_str(&if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") });
    }
}

#[cfg(test)]
mod tests {
    use super::super::draw::bytes_of;
    use super::*;

    #[test]
    fn every_way_to_write_a_value_reads_as_it() {
        let mut written = std::collections::BTreeSet::new();
        for seed in 0..2_000 {
            let bytes = bytes_of(seed);
            let mut draw = Draw::new(&bytes);
            let object = object(&mut draw, 3);
            for _ in 0..3 {
                let mut text = String::new();
                write(&object, &mut draw, &mut text);
                let read: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
                assert!(crate::event::same_value(&read, &Value::Object(object.clone())), "{text}");
                written.insert(text);
            }
        }
        assert!(written.len() > 2_500, "{} ways", written.len());
    }
}
