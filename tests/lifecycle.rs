//! The references of the lifecycle dialects follow the tables of their rules through every word of inputs up to a length.

use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write as _;

use anysplit::dialect::reducer::{Listed, Reducer};
use anysplit::dialect::{AiSdkParts, ChatChunks, Dialect, Options, ToolStages};
use anysplit::event::Event;
use anysplit::machine::{Machine, Recorder};
use anysplit::spec;
use serde_json::{Value, json};

fn file(path: &str) -> Value {
    let (_, content) = spec::FILES.iter().find(|(file, _)| *file == path).expect("it is embedded");
    serde_json::from_str(content).expect("it is JSON")
}

/// A column of a table, and an item for a call of this id.
type Column = (&'static str, fn(&str) -> Value);

/// One dialect's table of moves, and an item for each of its columns.
struct Table {
    dialect: Dialect,
    /// The columns of the table in the rules; some have two items, which lead to different rows.
    inputs: Vec<Column>,
    /// The row that follows, where the table names only the state.
    row: fn(&str, &Value) -> String,
    first_row: &'static str,
    before: Vec<Value>,
}

impl Table {
    /// What the rules say of a row and a column: the next row, or the rule that refuses.
    fn cell(&self, row: &str, column: &str, item: &Value) -> Result<String, String> {
        let document = spec::document(self.dialect);
        let rows: Vec<Vec<&str>> = document
            .split("## The moves")
            .nth(1)
            .and_then(|rest| rest.split("## ").next())
            .unwrap_or_default()
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
            .collect();
        let at = rows[0].iter().position(|cell| *cell == column).expect("the column is in the table");
        let cells = rows.iter().find(|cells| cells[0] == row).expect("the row is in the table");
        match cells[at] {
            "·" => Ok(row.to_owned()),
            rule if rule.starts_with(|char: char| char.is_ascii_uppercase()) => Err(rule.to_owned()),
            next => Ok((self.row)(next, item)),
        }
    }
}

fn two_halves(next: &str, item: &Value) -> String {
    match next {
        "approval-responded" if item["approved"] == true => "approval-responded (approved)".to_owned(),
        "approval-responded" => "approval-responded (denied)".to_owned(),
        "output-available" if item["preliminary"] == true => "output-available (preliminary)".to_owned(),
        next => next.to_owned(),
    }
}

fn chat_chunks() -> Table {
    Table {
        dialect: Dialect::ChatChunks,
        inputs: vec![
            ("start", |id| json!({"type": "tool-input-start", "toolCallId": id, "toolName": "t"})),
            ("delta", |id| json!({"type": "tool-input-delta", "toolCallId": id, "inputTextDelta": ""})),
            ("available", |id| json!({"type": "tool-input-available", "toolCallId": id, "toolName": "t", "input": 1})),
            ("input-error", |id| json!({"type": "tool-input-error", "toolCallId": id, "errorText": "e"})),
            ("request", |id| json!({"type": "tool-approval-request", "toolCallId": id, "toolName": "t", "input": 1})),
            ("answer", |id| json!({"action": "approve", "id": id, "approved": true})),
            ("answer", |id| json!({"action": "approve", "id": id, "approved": false})),
            ("output", |id| json!({"type": "tool-output-available", "toolCallId": id, "output": 1})),
            (
                "output",
                |id| json!({"type": "tool-output-available", "toolCallId": id, "output": 1, "preliminary": true}),
            ),
            ("output-error", |id| json!({"type": "tool-output-error", "toolCallId": id, "errorText": "e"})),
            ("denied", |id| json!({"type": "tool-output-denied", "toolCallId": id})),
        ],
        row: two_halves,
        first_row: "absent",
        before: vec![json!({"type": "start"})],
    }
}

fn ai_sdk_parts() -> Table {
    Table {
        dialect: Dialect::AiSdkParts,
        inputs: vec![
            ("start", |id| json!({"type": "tool-input-start", "id": id, "toolName": "t"})),
            ("delta", |id| json!({"type": "tool-input-delta", "id": id, "delta": ""})),
            ("end", |id| json!({"type": "tool-input-end", "id": id})),
            ("tool-call", |id| json!({"type": "tool-call", "toolCallId": id, "toolName": "t", "input": 1})),
            ("result", |id| json!({"type": "tool-result", "toolCallId": id, "toolName": "t", "output": 1})),
            (
                "result",
                |id| json!({"type": "tool-result", "toolCallId": id, "toolName": "t", "output": 1, "preliminary": true}),
            ),
            ("error", |id| json!({"type": "tool-error", "toolCallId": id, "toolName": "t", "error": "e"})),
            (
                "request",
                |id| json!({"type": "tool-approval-request", "approvalId": "p", "toolCall": {"toolCallId": id}}),
            ),
            (
                "response",
                |id| json!({"type": "tool-approval-response", "approvalId": "p", "toolCall": {"toolCallId": id}, "approved": true}),
            ),
            (
                "response",
                |id| json!({"type": "tool-approval-response", "approvalId": "p", "toolCall": {"toolCallId": id}, "approved": false}),
            ),
            ("denied", |id| json!({"type": "tool-output-denied", "toolCallId": id, "toolName": "t"})),
        ],
        row: two_halves,
        first_row: "absent",
        before: Vec::new(),
    }
}

fn tool_stages() -> Table {
    Table {
        dialect: Dialect::ToolStages,
        inputs: vec![
            ("start", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "start"})),
            ("streaming", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "streaming"})),
            ("running", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "running"})),
            ("end", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "end"})),
            ("end", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "end", "error": "e"})),
        ],
        row: |next, _| next.to_owned(),
        first_row: "absent",
        before: Vec::new(),
    }
}

