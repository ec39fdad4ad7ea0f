//! The dialect `tool-stages`: updates take a tool block from its start to its end (rules S).

use serde_json::{Map, Value, json};

use super::calls::{Field, Object, Records, filled, hold, look_up, violation};
use super::items::Item;
use super::output::limit;

/// The table of the rules.
const MOVES: &str = "\
| state | start | streaming | running | end |
| absent | started | S8 | S8 | S8 |
| started | S7 | · | · | ended |
| ended | S9 | S9 | S9 | S9 |";

/// The optional fields that a block keeps, and when they count (S16, S23).
const OPTIONAL: [Field; 6] = [
    ("result", Value::is_string),
    ("success", Value::is_boolean),
    ("error", |error| error.is_string() || error.is_object()),
    ("shortResult", Value::is_string),
    ("images", Value::is_array),
    ("compactParams", Value::is_string),
];

/// All events of `items`, under the dialect's `options`.
pub fn parse(items: &[Item], options: &Map<String, Value>) -> Vec<Value> {
    let limit = limit(options);
    let mut blocks = Records::new();
    let mut events = Vec::new();
    for item in items {
        match read(item, &blocks) {
            Ok(Some(update)) => events.extend(blocks.appear(update.id).accept(&update, limit)),
            Ok(None) => {}
            Err(violation) => events.push(violation),
        }
    }
    let unended = blocks.ids(|block| block.row != "ended");
    events.extend(unended.into_iter().map(|id| violation("S19", Some(id))));
    events
}

/// An update that is accepted.
struct Update<'a> {
    id: &'a str,
    stage: &'a str,
    /// The row in the table to which it leads.
    row: &'static str,
    fields: &'a Object,
}

/// The update of an item, if it is one, or the violation for which it is refused.
fn read<'a>(item: &'a Item, blocks: &Records<'a, Block>) -> Result<Option<Update<'a>>, Value> {
    let Item::Value(value) = item else { return Err(violation("S22", None)) };
    let fields = value.as_object().ok_or_else(|| violation("S1", None))?;
    if fields.get("type").is_some_and(|kind| kind != "tool") {
        return Ok(None); // S2
    }
    let id = filled(fields, "id").ok_or_else(|| violation("S3", None))?;
    let stage = filled(fields, "stage").filter(|stage| ["start", "streaming", "running", "end"].contains(stage));
    let stage = stage.ok_or_else(|| violation("S4", Some(id)))?;
    let row = blocks.get(id).map_or("absent", |block| block.row);
    let row = look_up(MOVES, row, stage).map_err(|rule| violation(rule, Some(id)))?;
    Ok(Some(Update { id, stage, row, fields }))
}

#[derive(Default)]
struct Block {
    row: &'static str,
    /// The first name that was given (S11).
    name: Option<String>,
    /// The last parameters that are not empty (S17).
    parameters: String,
    /// The optional fields that were given, each with its last value.
    given: Object,
    /// All chunks, joined.
    chunks: String,
}

impl Block {
    /// The events of an update: the rules it breaks in their order, perhaps the limit, the block.
    fn accept(&mut self, update: &Update<'_>, limit: usize) -> Vec<Value> {
        self.row = update.row;
        let name = filled(update.fields, "name");
        self.name = self.name.take().or_else(|| name.map(str::to_owned));
        if let Some(parameters) = filled(update.fields, "parameters") {
            parameters.clone_into(&mut self.parameters);
        }
        for (key, counts) in OPTIONAL {
            let value = update.fields.get(key).filter(|value| counts(value));
            self.given.extend(value.map(|value| (key.to_owned(), value.clone())));
        }
        let chunk = update.fields.get("parametersChunk").and_then(Value::as_str);
        let error = hold(&mut self.chunks, chunk.unwrap_or_default(), limit);

        let broken = self.broken(update, limit).into_iter().map(|rule| violation(rule, Some(update.id)));
        broken.chain(error).chain([self.event(update, chunk)]).collect()
    }

