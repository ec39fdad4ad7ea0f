//! What the dialects that follow calls have in common: the tables of moves, and a record of each call.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub(crate) type Object = Map<String, Value>;

/// Whether a field's value is of the right kind.
pub(crate) type Check = fn(&Value) -> bool;

/// A field's name, and what it must be.
pub(crate) type Field = (&'static str, Check);

/// Whether `object` has all of these fields, of the right kinds.
pub(crate) fn has(object: &Object, fields: &[Field]) -> bool {
    fields.iter().all(|(key, check)| object.get(*key).is_some_and(check))
}

pub(crate) fn is_any(_: &Value) -> bool {
    true
}

/// Whether `value` can be an id or a name: a string that is not empty.
pub(crate) fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

/// The field `key`, if it is a string that is not empty.
pub(crate) fn filled<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).filter(|value| is_filled(value)).and_then(Value::as_str)
}

/// Whether the field `key` is `true`, and not only there.
pub(crate) fn is_true(object: &Object, key: &str) -> bool {
    object.get(key) == Some(&Value::Bool(true))
}

/// An object of those `fields` that have been given.
pub(crate) fn given<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// The report that `rule` was broken, by this call if it is known by which.
pub(crate) fn violation(rule: &str, call: Option<&str>) -> Value {
    given([("type", Some(json!("violation"))), ("rule", Some(json!(rule))), ("call", call.map(Value::from))])
}

/// Adds `delta` to `text`, and gives the error if this is what takes it beyond `limit` (C35, A28, S21).
///
/// All of the text is kept, so that from then on it can be seen to be too long.
pub(crate) fn hold(text: &mut String, delta: &str, limit: usize) -> Option<Value> {
    let was_within = text.len() <= limit;
    text.push_str(delta);
    (was_within && text.len() > limit).then(|| json!({ "type": "error", "error": "limit", "limit": limit }))
}

/// Looks up a table of moves, as it stands in the rules: the row that follows `row`, or the rule that refuses.
pub(crate) fn look_up(table: &'static str, row: &str, column: &str) -> Result<&'static str, &'static str> {
    // The first cell, the 0th, is what stands before the first bar: nothing.
    let cell = |line: &'static str, at| line.split('|').nth(at).unwrap_or_default().trim();
    let head = table.lines().next().unwrap_or_default();
    let at = head.split('|').position(|head| head.trim() == column).unwrap_or_default();
    let line = table.lines().find(|line| cell(line, 1) == row).unwrap_or_default();
    match cell(line, at) {
        "·" => Ok(cell(line, 1)),
        rule if rule.starts_with(|char: char| char.is_ascii_uppercase()) => Err(rule),
        next => Ok(next),
    }
}

/// A record of each id, in the order in which they first appeared.
pub(crate) struct Records<'a, T> {
    list: Vec<(&'a str, T)>,
    /// Where in the list an id is.
    places: BTreeMap<&'a str, usize>,
}

impl<'a, T: Default> Records<'a, T> {
    pub(crate) fn new() -> Self {
        Self { list: Vec::new(), places: BTreeMap::new() }
    }

    /// The record of `id`, if it has appeared.
    pub(crate) fn get(&self, id: &str) -> Option<&T> {
        self.places.get(id).map(|&place| &self.list[place].1)
    }

    /// The record of `id`, which appears now if it has not before.
    pub(crate) fn appear(&mut self, id: &'a str) -> &mut T {
        let place = *self.places.entry(id).or_insert(self.list.len());
        if place == self.list.len() {
            self.list.push((id, T::default()));
        }
        &mut self.list[place].1
    }

    /// The ids whose records `accept` takes.
    pub(crate) fn ids(&self, accept: impl Fn(&T) -> bool) -> Vec<&'a str> {
        self.list.iter().filter(|(_, record)| accept(record)).map(|&(id, _)| id).collect()
    }
}

/// What is known of a call of `chat-chunks` and `ai-sdk-parts`.
#[derive(Default)]
pub(crate) struct Call<'a> {
    /// Its row in the table of moves.
    pub(crate) row: &'static str,
    /// What it accepted but deltas, each with its column in the table.
    pub(crate) history: Vec<(&'static str, &'a Object)>,
    /// Its deltas, joined.
    pub(crate) text: String,
}

impl<'a> Call<'a> {
    /// The state that the row belongs to.
    pub(crate) fn state(&self) -> &'static str {
        match self.row {
            "input-ended" => "input-streaming",
            row => row.split(" (").next().unwrap_or_default(),
        }
    }

    /// Accepts `item`, which leads to `next`; some states have two rows, and the item says which.
    pub(crate) fn accept(&mut self, next: &'static str, column: &'static str, item: &'a Object) {
        self.history.push((column, item));
        self.row = match next {
            "output-available" if is_true(item, "preliminary") => "output-available (preliminary)",
            "approval-responded" if is_true(item, "approved") => "approval-responded (approved)",
            "approval-responded" => "approval-responded (denied)",
            _ => next,
        };
    }

    /// The item that it began with.
    pub(crate) fn beginning(&self) -> Option<&'a Object> {
        self.history.first().map(|&(_, item)| item)
    }

    /// The first accepted item of these columns.
    pub(crate) fn first(&self, columns: &[&str]) -> Option<&'a Object> {
        self.history.iter().find(|(column, _)| columns.contains(column)).map(|&(_, item)| item)
    }

    /// The last accepted item of these columns, with its column.
    pub(crate) fn last(&self, columns: &[&str]) -> Option<(&'static str, &'a Object)> {
        self.history.iter().rfind(|(column, _)| columns.contains(column)).copied()
    }

    /// The name that it began with.
    pub(crate) fn name(&self) -> Option<&'a str> {
        self.beginning().and_then(|item| filled(item, "toolName"))
    }
}

#[cfg(test)]
mod tests {
    use super::{hold, look_up};

    #[test]
    fn tables_are_looked_up() {
        let table = "| state | go | end |\n| off | on | X1 |\n| on (a) | · | off |";
        assert_eq!(look_up(table, "off", "go"), Ok("on"));
        assert_eq!(look_up(table, "off", "end"), Err("X1"));
        assert_eq!(look_up(table, "on (a)", "go"), Ok("on (a)"));
    }

    #[test]
    fn a_limit_is_passed_once() {
        let mut text = String::new();
        let errors = ["é", "", "a", "b"].map(|delta| hold(&mut text, delta, 2).is_some());
        assert_eq!(errors, [false, false, true, false]);
    }
}