/// All words up to this length.
const LENGTH: usize = 6;

/// Goes through all words over the inputs of `calls` calls. Words that lead to the same machine in the same rows are counted
/// together, and calls are numbered in the order in which they first come, so that no word is tried under two names.
fn enumerate<R>(table: &Table, calls: usize) -> u128
where
    R: Reducer + Clone + Eq + Hash,
{
    let mut machine: Listed<R> = Listed::new(&Options::default()).expect("no settings");
    let mut ignored = Recorder::new(Listed::<R>::TEXT);
    machine.feed(&table.before, &mut ignored);
    let rows = vec![table.first_row.to_owned(); calls];
    let mut layer: HashMap<(Listed<R>, Vec<String>, usize), u128> = HashMap::from([((machine, rows, 0), 1)]);
    let mut cells: HashMap<(String, usize), Result<String, String>> = HashMap::new();
    let mut words = 0;
    for _ in 0..LENGTH {
        let mut next = HashMap::new();
        for ((machine, rows, named), count) in &layer {
            for call in 0..calls.min(named + 1) {
                for (number, (column, item)) in table.inputs.iter().enumerate() {
                    let id = format!("c{call}");
                    let item = item(&id);
                    let cell = cells
                        .entry((rows[call].clone(), number))
                        .or_insert_with(|| table.cell(&rows[call], column, &item))
                        .clone();
                    let (mut machine, mut rows) = (machine.clone(), rows.clone());
                    let mut recorder = Recorder::new(Listed::<R>::TEXT);
                    machine.feed(std::slice::from_ref(&item), &mut recorder);
                    let events = recorder.take();
                    let violations: Vec<&Event> = events.iter().filter(|event| event.is_violation()).collect();
                    match &cell {
                        Ok(row) => {
                            assert_eq!(violations, Vec::<&Event>::new(), "{item} in {rows:?}");
                            rows[call].clone_from(row);
                        }
                        Err(rule) => assert_eq!(events, [Event::violation(rule, Some(&id))], "{item} in {rows:?}"),
                    }
                    machine.clone().finish(&mut Recorder::new(Listed::<R>::TEXT));
                    words += count;
                    *next.entry((machine, rows, (*named).max(call + 1))).or_insert(0) += count;
                }
            }
        }
        layer = next;
    }
    words
}

fn enumerated<R: Reducer + Clone + Eq + Hash>(table: &Table) {
    for calls in [1, 2] {
        let words = enumerate::<R>(table, calls);
        // Not by `println!`, which is only shown of tests that fail: how many they are is part of the result.
        let line =
            format!("{}: {words} words up to length {LENGTH} over {calls} calls follow the table\n", table.dialect);
        std::io::stdout().write_all(line.as_bytes()).expect("a standard output");
        let inputs = table.inputs.len() as u128;
        assert!(words >= inputs.pow(LENGTH as u32), "{words}");
    }
}

#[test]
fn every_word_of_chat_chunks_follows_its_table() {
    enumerated::<ChatChunks>(&chat_chunks());
}

#[test]
fn every_word_of_ai_sdk_parts_follows_its_table() {
    enumerated::<AiSdkParts>(&ai_sdk_parts());
}

#[test]
fn every_word_of_tool_stages_follows_its_table() {
    enumerated::<ToolStages>(&tool_stages());
}

#[test]
fn the_schemas_of_the_six_tools_are_what_the_reference_checks() {
    let fields =
        ["path", "content", "filePath", "searchReplaceBlock", "name", "version", "isDev", "includeLineNumbers"];
    let values =
        [json!("a"), json!(["a", "b"]), json!(["a", 1]), json!([]), json!(true), json!(null), json!(1), json!({})];
    for tool in ["read_file", "write_file", "edit_file", "delete_file", "add_package", "remove_package"] {
        let schema = file(&format!("ai-sdk-parts/tools/{tool}.schema.json"));
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let mut inputs = values.to_vec();
        for first in fields {
            for second in fields {
                for a in &values {
                    inputs.extend(values.iter().map(|b| json!({first: a, second: b, "extra": 1})));
                }
            }
        }
        let mut accepted = 0;
        for input in &inputs {
            let ours = anysplit::dialect::matches_schema(tool, input);
            assert_eq!(ours, validator.is_valid(input), "{tool}: {input}");
            accepted += usize::from(ours);
        }
        assert!(accepted > 0, "no input for {tool} is right");
    }
}
