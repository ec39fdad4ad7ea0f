//! JSON, recognised as it arrives.
//!
//! [`ObjectScanner`] follows one JSON object through any chunking and says where it ends, or at which byte it can no longer
//! become one. It builds no values: once the object is whole, [`value`] reads its text.
//!
//! JSON is RFC 8259 with three further limits (rules T11, F9): lone surrogate escapes, numbers that do not fit a double and
//! nesting deeper than [`MAX_DEPTH`] are refused.
//!
//! ```
//! use anysplit::scan::json::{ObjectScanner, Scan};
//!
//! let mut scanner = ObjectScanner::default();
//! assert_eq!(scanner.scan(r#"{"a": "}"#), Scan::More);
//! assert_eq!(scanner.scan(r#"\"}"} and more"#), Scan::Done(5));
//! ```

use std::fmt;
use std::sync::LazyLock;

use memchr::{memchr2, memmem};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::machine::landmark;

/// How deep an object may nest; the object itself is depth 1.
pub const MAX_DEPTH: u8 = 128;

/// How far a piece of text took the scanner. Offsets are bytes of that piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// All of it fits; the object goes on.
    More,
    /// The object ended after so many bytes.
    Done(usize),
    /// The character at this offset cannot follow.
    Broken(usize),
}

/// Follows one JSON object, which must begin with the first character it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectScanner {
    state: State,
    /// The containers around the current place, innermost in the lowest bit; 1 is an object.
    stack: u128,
    depth: u8,
    /// The digits of the number being read: whether it fits a double is known at its end.
    number: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum State {
    #[default]
    Start,
    /// After `{`: a key or `}`.
    FirstKey,
    /// After a comma in an object.
    Key,
    Colon,
    /// A value must come; `true`: just after `[`, where `]` may come too.
    Value {
        first: bool,
    },
    /// After a value: a comma or the end of the container.
    AfterValue,
    String {
        key: bool,
        at: InString,
    },
    Number(Digits),
    /// In `true`, `false` or `null`: what is still to come.
    Literal(&'static [u8]),
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum InString {
    Plain,
    Backslash,
    /// In `\uXXXX`: how many digits came, and their value.
    Hex(u8, u16),
    /// After a high surrogate: `\`, then `u`, then a low surrogate must come.
    WantBackslash,
    WantU,
    LowHex(u8, u16),
}

impl InString {
    fn landmark(self) -> u64 {
        match self {
            Self::Plain => 0,
            Self::Backslash => 1,
            Self::WantBackslash => 2,
            Self::WantU => 3,
            Self::Hex(digits, _) => 4 + u64::from(digits),
            Self::LowHex(digits, _) => 8 + u64::from(digits),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Digits {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    E,
    ESign,
    Exponent,
}

impl ObjectScanner {
    /// Takes the next piece of text.
    pub fn scan(&mut self, text: &str) -> Scan {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if let State::String { at: InString::Plain, .. } = self.state {
                at += plain_string_bytes(&bytes[at..]);
            }
            let Some(&byte) = bytes.get(at) else { break };
            match self.step(byte) {
                Some(State::Done) => {
                    self.state = State::Done;
                    return Scan::Done(at + 1);
                }
                Some(state) => self.state = state,
                None => return Scan::Broken(at),
            }
            at += 1;
        }
        Scan::More
    }

    /// Coarsely where it stands: in what, and in which containers.
    pub(crate) fn landmark(&self) -> u64 {
        let state = match self.state {
            State::Start => 0,
            State::FirstKey => 1,
            State::Key => 2,
            State::Colon => 3,
            State::Value { first } => 4 + u64::from(first),
            State::AfterValue => 6,
            State::Done => 7,
            State::Literal(rest) => 10 + rest.len() as u64,
            State::Number(digits) => 20 + digits as u64,
            State::String { key, at } => 30 + 15 * u64::from(key) + at.landmark(),
        };
        landmark([state, u64::from(self.depth.min(3)), (self.stack & 3) as u64])
    }

    /// The state after this byte, or nothing if it cannot follow.
    fn step(&mut self, byte: u8) -> Option<State> {
        match self.state {
            State::Start => (byte == b'{').then(|| self.open(true)).flatten(),
            State::String { key, at } => string_step(key, at, byte),
            State::Literal(rest) => literal_step(rest, byte),
            State::Number(digits) => match number_step(digits, byte) {
                Some(next) => {
                    self.number.push(char::from(byte));
                    Some(State::Number(next))
                }
                None => self.end_number(digits, byte),
            },
            state if is_blank(byte) => (state != State::Done).then_some(state),
            State::FirstKey | State::Key if byte == b'"' => Some(State::String { key: true, at: InString::Plain }),
            State::FirstKey if byte == b'}' => Some(self.close()),
            State::Colon if byte == b':' => Some(State::Value { first: false }),
            State::Value { first: true } if byte == b']' => Some(self.close()),
            State::Value { .. } => self.begin_value(byte),
            State::AfterValue => self.after_value(byte),
            State::FirstKey | State::Key | State::Colon | State::Done => None,
        }
    }

    fn begin_value(&mut self, byte: u8) -> Option<State> {
        match byte {
            b'{' => self.open(true),
            b'[' => self.open(false),
            b'"' => Some(State::String { key: false, at: InString::Plain }),
            b't' => Some(State::Literal(b"rue")),
            b'f' => Some(State::Literal(b"alse")),
            b'n' => Some(State::Literal(b"ull")),
            b'-' | b'0'..=b'9' => {
                self.number.clear();
                self.number.push(char::from(byte));
                Some(State::Number(match byte {
                    b'-' => Digits::Minus,
                    b'0' => Digits::Zero,
                    _ => Digits::Whole,
                }))
            }
            _ => None,
        }
    }

    fn after_value(&mut self, byte: u8) -> Option<State> {
        let in_object = self.stack & 1 == 1;
        match byte {
            b',' if in_object => Some(State::Key),
            b',' => Some(State::Value { first: false }),
            b'}' if in_object => Some(self.close()),
            b']' if !in_object => Some(self.close()),
            _ => None,
        }
    }

    /// A number ends where a character comes that is no part of it; that character is judged next.
    fn end_number(&mut self, digits: Digits, byte: u8) -> Option<State> {
        let whole = matches!(digits, Digits::Zero | Digits::Whole | Digits::Fraction | Digits::Exponent);
        let fits = whole && self.number.parse().is_ok_and(f64::is_finite); // T11, F9
        self.number.clear();
        if !fits {
            return None;
        }
        if is_blank(byte) { Some(State::AfterValue) } else { self.after_value(byte) }
    }

    fn open(&mut self, object: bool) -> Option<State> {
        if self.depth == MAX_DEPTH {
            return None; // T11, F9
        }
        self.depth += 1;
        self.stack = self.stack << 1 | u128::from(object);
        Some(if object { State::FirstKey } else { State::Value { first: true } })
    }

    fn close(&mut self) -> State {
        self.depth -= 1;
        self.stack >>= 1;
        if self.depth == 0 { State::Done } else { State::AfterValue }
    }
}

/// How many bytes at the start of a string's inside are just characters of it.
fn plain_string_bytes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ').unwrap_or(bytes.len())
}

fn string_step(key: bool, at: InString, byte: u8) -> Option<State> {
    let next = match at {
        InString::Plain => match byte {
            b'"' if key => return Some(State::Colon),
            b'"' => return Some(State::AfterValue),
            b'\\' => InString::Backslash,
            0..b' ' => return None, // T9, F8: raw control characters
            _ => InString::Plain,
        },
        InString::Backslash => match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => InString::Plain,
            b'u' => InString::Hex(0, 0),
            _ => return None,
        },
        InString::Hex(digits, value) => match (digits, hex(value, byte)?) {
            (1, 0xDC..=0xDF) => return None, // a low surrogate without its high one
            (3, 0xD800..=0xDBFF) => InString::WantBackslash,
            (3, _) => InString::Plain,
            (digits, value) => InString::Hex(digits + 1, value),
        },
        InString::WantBackslash => (byte == b'\\').then_some(InString::WantU)?,
        InString::WantU => (byte == b'u').then_some(InString::LowHex(0, 0))?,
        InString::LowHex(digits, value) => match (digits, hex(value, byte)?) {
            (0, 0xD) => InString::LowHex(1, 0xD),
            (1, value @ 0xDC..=0xDF) => InString::LowHex(2, value),
            (2, value) => InString::LowHex(3, value),
            (3, _) => InString::Plain,
            _ => return None,
        },
    };
    Some(State::String { key, at: next })
}

fn hex(value: u16, byte: u8) -> Option<u16> {
    let digit = char::from(byte).to_digit(16)?;
    Some(value << 4 | digit as u16)
}

fn literal_step(rest: &'static [u8], byte: u8) -> Option<State> {
    match rest.split_first()? {
        (&expected, []) => (byte == expected).then_some(State::AfterValue),
        (&expected, rest) => (byte == expected).then_some(State::Literal(rest)),
    }
}

fn number_step(digits: Digits, byte: u8) -> Option<Digits> {
    Some(match (digits, byte) {
        (Digits::Minus, b'0') => Digits::Zero,
        (Digits::Minus | Digits::Whole, b'0'..=b'9') => Digits::Whole,
        (Digits::Zero | Digits::Whole, b'.') => Digits::Point,
        (Digits::Point | Digits::Fraction, b'0'..=b'9') => Digits::Fraction,
        (Digits::Zero | Digits::Whole | Digits::Fraction, b'e' | b'E') => Digits::E,
        (Digits::E, b'+' | b'-') => Digits::ESign,
        (Digits::E | Digits::ESign | Digits::Exponent, b'0'..=b'9') => Digits::Exponent,
        _ => return None,
    })
}

/// JSON's white space.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Follows a text that must be one JSON object with optional white space around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DocumentScanner {
    /// Nothing but white space so far.
    Before,
    /// In the object.
    Inside(ObjectScanner),
    /// The object is whole; only white space may follow.
    After,
}

impl DocumentScanner {
    /// Takes the next piece of text; an error is the offset of the character that cannot follow.
    pub fn scan(&mut self, text: &str) -> Result<(), usize> {
        let mut at = 0;
        while at < text.len() {
            match self {
                Self::Before | Self::After => {
                    at += text.as_bytes()[at..].iter().take_while(|&&byte| is_blank(byte)).count();
                    if at < text.len() {
                        if *self == Self::After {
                            return Err(at);
                        }
                        *self = Self::Inside(ObjectScanner::default());
                    }
                }
                Self::Inside(scanner) => match scanner.scan(&text[at..]) {
                    Scan::More => return Ok(()),
                    Scan::Broken(offset) => return Err(at + offset),
                    Scan::Done(offset) => {
                        at += offset;
                        *self = Self::After;
                    }
                },
            }
        }
        Ok(())
    }

    /// Coarsely where it stands.
    pub(crate) fn landmark(&self) -> u64 {
        match self {
            Self::Before => 1,
            Self::Inside(scanner) => scanner.landmark(),
            Self::After => 2,
        }
    }

    /// Whether the object is whole.
    pub fn is_complete(&self) -> bool {
        *self == Self::After
    }
}

/// Reads bytes that must be one JSON value with optional white space around it, nested no deeper than [`MAX_DEPTH`].
pub fn any(bytes: &[u8]) -> Option<Value> {
    any_within(bytes, usize::from(MAX_DEPTH))
}

/// The same, with `null` for what an object has under these names at its top: that is read, but not kept.
pub(crate) fn any_without(bytes: &[u8], names: &[&str]) -> Option<Value> {
    /// Less is read as fast as it is.
    const WORTH_IT: usize = 128;
    let read = || {
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let value = Outline(names).deserialize(&mut reader).ok()?;
        reader.end().ok().map(|()| value)
    };
    (!names.is_empty() && bytes.len() >= WORTH_IT).then(read).flatten().or_else(|| any(bytes))
}

/// The `type` of an object that begins with it; nothing where that is not certain at once.
pub(crate) fn leading_type(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(b"{\"type\":\"")?;
    let end = memchr2(b'"', b'\\', rest).filter(|&end| rest[end] == b'"')?;
    str::from_utf8(&rest[..end]).ok()
}

/// Whether bytes with a [`leading_type`] are surely JSON that [`any`] takes, and that type theirs.
pub(crate) fn is_surely_of_leading_type(bytes: &[u8]) -> bool {
    static KEY: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"\"type\""));
    let behind = bytes.get(b"{\"type\":".len()..).unwrap_or_default();
    let is_only_one = KEY.find(behind).is_none(); // the last of equal keys wins
    is_only_one && serde_json::from_slice::<Unkept>(bytes).is_ok()
}

