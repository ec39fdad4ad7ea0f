//! The dialect `sse`: server-sent events (rules E).
//!
//! CR and LF are never part of another character, whole or broken, so the bytes can be cut into lines before
//! they are decoded, and E18 has its bytes as they came.

use serde_json::{Map, Value, json};

use super::output::limit;

/// All events of `bytes`, under the dialect's `options`.
pub fn parse(bytes: &[u8], options: &Map<String, Value>) -> Vec<Value> {
    read(bytes, options).0
}

/// All events of `bytes`, and whether an event was left that counts as not ended (E15, C36).
pub(crate) fn read(bytes: &[u8], options: &Map<String, Value>) -> (Vec<Value>, bool) {
    let mut stream = Stream { events: Vec::new(), id: String::new(), limit: limit(options) };
    let (lines, rest) = lines(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)); // E2
    // E4: what stands between blank lines is an event. After the last blank line stands one that is not ended.
    let mut events: Vec<_> = lines.split(|line| line.is_empty()).collect();
    let unended = events.pop().unwrap_or_default();
    for lines in events {
        if let Some(draft) = stream.draft(lines, &[]) {
            stream.dispatch(draft);
        }
    }
    // One that was given up is passed over: it has been reported.
    let is_left = stream.draft(unended, rest).is_some_and(|draft| !draft.data.is_empty() || !rest.is_empty());
    (stream.events, is_left)
}

/// The lines of `bytes`, without their ends, and what stands after the last line end (E3).
fn lines(mut bytes: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut lines = Vec::new();
    while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        let (line, rest) = bytes.split_at(end);
        lines.push(line);
        bytes = rest.strip_prefix(b"\r\n").unwrap_or(&rest[1..]);
    }
    (lines, bytes)
}

/// What the lines of one event say.
#[derive(Default)]
struct Draft {
    /// The values of its `data` lines.
    data: Vec<String>,
    event: String,
}

struct Stream {
    events: Vec<Value>,
    /// The last event id (E11).
    id: String,
    limit: usize,
}

impl Stream {
    /// Reads the `lines` of one event, and counts `rest`, a line that has not ended; `None` beyond the limit.
    fn draft(&mut self, lines: &[&[u8]], rest: &[u8]) -> Option<Draft> {
        let mut draft = Draft::default();
        let mut size = 0;
        for line in lines {
            size = self.count(size, line)?;
            self.line(&String::from_utf8_lossy(line), &mut draft); // E1
        }
        self.count(size, rest)?;
        Some(draft)
    }

    /// The size of an event with one `line` more; `None`, and the error, where that is beyond the limit (E18).
    fn count(&mut self, size: usize, line: &[u8]) -> Option<usize> {
        let is_comment = line.starts_with(b":");
        let size = if is_comment { size } else { size + line.len() };
        if size > self.limit {
            self.events.push(json!({ "type": "error", "limit": self.limit }));
            return None;
        }
        Some(size)
    }

    /// Does what one line says (E6, E7).
    fn line(&mut self, line: &str, draft: &mut Draft) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => draft.data.push(value.to_owned()),
            "event" => draft.event = value.to_owned(),
            "id" if !value.contains('\0') => self.id = value.to_owned(),
            "retry" => self.events.extend(milliseconds(value).map(|retry| json!({ "type": "retry", "retry": retry }))),
            // E14, and E5: a comment's name is empty.
            _ => {}
        }
    }

    /// Gives the event of an ended draft, if it has data (E8 to E10).
    fn dispatch(&mut self, draft: Draft) {
        if !draft.data.is_empty() {
            let event = if draft.event.is_empty() { "message" } else { &draft.event };
            let data = draft.data.join("\n");
            self.events.push(json!({ "type": "event", "event": event, "data": data, "id": self.id }));
        }
    }
}

/// The value of a `retry` (E12) that is not beyond reason (E13).
fn milliseconds(value: &str) -> Option<u64> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|&retry| is_number && retry <= 9_007_199_254_740_991)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{parse, read};

    fn options(limit: usize) -> Map<String, Value> {
        Map::from_iter([("limit".to_owned(), json!(limit))])
    }

    #[test]
    fn reads_fields() {
        let bytes = b"\xEF\xBB\xBF:c\rid:1\r\ndata:  a:b\r\ndata\nretry: 007\nretry:+1\nevent:x\n\r\n\
            data: \xE2\x82A\xFF\xFE\r\r\nid\n";
        let events = [
            json!({ "type": "retry", "retry": 7 }),
            json!({ "type": "event", "event": "x", "data": " a:b\n", "id": "1" }),
            json!({ "type": "event", "event": "message", "data": "\u{fffd}A\u{fffd}\u{fffd}", "id": "1" }),
        ];
        assert_eq!(parse(bytes, &Map::new()), events);
    }

    #[test]
    fn gives_up_beyond_the_limit() {
        let event = |data| json!({ "type": "event", "event": "message", "data": data, "id": "" });
        let error = json!({ "type": "error", "limit": 6 });
        assert_eq!(parse(b":comment\ndata:a\n\ndata:b\n\n", &options(6)), [event("a"), event("b")]);
        let bytes = b"data:a\nx\nretry:1\n\ndata:b\n\n";
        assert_eq!(parse(bytes, &options(6)), [error.clone(), event("b")]);
        assert_eq!(read(b"data:ab", &options(6)), (vec![error], false));
    }

    #[test]
    fn tells_what_is_left() {
        let is_left = |bytes: &[u8]| read(bytes, &Map::new()).1;
        assert!(is_left(b"data\n") && is_left(b"data:a\n\n:") && is_left(b"\xEF\xBB"));
        assert!(!is_left(b"data\n\n") && !is_left(b"event:a\n") && !is_left(b"\xEF\xBB\xBF"));
    }
}
