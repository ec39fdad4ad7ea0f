//! The reference and the naive whole-input parser must agree: on every case, on every prefix of every case, and on random
//! inputs that are dense in fragments of markers.

use anysplit::dialect::{Dialect, Options};
use anysplit::event::Event;
use anysplit::input::Chunk;
use anysplit::naive;
use anysplit::random::Random;
use anysplit::spec;
use anysplit::target::{Reference, Setting, Target};
use anysplit::variation::Atoms;
use serde_json::json;

const RANDOM_INPUTS: u64 = 20_000;

fn reference(dialect: Dialect, chunks: &[Chunk<'_>], options: &Options) -> Vec<Event> {
    let run = Reference.run(Setting { dialect, options }, chunks);
    run.unwrap_or_else(|fault| panic!("{fault} on {chunks:?}")).events(dialect.form())
}

fn agree(dialect: Dialect, input: Chunk<'_>, options: &Options) {
    let streamed = reference(dialect, &[input], options);
    let naive = naive::parse(dialect, input, options);
    assert_eq!(streamed, naive, "{dialect} on {input:?} with {options:?}");
}

#[test]
fn on_every_case_and_every_prefix_of_it() {
    for case in spec::cases().expect("the embedded cases load") {
        let input = case.whole();
        assert_eq!(naive::parse(case.dialect, input.as_chunk(), &case.options), case.events, "{}", case.id);
        let atoms = Atoms::of(input.as_chunk());
        for length in 0..=atoms.len() {
            agree(case.dialect, atoms.slice(0, length), &case.options);
        }
    }
}

#[test]
fn on_random_inline_tag_inputs() {
    let calls: &[&[&str]] = &[
        &["<tool_call", " ", "name=\"", "a", "\"", ">", "</tool_call>"],
        &["<tool_call", "\n", "args=", "{", "}", " ", "name=\"", "b", "\"", " ", ">", "\r\n", "</", "tool_call", ">"],
        &[
            "<tool_call",
            " ",
            "name=\"a\"",
            "\t",
            "args=",
            "{",
            "\"k\"",
            ":",
            "\"",
            "v",
            "\\",
            "\"",
            "}",
            "\"",
            "}",
            ">",
            "</tool_call>",
        ],
        &[
            "<tool_call",
            " ",
            "name=\"a\" args={",
            "\"k\":[",
            "1",
            ",",
            "-0.5e",
            "3",
            ",",
            "true",
            ",",
            "null",
            "]",
            "}>",
            "</tool_call>",
        ],
        &["<tool_call", " name=\"é\" args={\"", "😀", "\":\"", "\\ud83d", "\\ude00", "\\u", "00e9", "\"}></tool_call>"],
    ];
    let noise = [
        "<tool_call",
        "<tool_call ",
        "</tool_call>",
        "</tool_",
        "<",
        "<<",
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
        "1",
        "1e400",
        "-",
        ".",
        "tru",
        "null",
        ">",
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
        " args={}",
        "'",
        "\u{1}",
    ];
    random(Dialect::InlineTag, calls, &noise, &[json!({}), json!({"limit": 40})]);
}

#[test]
fn on_random_markdown_fence_inputs() {
    let calls: &[&[&str]] = &[
        &["\n", "```", "tool", "\n", "{", "}", "\n", "```", "\n"],
        &["\n", "~~~", " ", "tool", "\t", "\r\n", "{", "\"toolName\"", ":", "\"a\"", "}", "\r\n", "~~~", "~", "\r\n"],
        &[
            "\r",
            "  ",
            "````",
            "tool",
            "\r",
            " ",
            "{",
            "\"toolCallId\":",
            "\"tool-call-",
            "2",
            "\"",
            "}",
            " ",
            "\r",
            " ",
            "````",
            " ",
            "\r",
        ],
        &["\n```tool\n", "{", "\"output\":", "[1,", "\"```\"", "]", "}", "\n```", "\n"],
        &["\n```tool\n{", "\"state\":\"output-error\"", ",", "\"input\"", ":", "null", "}\n```\n"],
        &["\n```", "json", "\n", "```tool", "\n{}\n", "```", "\n"],
    ];
    let noise = [
        "```tool\n",
        "```",
        "````",
        "`",
        "``",
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
        "{",
        "}",
        "\"",
        "\\",
        "[",
        "]",
        ",",
        "1",
        "x",
        "é",
        "> ",
        "- ",
        "<!--",
        "\u{feff}",
        "\\ud83d",
        "\\ude00",
    ];
    random(Dialect::MarkdownFence, calls, &noise, &[json!({}), json!({"limit": 40})]);
}

#[test]
fn on_random_tool_session_inputs() {
    let calls: &[&[&str]] = &[
        &["<tool_call name=\"", "a", "\">", "</tool_call>"],
        &["<tool_call ", "name=\"", "b", "\" ", "args={\"k\":", "1", "}", ">", "</tool_call>"],
        &["<tool_call name=\"", "constructor", "\"></tool_call>"],
    ];
    let noise = ["a", "b", "c", "\"", "<", ">", "{", "}", " ", "\n", "é"];
    let tools = json!({
        "a": {"id": "m::a", "result": {"x": [1, "é"]}, "delay": 1500},
        "b": {"id": "m::b", "error": "boom", "delay": 7},
    });
    let options = [
        json!({"tools": tools, "start": "2024-02-28T23:59:59.990Z"}),
        json!({"tools": tools, "frames": true}),
        json!({"tools": tools, "limit": 30, "correlationId": "c", "messageId": "m"}),
    ];
    random(Dialect::ToolSession, calls, &noise, &options);
}

/// Calls with a few pieces lost, doubled or replaced, and noise between them.
fn input(calls: &[&[&str]], noise: &[&str], random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        for _ in 0..random.below(3) {
            text += noise[random.below(noise.len())];
        }
        let call = calls[random.below(calls.len())];
        let wildness = [0, 6, 24][random.below(3)];
        for piece in call {
            match random.below(48) {
                lot if lot >= wildness => text += piece,
                lot if lot % 3 == 0 => text += noise[random.below(noise.len())],
                lot if lot % 3 == 1 => text.extend([*piece, *piece]),
                _ => {}
            }
        }
    }
    text
}

