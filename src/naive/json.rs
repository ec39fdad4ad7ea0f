//! JSON as the rules have it: RFC 8259 (F8, T9, N1) within the borders of F9 to F11, T10 to T12 and N9.
//!
//! A reader of text that may still grow must say *where* a text stops being JSON, not only that it
//! does, and a lone surrogate, a number beyond a double and too deep a nest each stop at a character of
//! their own. Like all readers on a [`Cursor`], these leave it there.

use std::ops::RangeInclusive;

use serde_json::{Map, Number, Value};

use super::cursor::{BLANK, Cursor};

/// How deep values may nest; the outermost object is depth 1 (F9, T11). It bounds the recursion here too.
const MAX_DEPTH: usize = 128;

/// Reads one object, without white space around it.
pub(crate) fn object(cursor: &mut Cursor<'_>) -> Option<Map<String, Value>> {
    members(cursor, 1)
}

/// The one value that is all of `text`, with white space around it or none.
pub(crate) fn whole(text: &str) -> Option<Value> {
    // A number ends where something else follows, so something does.
    let text = format!("{text} ");
    let mut cursor = Cursor::new(&text, 0);
    cursor.skip(BLANK);
    let value = value(&mut cursor, 0)?;
    cursor.skip(BLANK);
    cursor.peek().is_none().then_some(value)
}

/// Whether two values are equal, their numbers by value: `1` equals `1.0` and `1e0`.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (integer(one), integer(other)) {
            (None, None) => one.as_f64() == other.as_f64(),
            integers => integers.0 == integers.1,
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| same(one, other)))
        }
        _ => one == other,
    }
}

/// A number's exact value, if that is an integer, and small enough for one: a double beyond equals doubles only.
fn integer(number: &Number) -> Option<i128> {
    let exact = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
    let is_integer = |double: &f64| double.fract() == 0.0 && double.abs() < 1e30;
    exact.or_else(|| number.as_f64().filter(is_integer).map(|double| double as i128))
}

/// Reads a value that stands inside `depth` others.
fn value(cursor: &mut Cursor<'_>, depth: usize) -> Option<Value> {
    match cursor.peek()? {
        '{' if depth < MAX_DEPTH => members(cursor, depth + 1).map(Value::Object),
        '[' if depth < MAX_DEPTH => items(cursor, depth + 1).map(Value::Array),
        '"' => string(cursor).map(Value::String),
        '-' | '0'..='9' => number(cursor),
        't' => cursor.exact("true").map(|()| Value::Bool(true)),
        'f' => cursor.exact("false").map(|()| Value::Bool(false)),
        'n' => cursor.exact("null").map(|()| Value::Null),
        _ => None,
    }
}

/// Reads an object that is itself at `depth`.
fn members(cursor: &mut Cursor<'_>, depth: usize) -> Option<Map<String, Value>> {
    let mut members = Map::new();
    list(cursor, '{', '}', |cursor| {
        let key = string(cursor)?;
        cursor.skip(BLANK);
        cursor.exact(":")?;
        cursor.skip(BLANK);
        // The last of duplicate keys wins: F10, T10.
        members.insert(key, value(cursor, depth)?);
        Some(())
    })?;
    Some(members)
}

/// Reads an array that is itself at `depth`.
fn items(cursor: &mut Cursor<'_>, depth: usize) -> Option<Vec<Value>> {
    let mut items = Vec::new();
    list(cursor, '[', ']', |cursor| {
        items.push(value(cursor, depth)?);
        Some(())
    })?;
    Some(items)
}

/// Reads what objects and arrays have in common: brackets, commas and the white space around each `item`.
fn list<'a>(
    cursor: &mut Cursor<'a>,
    open: char,
    close: char,
    mut item: impl FnMut(&mut Cursor<'a>) -> Option<()>,
) -> Option<()> {
    cursor.eat(open).then_some(())?;
    cursor.skip(BLANK);
    if cursor.eat(close) {
        return Some(());
    }
    loop {
        item(cursor)?;
        cursor.skip(BLANK);
        if cursor.eat(close) {
            return Some(());
        }
        cursor.exact(",")?;
        cursor.skip(BLANK);
    }
}

fn string(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.exact("\"")?;
    let mut string = String::new();
    loop {
        string.push_str(cursor.take_while(|char| char >= ' ' && char != '"' && char != '\\'));
        if cursor.eat('"') {
            return Some(string);
        }
        // A raw control character is stuck here.
        cursor.exact("\\")?;
        string.push(escape(cursor)?);
    }
}