    /// The rules that an accepted update breaks, in their order.
    fn broken(&self, update: &Update<'_>, limit: usize) -> Vec<&'static str> {
        let Update { stage, fields, .. } = *update;
        let name = filled(fields, "name");
        let counts = |key| OPTIONAL.iter().any(|(field, counts)| *field == key && fields.get(key).is_some_and(counts));
        let is_joined = self.chunks.is_empty() || self.parameters.is_empty() || self.chunks == self.parameters;
        let rules = [
            ("S5", name.is_none()),
            ("S6", !fields.get("parameters").is_some_and(Value::is_string)),
            ("S10", fields.contains_key("isRunning")),
            ("S11", name.is_some() && name != self.name.as_deref()),
            ("S12", filled(fields, "parametersChunk").is_some() && stage != "streaming"),
            ("S13", counts("result") && !["streaming", "end"].contains(&stage)),
            ("S14", counts("error") && stage != "end"),
            ("S15", stage == "end" && self.chunks.len() <= limit && !is_joined),
        ];
        rules.into_iter().filter(|(_, is_broken)| *is_broken).map(|(rule, _)| rule).collect()
    }

    /// The block (S16), with the chunk of this update (S18).
    fn event(&self, update: &Update<'_>, chunk: Option<&str>) -> Value {
        let mut event = json!({
            "type": "tool", "id": update.id, "stage": update.stage, "parameters": self.parameters,
        });
        let name = self.name.iter().map(|name| ("name", json!(name)));
        let chunk = chunk.map(|chunk| ("parametersChunk", json!(chunk)));
        let given = self.given.iter().map(|(key, value)| (key.as_str(), value.clone()));
        for (key, value) in name.chain(chunk).chain(given) {
            event[key] = value;
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Item, parse};

    fn events(items: Value, options: &Map<String, Value>) -> Vec<Value> {
        let items: Vec<_> = items.as_array().unwrap().iter().cloned().map(Item::Value).collect();
        parse(&items, options)
    }

    #[test]
    fn a_block_starts_and_ends() {
        let events = events(
            json!([
                { "id": "1", "stage": "streaming", "name": "t", "parameters": "" },
                { "id": "1", "stage": "start", "parameters": "" },
                { "id": "1", "stage": "streaming", "name": "t", "parameters": "a", "parametersChunk": "ab" },
                { "type": null },
                { "id": "1", "stage": "running", "name": "u", "result": "r", "isRunning": null, "parametersChunk": "" },
                { "id": "1", "stage": "end", "name": "t", "parameters": "", "error": { "e": 1 } },
                { "id": "1", "stage": "start", "name": "t", "parameters": "" },
                { "id": "2", "stage": "start", "name": "t", "parameters": "" },
            ]),
            &Map::new(),
        );
        let rules: Vec<_> = events.iter().filter_map(|event| event["rule"].as_str()).collect();
        assert_eq!(rules, ["S8", "S5", "S6", "S10", "S11", "S13", "S15", "S9", "S19"]);
        assert_eq!(events[2], json!({ "type": "tool", "id": "1", "stage": "start", "parameters": "" }));
        let end = json!({
            "type": "tool", "id": "1", "name": "t", "stage": "end", "parameters": "a", "result": "r",
            "error": { "e": 1 },
        });
        assert_eq!(events[10], end);
    }

    #[test]
    fn a_limit_comes_before_its_block() {
        let options = Map::from_iter([("limit".to_owned(), json!(1))]);
        let update =
            |stage| json!({ "id": "1", "stage": stage, "name": "t", "parameters": "x", "parametersChunk": "a" });
        let types: Vec<_> = events(json!([update("start"), update("streaming"), update("end")]), &options)
            .into_iter()
            .map(|event| event["rule"].as_str().or(event["type"].as_str()).map(str::to_owned))
            .map(Option::unwrap)
            .collect();
        assert_eq!(types, ["S12", "tool", "error", "tool", "S12", "tool"]);
    }
}
