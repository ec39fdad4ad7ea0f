//! The dialect `inline-tag`: prose with `<tool_call name="…" args={…}></tool_call>` (rules T).

use serde_json::{Map, Value, json};

use super::cursor::{BLANK, Cursor};
use super::json;
use super::output::{Output, limit};

/// All events of `text`, under the dialect's `options`.
pub fn parse(text: &str, options: &Map<String, Value>) -> Vec<Value> {
    let limit = limit(options);
    let mut output = Output::new(text);
    let mut at = 0;
    while let Some(distance) = text[at..].find('<') {
        let start = at + distance;
        // All that a limit lets one see: what may be held, and one character more.
        let horizon = text.ceil_char_boundary(start.saturating_add(limit).saturating_add(1));
        let mut cursor = Cursor::new(&text[..horizon], start);
        let call = opening(&mut cursor);
        let is_opened = call.is_some();
        let tag = cursor.at();
        let call = call.and_then(|call| cursor.exact("</tool_call>").map(|()| call));

        if cursor.at() - start > limit {
            // T20: the held text is text, and the first character too many is looked at afresh. Where
            // nothing may be held that character is the `<`, which must not be given up for ever.
            output.give_up(start, limit);
            at = text.floor_char_boundary(start + limit).max(start + 1);
        } else if let Some(call) = call {
            at = cursor.at();
            output.replace(start..at, [call]);
        } else {
            // T13 and T14, and the end of the stream (T16). All of it stays text and, since scanning
            // only moves on, is not scanned again (T15).
            at = if is_opened { tag } else { cursor.at() };
        }
    }
    output.finish()
}

/// Reads a marker up to its closing tag, and gives the event it will be (T17).
fn opening(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.exact("<tool_call")?;
    let mut name = None;
    let mut args = None;
    // T6: in either order, each at most once.
    loop {
        // T3: blanks before each attribute; T7: perhaps some before the `>`.
        let is_apart = !cursor.skip(BLANK).is_empty();
        match cursor.peek()? {
            'n' if is_apart && name.is_none() => name = Some(read_name(cursor)?),
            'a' if is_apart && args.is_none() => args = Some(read_args(cursor)?),
            '>' => break,
            _ => return None,
        }
    }
    // T4: without a name the `>` is stuck. T5: without arguments they are empty.
    let event = json!({ "type": "tool_call", "name": name?, "args": args.unwrap_or_default() });
    cursor.exact(">")?;
    cursor.skip(BLANK);
    Some(event)
}

/// Reads `name="…"` (T4).
fn read_name<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    cursor.exact("name=\"")?;
    let name = cursor.take_while(|char| !matches!(char, '"' | '<' | '>' | '\r' | '\n'));
    if name.is_empty() {
        return None;
    }
    cursor.exact("\"")?;
    Some(name)
}

/// Reads `args={…}` (T5).
fn read_args(cursor: &mut Cursor<'_>) -> Option<Map<String, Value>> {
    cursor.exact("args=")?;
    json::object(cursor)
}
