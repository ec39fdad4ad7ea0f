//! The references of the lifecycle dialects follow the tables of their rules through every word of inputs up to a length.

#[path = "spec/tables.rs"]
mod tables;

use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write as _;

use anysplit::dialect::reducer::{Listed, Reducer};
use anysplit::dialect::{AiSdkParts, ChatChunks, Options, ToolStages};
use anysplit::event::Event;
use anysplit::machine::{Machine, Recorder};
use anysplit::spec;
use serde_json::{Value, json};

use self::tables::Table;

fn file(path: &str) -> Value {
    serde_json::from_str(spec::file(path).expect("it is embedded")).expect("it is JSON")
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
    enumerated::<ChatChunks>(&tables::chat_chunks());
}

#[test]
fn every_word_of_ai_sdk_parts_follows_its_table() {
    enumerated::<AiSdkParts>(&tables::ai_sdk_parts());
}

#[test]
fn every_word_of_tool_stages_follows_its_table() {
    enumerated::<ToolStages>(&tables::tool_stages());
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
