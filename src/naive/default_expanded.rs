//! The dialect `default-expanded`: whether tool cards and their sections are open (rules D).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calls::{Field, Object, filled, has, is_filled, violation};
use super::items::Item;

/// The states of a call.
const STATES: [&str; 7] = [
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
    "output-available",
    "output-error",
    "output-denied",
];

/// What an owner state must have (D1).
const REQUIRED: [Field; 3] = [
    ("toolCallId", is_filled),
    ("toolName", is_filled),
    ("state", |state| state.as_str().is_some_and(|state| STATES.contains(&state))),
];

/// All events of `items`, under the dialect's `options`.
pub fn parse(items: &[Item], options: &Map<String, Value>) -> Vec<Value> {
    let policy = options.get("policy").and_then(Value::as_object).cloned().unwrap_or_default();
    // Each card and each section on its own (D12), from when it was first seen.
    let mut open = BTreeMap::new();
    let event = |item| {
        let owner = match read(item) {
            Ok(owner) => owner,
            Err(violation) => return violation,
        };
        let is_open = open.entry((owner.call, owner.section)).or_insert(false);
        if let Some(said) = said(&policy, &owner) {
            *is_open = said; // D3, D8
        } else if matches!(owner.state, "input-streaming" | "approval-requested") {
            *is_open = true; // D10; in all other states it stays as it is: D11
        }
        json!({ "type": "expanded", "toolCallId": owner.call, "section": owner.section, "open": *is_open })
    };
    items.iter().map(event).collect()
}

/// An owner state that is right.
struct Owner<'a> {
    call: &'a str,
    tool: &'a str,
    state: &'a str,
    /// `None` for the card.
    section: Option<&'a str>,
    is_message_streaming: bool,
}

/// The owner state of an item, or the violation that it is.
fn read(item: &Item) -> Result<Owner<'_>, Value> {
    let Item::Value(value) = item else { return Err(violation("D15", None)) };
    let object = value.as_object();
    let call = object.and_then(|object| filled(object, "toolCallId"));
    object.and_then(owner).ok_or_else(|| violation("D1", call))
}

/// The owner state that `object` is, if it is one (D1).
fn owner(object: &Object) -> Option<Owner<'_>> {
    let section = match object.get("section") {
        None | Some(Value::Null) => None,
        Some(section) => Some(section.as_str().filter(|section| ["input", "output"].contains(section))?),
    };
    let is_message_streaming = match object.get("isMessageStreaming") {
        None => false,
        Some(streaming) => streaming.as_bool()?,
    };
    let [call, tool, state] = REQUIRED.map(|(key, _)| filled(object, key).unwrap_or_default());
    has(object, &REQUIRED).then_some(Owner { call, tool, state, section, is_message_streaming })
}

/// What the policy says; `None` is undefined (D9).
fn said(policy: &Object, owner: &Owner<'_>) -> Option<bool> {
    // D4 to D6: a map lookup knows no keys but those in the map.
    let entry = policy.get(owner.tool).or_else(|| policy.get("*"))?;
    match entry.as_array() {
        // D7
        Some(resolver) => resolver.iter().find(|entry| fits(&entry["when"], owner))?["open"].as_bool(),
        None => entry.as_bool(),
    }
}

/// Whether everything in a `when` fits (D7).
fn fits(when: &Value, owner: &Owner<'_>) -> bool {
    when.as_object().into_iter().flatten().all(|(key, wanted)| match key.as_str() {
        "state" => wanted.as_array().is_some_and(|states| states.contains(&json!(owner.state))),
        "section" => *wanted == json!(owner.section),
        "isMessageStreaming" => *wanted == json!(owner.is_message_streaming), // D14
        "toolNamePrefix" => wanted.as_str().is_some_and(|prefix| owner.tool.starts_with(prefix)),
        _ => false, // Nothing else may be there.
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Item, parse};

    /// What a tool called `t` has open in each of the given states.
    fn open(policy: Value, states: &[&str]) -> Vec<Value> {
        let owner = |state| Item::Value(json!({ "toolCallId": "1", "toolName": "t", "state": state }));
        let items: Vec<_> = states.iter().map(owner).collect();
        let options = json!({ "policy": policy });
        parse(&items, options.as_object().unwrap()).into_iter().map(|event| event["open"].clone()).collect()
    }

    #[test]
    fn applies_the_policy_over_the_default() {
        let states = ["input-available", "input-streaming", "input-available", "output-available"];
        assert_eq!(open(json!({}), &states), [false, true, true, true]);
        assert_eq!(open(json!({ "t": null, "*": false }), &states), [false, true, true, true]);
        assert_eq!(open(json!({ "*": true }), &states), [true; 4]);
        let resolver = json!([
            { "when": { "state": ["output-available"] }, "open": false },
            { "when": { "section": "input" }, "open": false },
            { "when": { "toolNamePrefix": "t", "section": null, "state": ["input-available"] }, "open": true },
        ]);
        assert_eq!(open(json!({ "t": resolver }), &states), [true, true, true, false]);
    }

    #[test]
    fn refuses_what_is_no_owner_state() {
        let item = |value| parse(&[Item::Value(value)], &Map::new()).remove(0);
        assert_eq!(item(json!(1)), json!({ "type": "violation", "rule": "D1" }));
        let owner = json!({ "toolCallId": "1", "toolName": "t", "state": "output-error", "section": "other" });
        assert_eq!(item(owner), json!({ "type": "violation", "rule": "D1", "call": "1" }));
    }
}