/// Reads the rest of an escape whose backslash has been read.
fn escape(cursor: &mut Cursor<'_>) -> Option<char> {
    match cursor.eat_if(|char| "\"\\/bfnrtu".contains(char))? {
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'u' => code_point(cursor),
        itself => Some(itself),
    }
}

/// Reads the digits of a `\u` escape, and the whole second escape of a surrogate pair.
///
/// First halves are D800 to DBFF, second halves DC00 to DFFF; one alone is refused (F9, T11) at the
/// first digit, or other character, that leaves no pair possible.
fn code_point(cursor: &mut Cursor<'_>) -> Option<char> {
    let first = digit(cursor, 0..=0xF)?;
    let second = digit(cursor, if first == 0xD { 0..=0xB } else { 0..=0xF })?;
    let unit = two_digits(cursor, first << 4 | second)?;
    let is_first_half = first == 0xD && second >= 8;
    if !is_first_half {
        // Never `None`: all units but surrogates are code points.
        return char::from_u32(unit);
    }
    cursor.exact("\\u")?;
    let first = digit(cursor, 0xD..=0xD)?;
    let second = digit(cursor, 0xC..=0xF)?;
    let second_half = two_digits(cursor, first << 4 | second)?;
    // Never `None`: ten bits from each half, at most 10FFFF.
    char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + (second_half - 0xDC00))
}

/// Reads two more hexadecimal digits behind those that gave `high`.
fn two_digits(cursor: &mut Cursor<'_>, high: u32) -> Option<u32> {
    let third = digit(cursor, 0..=0xF)?;
    let fourth = digit(cursor, 0..=0xF)?;
    Some(high << 8 | third << 4 | fourth)
}

/// Reads one hexadecimal digit whose value is among `allowed`.
fn digit(cursor: &mut Cursor<'_>, allowed: RangeInclusive<u32>) -> Option<u32> {
    cursor.eat_if(|char| char.to_digit(16).is_some_and(|digit| allowed.contains(&digit)))?.to_digit(16)
}

fn number(cursor: &mut Cursor<'_>) -> Option<Value> {
    let start = cursor.at();
    cursor.eat('-');
    // Nothing may follow a leading zero: the digit in `01` is stuck where `,` or a bracket should stand.
    if !cursor.eat('0') {
        decimals(cursor)?;
    }
    let integer = cursor.since(start);
    if cursor.eat('.') {
        decimals(cursor)?;
    }
    if cursor.eat_if(|char| matches!(char, 'e' | 'E')).is_some() {
        cursor.eat_if(|char| matches!(char, '+' | '-'));
        decimals(cursor)?;
    }
    // A number ends where something else follows, and is judged there (T11).
    cursor.peek()?;
    let whole = cursor.since(start);
    let exact = if whole == integer { exact(whole) } else { None };
    exact.or_else(|| whole.parse().ok().and_then(Number::from_f64)).map(Value::Number)
}

/// An integer that 64 bits can hold (F11, T12).
fn exact(integer: &str) -> Option<Number> {
    let unsigned = integer.parse::<u64>().ok().map(Number::from);
    unsigned.or_else(|| integer.parse::<i64>().ok().map(Number::from))
}

/// Reads one or more decimal digits.
fn decimals(cursor: &mut Cursor<'_>) -> Option<()> {
    let digits = cursor.take_while(|char| char.is_ascii_digit());
    (!digits.is_empty()).then_some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{same, whole};

    #[test]
    fn reads_any_whole_value() {
        assert_eq!(whole(" -1.5e1\r\n"), Some(json!(-15.0)));
        assert_eq!(whole("[1,{\"a\":2,\"a\":null}]"), Some(json!([1, { "a": null }])));
        assert!(whole(&format!("{}{}", "[".repeat(128), "]".repeat(128))).is_some());
        assert!(whole(&format!("{}{}", "[".repeat(129), "]".repeat(129))).is_none());
        for wrong in ["", " ", "1 2", "01", "1e400", "\"\\ud800\"", "\u{feff}1", "[1,]", "nul"] {
            assert_eq!(whole(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn compares_numbers_by_value() {
        let is_same = |one: &str, other: &str| same(&whole(one).unwrap(), &whole(other).unwrap());
        assert!(is_same("[1,-0,{\"a\":1e300}]", "[1.0,0e0,{\"a\":10e299}]"));
        assert!(is_same("9007199254740992", "9007199254740992.0"));
        assert!(!is_same("9007199254740993", "9007199254740992"));
        assert!(!is_same("9007199254740993", "9007199254740992.0"));
        assert!(!is_same("1e300", "1e301"));
        assert!(!is_same("{\"a\":null}", "{\"b\":null}"));
        assert!(!is_same("1", "\"1\""));
    }
}
