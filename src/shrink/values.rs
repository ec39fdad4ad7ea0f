//! JSON values that are smaller than another.

use serde_json::{Map, Value};

/// Values that are a little smaller, those that leave out most first.
pub(super) fn smaller_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(flag) => {
            if *flag {
                vec![Value::Bool(false)]
            } else {
                vec![Value::Null]
            }
        }
        Value::Number(number) => {
            if number.as_u64() == Some(0) {
                vec![Value::Null]
            } else {
                vec![0.into()]
            }
        }
        Value::String(text) => smaller_texts(text),
        Value::Array(items) => {
            let mut smaller = vec![Value::Null];
            smaller.extend((0..items.len()).map(|at| {
                let kept = items.iter().enumerate().filter(|(nth, _)| *nth != at);
                kept.map(|(_, item)| item.clone()).collect()
            }));
            smaller.extend(items.iter().cloned());
            for (at, item) in items.iter().enumerate() {
                smaller.extend(smaller_values(item).into_iter().map(|item| {
                    let mut items = items.clone();
                    items[at] = item;
                    Value::Array(items)
                }));
            }
            smaller
        }
        Value::Object(fields) => smaller_objects(fields),
    }
}

fn smaller_texts(text: &str) -> Vec<Value> {
    let count = text.chars().count();
    if count == 0 {
        return vec![Value::Null];
    }
    let mut smaller: Vec<Value> = vec!["".into()];
    if count > 1 {
        smaller.push("a".into());
        smaller.push(text.chars().take(count / 2).collect::<String>().into());
        smaller.push(text.chars().skip(count / 2).collect::<String>().into());
        smaller.push(text.chars().take(count - 1).collect::<String>().into());
        smaller.push(text.chars().skip(1).collect::<String>().into());
    }
    smaller
}

fn smaller_objects(fields: &Map<String, Value>) -> Vec<Value> {
    let mut smaller = Vec::new();
    if fields.is_empty() {
        smaller.push(Value::Null);
    }
    for name in fields.keys() {
        let mut fewer = fields.clone();
        fewer.remove(name);
        smaller.push(Value::Object(fewer));
    }
    smaller.extend(fields.values().filter(|value| value.is_object()).cloned());
    for (name, value) in fields {
        // What kind of item it is must not become another by halves.
        if ["type", "action", "stage"].contains(&name.as_str()) {
            continue;
        }
        smaller.extend(smaller_values(value).into_iter().map(|value| {
            let mut fields = fields.clone();
            fields.insert(name.clone(), value);
            Value::Object(fields)
        }));
    }
    smaller
}
