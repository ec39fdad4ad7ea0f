//! The dialect `ndjson`: one JSON value per line (rules N).

use serde_json::{Map, Value, json};

use super::json;
use super::output::limit;

/// All events of `bytes`, under the dialect's `options`.
pub fn parse(bytes: &[u8], options: &Map<String, Value>) -> Vec<Value> {
    let limit = limit(options);
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes); // N8
    // N3: what stands after the last LF is a line too; if it is empty, it gives nothing.
    bytes.split(|&byte| byte == b'\n').filter_map(|line| event(line, limit)).collect()
}

/// What a line gives, which may still have the CR of its line end (N2).
fn event(line: &[u8], limit: usize) -> Option<Value> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > limit {
        return Some(json!({ "type": "error", "limit": limit })); // N10, before anything is known of the line
    }
    if line.iter().all(|byte| b" \t\r".contains(byte)) {
        return None; // N4
    }
    // N6: a line that is not UTF-8 is none of JSON.
    match str::from_utf8(line).ok().and_then(json::whole) {
        Some(value) => Some(json!({ "type": "value", "value": value })),
        None => Some(json!({ "type": "error", "line": String::from_utf8_lossy(line) })), // N5
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::parse;

    #[test]
    fn reads_lines() {
        let bytes = b"\xEF\xBB\xBF1\r\n \t\r\r\n[1,\r2]\n\"\xFF\xE2\x82\"\n{}{}\n\xEF\xBB\xBF1\nnull\r";
        let events = [
            json!({ "type": "value", "value": 1 }),
            json!({ "type": "value", "value": [1, 2] }),
            json!({ "type": "error", "line": "\"\u{fffd}\u{fffd}\"" }),
            json!({ "type": "error", "line": "{}{}" }),
            json!({ "type": "error", "line": "\u{feff}1" }),
            json!({ "type": "value", "value": null }),
        ];
        assert_eq!(parse(bytes, &Map::new()), events);
    }

    #[test]
    fn gives_up_beyond_the_limit() {
        let options = Map::from_iter([("limit".to_owned(), json!(2))]);
        let error = json!({ "type": "error", "limit": 2 });
        let events =
            [json!({ "type": "value", "value": 12 }), error.clone(), error, json!({ "type": "value", "value": 7 })];
        assert_eq!(parse(b"\xEF\xBB\xBF12\r\n123\n12\r\r\n7", &options), events);
    }
}
