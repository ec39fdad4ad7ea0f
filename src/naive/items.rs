//! How the bytes of a transport become the items of a dialect (C36, D15, A29, S22).

use serde_json::{Map, Value};

use super::{json, ndjson, sse};

/// One item of the input.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A value: one of a list, or what the transport brought.
    Value(Value),
    /// Something of the transport that is no item, and a violation where it stands.
    Malformed,
}

/// The items in `bytes`, by the `transport` `sse` or `ndjson`.
///
/// An event that was not ended is one more malformed item: the end of the input is where it stands.
pub fn of(bytes: &[u8], transport: &str, options: &Map<String, Value>) -> Vec<Item> {
    if transport == "ndjson" {
        return ndjson::parse(bytes, options).into_iter().map(of_line).collect();
    }
    let (events, is_left) = sse::read(bytes, options);
    events.into_iter().filter_map(of_event).chain(is_left.then_some(Item::Malformed)).collect()
}

/// The item of an event of `ndjson`: all but values are errors.
fn of_line(event: Value) -> Item {
    event.get("value").cloned().map_or(Item::Malformed, Item::Value)
}

/// The item of an event of `sse`, if it has one.
fn of_event(event: Value) -> Option<Item> {
    match event["type"].as_str() {
        Some("retry") => None,
        Some("event") => match event["data"].as_str().unwrap_or_default() {
            "" | "[DONE]" => None,
            data => Some(json::whole(data).map_or(Item::Malformed, Item::Value)),
        },
        _ => Some(Item::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::Item::{Malformed, Value};
    use super::of;

    #[test]
    fn come_from_sse() {
        let bytes = b"retry:1\ndata:{\ndata:}\n\ndata:[DONE]\n\ndata\n\ndata:  \n\nevent:x\ndata: null \n\ndata:1\n";
        assert_eq!(of(bytes, "sse", &Map::new()), [Value(json!({})), Malformed, Value(json!(null)), Malformed]);
    }

    #[test]
    fn come_from_ndjson() {
        let options = Map::from_iter([("limit".to_owned(), json!(6))]);
        let items = [Malformed, Value(json!(null)), Malformed, Value(json!(1))];
        assert_eq!(of(b"[DONE]\n\nnull\n1234567\n1", "ndjson", &options), items);
    }
}