/// A value of which nothing is kept; what cannot be read as a [`Value`] cannot be read as this.
struct Unkept;

impl<'de> Deserialize<'de> for Unkept {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Unkept {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        while entries.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

/// Reads a value; of an object, what it has under these names is not kept.
struct Outline<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Outline<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Outline<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let value = match self.0.contains(&name.as_str()) {
                true => entries.next_value::<Unkept>().map(|_| Value::Null)?,
                false => entries.next_value()?,
            };
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

/// The same, nested no deeper than this.
pub(crate) fn any_within(bytes: &[u8], most: usize) -> Option<Value> {
    // serde_json allows less; what it refuses for its depth alone is looked at again.
    serde_json::from_slice(bytes).ok().or_else(|| {
        let text = str::from_utf8(bytes).ok().filter(|_| depth(bytes) <= most)?;
        value(text)
    })
}

/// Whether these bytes are one JSON value as RFC 8259 has it, also where [`any`] does not take it (N9).
pub fn is_json(bytes: &[u8]) -> bool {
    // What is ignored is not put together: no surrogates, no doubles, no recursion.
    str::from_utf8(bytes).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// How deep the brackets outside of strings nest.
fn depth(bytes: &[u8]) -> usize {
    let (mut depth, mut most, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for &byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Reads a text that a scanner found to be one JSON value.
pub fn value(text: &str) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit(); // the scanner has bounded the nesting
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Scan {
        ObjectScanner::default().scan(text)
    }

    #[test]
    fn agrees_with_serde_json_on_what_an_object_is() {
        for text in [
            "{}",
            "{ }",
            "{\"a\":1}",
            "{\"a\" : [ ] }",
            "{\"a\":[1,2.5,-3e-2,0,-0.0E+1]}",
            "{\"\":{\"b\":null}}",
            "{\"a\":true,\"b\":false}",
            "{\"a\":\"\\u00e9\\ud83d\\ude00\\\"\\\\\\/\\b\"}",
            "{,}",
            "{\"a\":1,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":.5}",
            "{\"a\":+1}",
            "{\"a\":-}",
            "{\"a\":1e}",
            "{\"a\":[1,]}",
            "{\"a\":[1 2]}",
            "{\"a\":tru}",
            "{\"a\":nulL}",
            "{a:1}",
            "{'a':1}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\ud83d\"}",
            "{\"a\":\"\\ud83d\\u0041\"}",
            "{\"a\":\"\\ude00\"}",
            "{\"a\":1e400}",
            "{\"a\":[}",
            "{\"a\":1]",
            "{\"a\":\"\u{7f}\"}",
            "{\"a\":\"\\ud83d\\udbff\"}",
            "{\"a\":\"\\uD83Dx\"}",
            "{\"a\":1e-400}",
            "{}}",
        ] {
            let ours = whole(text) == Scan::Done(text.len());
            assert_eq!(ours, serde_json::from_str::<Value>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn breaks_at_the_first_character_that_cannot_follow() {
        assert_eq!(whole("{\"a\": <"), Scan::Broken(6));
        assert_eq!(whole("{\"a\":\"\\ud83dx"), Scan::Broken(12));
        assert_eq!(whole("{\"a\":\"\\uD83D\\uDB"), Scan::Broken(15));
        assert_eq!(whole("{\"a\":\"\\uDC"), Scan::Broken(9));
        assert_eq!(whole("{\"a\":1e400}"), Scan::Broken(10));
        assert_eq!(whole("{\"é\"é"), Scan::Broken(5));
    }

    #[test]
    fn what_is_not_taken_is_still_json() {
        for text in ["1e400", "-1E+999", r#""\ud83d""#, r#"{"\udc00":["\ud83d\u0041"]}"#, " [1] ", "null"] {
            assert!(is_json(text.as_bytes()), "{text}");
        }
        let nest = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(is_json(nest(129).as_bytes()) && any(nest(129).as_bytes()).is_none());
        assert!(is_json(nest(1_000_000).as_bytes()));
        assert!(!is_json(&nest(1_000_000).as_bytes()[1..]));
        for text in
            ["", "1 2", "{", "01", "1.", "+1", "\"\n\"", "\"\\x\"", "\"\\u12\"", "[1,]", "{\"a\":1,}", "nul", "'a'"]
        {
            assert!(!is_json(text.as_bytes()), "{text}");
        }
        assert!(!is_json(b"\"\xff\""));
    }

    #[test]
    fn what_is_left_out_changes_nothing_else() {
        let pad = " ".repeat(128);
        let whole = |text: &str| any(text.as_bytes());
        let without = |text: &str| any_without(format!("{text}{pad}").as_bytes(), &["output"]);
        assert_eq!(
            without(r#" {"a":[1],"output":{"b":[1.5,"x",null,true,-1]}} "#),
            whole(r#"{"a":[1],"output":null}"#)
        );
        for text in ["[1]", "1", "\"x\"", r#"{"a":{"output":1}}"#, "{}", "{\"output\"", "{\"output\":tru}", "{} {}", ""]
        {
            assert_eq!(without(text), whole(text), "{text}");
        }
        // What is refused for more than its grammar is refused there too, or the reading would depend on who looks.
        let nested = |depth: usize| format!("{{\"output\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        let long = format!("{{\"output\":{}}}", "9".repeat(400));
        for text in [r#"{"output":"\ud83d"}"#, r#"{"output":1e400}"#, r#"{"output":{"\ude00":1}}"#, &nested(128), &long]
        {
            assert_eq!((without(text), whole(text)), (None, None), "{text}");
        }
        assert!(without(&nested(127)).is_some());
        assert_eq!(any_without(format!("{{\"output\":\"\u{1}\"}}{pad}").as_bytes(), &["output"]), None);
    }

    #[test]
    fn a_type_is_told_without_keeping_the_rest_only_where_it_is_certain() {
        for (text, kind) in [
            (r#"{"type":"a"}"#, Some("a")),
            (r#"{"type":"text-delta","delta":"e 1 \n","n":[1.5e3,-2]}"#, Some("text-delta")),
            (r#"{"type":"a","type":"b"}"#, None),
            (r#"{"type":"type","x":1}"#, None),
            (r#"{"type":"\u0061"}"#, None),
            (r#" {"type":"a"}"#, None),
            (r#"{"id":1,"type":"a"}"#, None),
            (r#"{"type":"a"#, None),
            (r#"{"type":7}"#, None),
            (r#"{"type":"a","n":1e400}"#, None),
            (r#"{"type":"a","s":"\ud83d"}"#, None),
            (r#"{"type":"a","s":}"#, None),
            (r#"{"type":"a"} {}"#, None),
        ] {
            let certain = leading_type(text.as_bytes()).filter(|_| is_surely_of_leading_type(text.as_bytes()));
            assert_eq!(certain, kind, "{text}");
        }
        assert!(!is_surely_of_leading_type(b"{\"type\":\"a\",\"b\":\"\xff\"}"));
    }

    #[test]
    fn nesting_is_limited() {
        let nest = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        assert_eq!(whole(&nest(128)), Scan::Done(nest(128).len()));
        assert!(value(&nest(128)).is_some());
        assert_eq!(whole(&nest(129)), Scan::Broken(128 * 5));
        assert_eq!(whole(&("{\"a\":".to_owned() + &"[".repeat(100_000))), Scan::Broken(5 + 127));
    }
}
