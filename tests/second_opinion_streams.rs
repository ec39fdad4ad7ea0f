//! The reference and the second opinion on random streams: items with fields that are missing, changed or of another type, for
//! several calls at once, and bytes that are dense in what transports trip over. Whole, and cut at random.

use anysplit::dialect::{Dialect, Options};
use anysplit::event::Event;
use anysplit::input::Chunk;
use anysplit::naive;
use anysplit::random::Random;
use anysplit::target::{Reference, Setting, Target};
use anysplit::variation::{Atoms, Cuts};
use serde_json::{Value, json};

const INPUTS: u64 = 20_000;

fn reference(dialect: Dialect, chunks: &[Chunk<'_>], options: &Options) -> Vec<Event> {
    let run = Reference.run(Setting { dialect, options }, chunks);
    run.unwrap_or_else(|fault| panic!("{fault} on {chunks:?}")).events(dialect.form())
}

/// Whole and cut, the reference must give what the second opinion gives; returns what that is.
fn agree(dialect: Dialect, input: Chunk<'_>, options: &Options, random: &mut Random) -> Vec<Event> {
    let naive = naive::parse(dialect, input, options);
    let shown = || format!("{dialect} with {options:?} on {input:?} {:?}", text(input));
    assert_eq!(reference(dialect, &[input], options), naive, "{}", shown());
    let atoms = Atoms::of(input);
    let cuts = Cuts((1..atoms.len()).filter(|_| random.below(4) == 0).collect());
    assert_eq!(reference(dialect, &atoms.chunks(&cuts), options), naive, "{} cut at {cuts:?}", shown());
    naive
}

fn text(input: Chunk<'_>) -> String {
    if let Chunk::Bytes(bytes) = input { String::from_utf8_lossy(bytes).into_owned() } else { String::new() }
}

fn options(value: Value) -> Options {
    Options(value.as_object().cloned().unwrap_or_default())
}

/// A list of items, mostly whole, with the ids of a few calls.
fn items(templates: &[Value], random: &mut Random) -> Vec<Value> {
    let count = 1 + random.below(12);
    (0..count).map(|_| mutated(templates[random.below(templates.len())].clone(), random)).collect()
}

const IDS: [&str; 4] = ["a", "b", "__proto__", ""];

fn mutated(mut item: Value, random: &mut Random) -> Value {
    let odd = [json!(null), json!(true), json!(1), json!(1.0), json!(""), json!("x"), json!([]), json!({"k": [1]})];
    let id = IDS[[0, 0, 0, 0, 1, 1, 1, 2, 2, 3][random.below(10)]];
    let Some(fields) = item.as_object_mut() else { return item };
    for name in ["toolCallId", "id"] {
        if fields.contains_key(name) {
            fields.insert(name.to_owned(), id.into());
        }
    }
    if let Some(call) = fields.get_mut("toolCall") {
        call["toolCallId"] = id.into();
    }
    if random.below(6) == 0 {
        let names: Vec<String> = fields.keys().cloned().collect();
        let name = &names[random.below(names.len())];
        if random.below(3) == 0 {
            fields.remove(name);
        } else {
            fields.insert(name.clone(), odd[random.below(odd.len())].clone());
        }
    }
    item
}

fn streams(dialect: Dialect, templates: &[Value], settings: &[Value]) {
    let mut violations = 0;
    for seed in 0..INPUTS {
        let mut random = Random::new(seed);
        let items = items(templates, &mut random);
        let setting = &settings[random.below(settings.len())];
        let events = match setting.get("transport").and_then(Value::as_str) {
            None => agree(dialect, Chunk::Objects(&items), &options(setting.clone()), &mut random),
            Some(transport) => {
                let bytes = transported(&items, transport, &mut random);
                agree(dialect, Chunk::Bytes(&bytes), &options(setting.clone()), &mut random)
            }
        };
        violations += usize::from(events.iter().any(Event::is_violation));
        let telling = events.iter().any(|event| !event.is_violation());
        assert!(telling || seed > 50 || !events.is_empty() || dialect != Dialect::ChatChunks);
    }
    assert!(violations > 1_000, "only {violations} of {INPUTS} streams break a rule");
}

fn transported(items: &[Value], transport: &str, random: &mut Random) -> Vec<u8> {
    let noise: [&[u8]; 8] =
        [b": ping\n\n", b"\n", b"\r\n", b"data: [DONE]\n\n", b"{\"type\":\n", b"\xff\n", b"data:\n\n", b"[1]\n"];
    let mut bytes = Vec::new();
    for item in items {
        if random.below(5) == 0 {
            bytes.extend_from_slice(noise[random.below(noise.len())]);
        }
        let end = ["\n", "\r\n", "\n"][random.below(3)];
        bytes.extend(match transport {
            "sse" => format!("data: {item}{end}{end}").into_bytes(),
            _ => format!("{item}{end}").into_bytes(),
        });
    }
    bytes.truncate(bytes.len() - if random.below(4) == 0 { random.below(6).min(bytes.len()) } else { 0 });
    bytes
}

#[test]
fn on_random_chat_chunks() {
    let templates = [
        json!({"type": "start"}),
        json!({"type": "start"}),
        json!({"type": "tool-input-start", "toolCallId": "", "toolName": "t"}),
        json!({"type": "tool-input-start", "toolCallId": "", "toolName": "t", "dynamic": true}),
        json!({"type": "tool-input-delta", "toolCallId": "", "inputTextDelta": "1"}),
        json!({"type": "tool-input-delta", "toolCallId": "", "inputTextDelta": ".0"}),
        json!({"type": "tool-input-available", "toolCallId": "", "toolName": "t", "input": 1}),
        json!({"type": "tool-input-available", "toolCallId": "", "toolName": "t", "input": 1, "dynamic": true}),
        json!({"type": "tool-input-error", "toolCallId": "", "errorText": "e"}),
        json!({"type": "tool-approval-request", "toolCallId": "", "toolName": "t", "input": 1}),
        json!({"type": "tool-approval-request", "toolCallId": "", "toolName": "t", "input": 1, "approvalId": "p"}),
        json!({"action": "approve", "id": "", "approved": true}),
        json!({"action": "approve", "id": "", "approved": false, "reason": "r"}),
        json!({"type": "tool-output-available", "toolCallId": "", "output": 1}),
        json!({"type": "tool-output-available", "toolCallId": "", "output": null, "preliminary": true}),
        json!({"type": "tool-output-error", "toolCallId": "", "errorText": "e"}),
        json!({"type": "tool-output-denied", "toolCallId": "", "reason": "s"}),
        json!({"type": "finish"}),
        json!({"type": "abort"}),
        json!({"type": "text-delta", "id": "x", "delta": "d"}),
    ];
    let settings =
        [json!({}), json!({"limit": 2}), json!({"transport": "sse"}), json!({"transport": "ndjson", "limit": 80})];
    streams(Dialect::ChatChunks, &templates, &settings);
}

#[test]
fn on_random_ai_sdk_parts() {
    let templates = [
        json!({"type": "tool-input-start", "id": "", "toolName": "add_package", "dynamic": true}),
        json!({"type": "tool-input-delta", "id": "", "delta": "{\"name\":"}),
        json!({"type": "tool-input-delta", "id": "", "delta": "\"x\"}"}),
        json!({"type": "tool-input-end", "id": ""}),
        json!({"type": "tool-call", "toolCallId": "", "toolName": "add_package", "input": {"name": "x"}}),
        json!({"type": "tool-call", "toolCallId": "", "toolName": "t", "input": 1, "args": 1, "dynamic": false}),
        json!({"type": "tool-result", "toolCallId": "", "toolName": "add_package", "output": 1}),
        json!({"type": "tool-result", "toolCallId": "", "toolName": "t", "input": 1, "output": 2, "preliminary": true}),
        json!({"type": "tool-error", "toolCallId": "", "toolName": "t", "error": {"message": "m"}}),
        json!({"type": "tool-error", "toolCallId": "", "toolName": "t", "error": {"b": 1, "a": [null]}}),
        json!({"type": "tool-approval-request", "approvalId": "p", "toolCall": {"toolCallId": ""}}),
        json!({"type": "tool-approval-response", "approvalId": "p", "toolCall": {"toolCallId": ""}, "approved": true}),
        json!({"type": "tool-approval-response", "approvalId": "p", "toolCall": {"toolCallId": ""}, "approved": false, "reason": "r"}),
        json!({"type": "tool-output-denied", "toolCallId": "", "toolName": "t"}),
        json!({"type": "abort"}),
        json!({"type": "finish"}),
    ];
    let settings = [json!({}), json!({"limit": 9}), json!({"transport": "sse"}), json!({"transport": "ndjson"})];
    streams(Dialect::AiSdkParts, &templates, &settings);
}

#[test]
fn on_random_tool_stages() {
    let mut templates = Vec::new();
    for stage in ["start", "streaming", "running", "end"] {
        templates.push(json!({"id": "", "name": "t", "parameters": "", "stage": stage}));
        templates
            .push(json!({"id": "", "name": "u", "parameters": "{}", "stage": stage, "result": "r", "type": "tool"}));
        templates.push(
            json!({"id": "", "name": "t", "parameters": "ab", "stage": stage, "parametersChunk": "a", "images": []}),
        );
        templates.push(
            json!({"id": "", "name": "t", "parameters": "", "stage": stage, "error": {"e": 1}, "isRunning": false}),
        );
    }
    let settings = [json!({}), json!({"limit": 1}), json!({"transport": "sse"}), json!({"transport": "ndjson"})];
    streams(Dialect::ToolStages, &templates, &settings);
}

/// Bytes made of these pieces.
fn bytes(pieces: &[&[u8]], random: &mut Random) -> Vec<u8> {
    (0..1 + random.below(14)).flat_map(|_| pieces[random.below(pieces.len())].to_vec()).collect()
}

fn transports(dialect: Dialect, pieces: &[&[u8]], limit: u64) {
    let mut telling = 0;
    for seed in 0..INPUTS {
        let mut random = Random::new(seed);
        let setting = if random.below(3) == 0 { json!({"limit": limit}) } else { json!({}) };
        let input = bytes(pieces, &mut random);
        telling += usize::from(!agree(dialect, Chunk::Bytes(&input), &options(setting), &mut random).is_empty());
    }
    assert!(telling as u64 > INPUTS / 5, "only {telling} of {INPUTS} inputs give anything");
}

#[test]
fn on_random_server_sent_events() {
    let pieces: [&[u8]; 24] = [
        b"data",
        b"data:",
        b"data: a",
        b"data:  b",
        b":",
        b": c",
        b"event: e",
        b"event",
        b"id: 1",
        b"id",
        b"id: \0",
        b"retry: 10",
        b"retry: 1x",
        b"\n",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\r\n\r\n",
        "\u{feff}".as_bytes(),
        b"\xff",
        b"\xe2\x82",
        "é".as_bytes(),
        b" ",
    ];
    transports(Dialect::Sse, &pieces, 9);
}

#[test]
fn on_random_lines_of_json() {
    let pieces: [&[u8]; 22] = [
        b"{",
        b"}",
        b"{}",
        b"[1]",
        b"\"a\"",
        b"1",
        b"1e400",
        b"true",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\t",
        b"\"\\ud800\"",
        "\u{feff}".as_bytes(),
        b"\xff",
        b"\xc3",
        "\"é\"".as_bytes(),
        b"\"\xff\"",
        b"{\"a\":1}\n",
        b",",
    ];
    transports(Dialect::Ndjson, &pieces, 3);
}
