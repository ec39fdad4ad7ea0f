//! JSON for files that people write: duplicate keys and absurd nesting are errors with a place.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Deeper than any case needs, and far from the end of the stack.
const MAX_DEPTH: usize = 512;

/// Reads a whole text, which is to be `what`; an error says what is wrong and where.
pub(crate) fn parse(text: &str, what: &str) -> Result<Value, String> {
    if text.starts_with('\u{feff}') {
        return Err("begins with a byte order mark; save it without".to_owned());
    }
    if let Some(line) = too_deep(text) {
        return Err(format!("nests deeper than {MAX_DEPTH} at line {line}"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit(); // bounded just above
    let value = Strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| format!("not {what}: {error}"))
}

/// The line where the brackets outside of strings nest too deep.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut line, mut in_string, mut escaped) = (0_usize, 1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(line);
        }
    }
    None
}

/// Builds a value and refuses duplicate keys, which serde_json would let win silently.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if fields.contains_key(&key) {
                return Err(A::Error::custom(format!("the key {key:?} stands here twice")));
            }
            let value = entries.next_value_seed(Self)?;
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}
