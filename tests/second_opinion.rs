//! The reference and the naive whole-input parser must agree: on every case, on every prefix of every case, and on random
//! inputs that are dense in fragments of markers.

use anysplit::dialect::{Dialect, Options};
use anysplit::event::Event;
use anysplit::naive;
use anysplit::random::Random;
use anysplit::spec;
use anysplit::target::{Reference, Setting, Target};
use anysplit::variation::Atoms;
use serde_json::json;

const RANDOM_INPUTS: u64 = 20_000;

fn reference(dialect: Dialect, chunks: &[&str], options: &Options) -> Vec<Event> {
    let run = Reference.run(Setting { dialect, options }, chunks);
    run.unwrap_or_else(|fault| panic!("{fault} on {chunks:?}")).events()
}

fn agree(dialect: Dialect, text: &str, options: &Options) {
    let streamed = reference(dialect, &[text], options);
    let naive = naive::parse(dialect, text, options);
    assert_eq!(streamed, naive, "{dialect} on {text:?} with {options:?}");
}

#[test]
fn on_every_case_and_every_prefix_of_it() {
    for case in spec::cases().expect("the embedded cases load") {
        let text = case.text();
        assert_eq!(naive::parse(case.dialect, &text, &case.options), case.events, "{}", case.id);
        let atoms = Atoms::of(&text);
        for length in 0..=atoms.len() {
            agree(case.dialect, atoms.slice(0, length), &case.options);
        }
    }
}

#[test]
fn on_random_inline_tag_inputs() {
    let fragments = [
        "<tool_call",
        "<tool_call ",
        "<tool_call name=\"a\"",
        " name=\"b\"",
        " args={",
        " args={}",
        "{\"k\":\"v\"}",
        "\"k\":",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\\"",
        "\\u",
        "\\ud83d",
        "\\ude00",
        "00e9",
        "1",
        "-0.5e",
        "1e400",
        "true",
        "null",
        ">",
        "></tool_call>",
        "</tool_call>",
        "</tool_",
        "<",
        "<<",
        "/",
        " ",
        "\t",
        "\r\n",
        "\n",
        "x",
        "é",
        "😀",
        "=",
        "name=",
        "args=",
        "'",
    ];
    random(Dialect::InlineTag, &fragments, &[json!({}), json!({"limit": 24})]);
}

#[test]
fn on_random_markdown_fence_inputs() {
    let fragments = [
        "```tool\n",
        "```tool",
        "```",
        "````",
        "`",
        "~~~tool\n",
        "~~~",
        "~",
        "   ",
        " ",
        "\t",
        "tool",
        "json",
        "\n",
        "\r\n",
        "\r",
        "{}",
        "{\"toolName\":\"a\"}",
        "{\"toolCallId\":\"tool-call-2\"}",
        "{\"output\":1}",
        "{\"state\":\"output-error\"}",
        "{",
        "}",
        "\"",
        "\\",
        "\"k\":",
        "[",
        "]",
        ",",
        "1",
        "x",
        "é",
        "> ",
        "- ",
        "\n```\n",
        "\n   ```",
        "<!--",
        "\u{feff}",
        "\\ud83d",
        "\\ude00",
    ];
    random(Dialect::MarkdownFence, &fragments, &[json!({}), json!({"limit": 24})]);
}

#[test]
fn on_random_tool_session_inputs() {
    let fragments = [
        "<tool_call name=\"a\"></tool_call>",
        "<tool_call name=\"b\" args={\"k\":1}></tool_call>",
        "<tool_call name=\"",
        "constructor",
        "a",
        "b",
        "c",
        "\"></tool_call>",
        "\" args={",
        "}></tool_call>",
        "\"k\":\"",
        "\"",
        "<",
        ">",
        " ",
        "\n",
        "é",
    ];
    let tools = json!({
        "a": {"id": "m::a", "result": {"x": [1, "é"]}, "delay": 1500},
        "b": {"id": "m::b", "error": "boom", "delay": 7},
    });
    let options = [
        json!({"tools": tools, "start": "2024-02-28T23:59:59.990Z"}),
        json!({"tools": tools, "frames": true}),
        json!({"tools": tools, "limit": 30, "correlationId": "c", "messageId": "m"}),
    ];
    random(Dialect::ToolSession, &fragments, &options);
}

/// Whole and cut at random, so that the naive parser judges the streaming as well.
fn random(dialect: Dialect, fragments: &[&str], options: &[serde_json::Value]) {
    let options: Vec<Options> = options
        .iter()
        .map(|options| Options(options.as_object().cloned().unwrap_or_default()))
        .collect();
    let mut telling = 0;
    for seed in 0..RANDOM_INPUTS {
        let mut random = Random::new(seed);
        let pieces: Vec<&str> =
            (0..1 + random.below(16)).map(|_| fragments[random.below(fragments.len())]).collect();
        let options = &options[random.below(options.len())];
        let text = pieces.concat();
        let naive = naive::parse(dialect, &text, options);
        telling += u64::from(naive.iter().any(|event| dialect.step(event).is_some()));
        assert_eq!(
            reference(dialect, &[&text], options),
            naive,
            "{dialect}, seed {seed}: {text:?} with {options:?}"
        );
        let mut chunks = Vec::new();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let at = rest.char_indices().nth(1 + random.below(5)).map_or(rest.len(), |(at, _)| at);
            let (chunk, after) = rest.split_at(at);
            chunks.push(chunk);
            rest = after;
        }
        assert_eq!(
            reference(dialect, &chunks, options),
            naive,
            "{dialect}, seed {seed}: {chunks:?} with {options:?}"
        );
    }
    assert!(
        telling > RANDOM_INPUTS / 50,
        "only {telling} inputs hold a call: the fragments are too wild"
    );
}