/// Whole and cut at random, so that the naive parser judges the streaming as well.
fn random(dialect: Dialect, calls: &[&[&str]], noise: &[&str], options: &[serde_json::Value]) {
    let options: Vec<Options> =
        options.iter().map(|options| Options(options.as_object().cloned().unwrap_or_default())).collect();
    let mut telling = 0;
    for seed in 0..RANDOM_INPUTS {
        let mut random = Random::new(seed);
        let options = &options[random.below(options.len())];
        let text = input(calls, noise, &mut random);
        let naive = naive::parse(dialect, text.as_str(), options);
        telling += u64::from(naive.iter().any(|event| dialect.step(event).is_some()));
        assert_eq!(
            reference(dialect, &[text.as_str().into()], options),
            naive,
            "{dialect}, seed {seed}: {text:?} with {options:?}"
        );
        let chunks = cut(&text, &mut random);
        assert_eq!(reference(dialect, &chunks, options), naive, "{dialect}, seed {seed}: {chunks:?} with {options:?}");
    }
    let share = telling as f64 / RANDOM_INPUTS as f64;
    assert!((0.2..0.9).contains(&share), "{share} of the inputs hold a call: too few or too many to be telling");
}

fn cut<'a>(text: &'a str, random: &mut Random) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let at = rest.char_indices().nth(1 + random.below(5)).map_or(rest.len(), |(at, _)| at);
        let (chunk, after) = rest.split_at(at);
        chunks.push(chunk.into());
        rest = after;
    }
    chunks
}
