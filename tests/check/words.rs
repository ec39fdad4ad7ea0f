//! What a finding says came, and was allowed; levels.

use crate::support::{expect_of, in_order, listed, sentence};

#[test]
fn args_in_place_of_input_is_found() {
    let stream = [
        r#"{"type":"start"}"#,
        r#"{"type":"tool-call","toolCallId":"1","toolName":"search","args":{"query":"tea"}}"#,
        r#"{"type":"finish"}"#,
    ]
    .join("\n");
    let (out, _) = expect_of(1, stream.as_bytes(), &["--dialect", "ai-sdk-parts"]);
    in_order(
        &out,
        &["A5 must stdin:2 · event 2 · call \"1\"\n", sentence("A5"), "args in place of input", "allowed  input\n"],
    );
}

#[test]
fn a_should_fails_only_a_strict_check() {
    let stream = [
        r#"{"type":"tool-input-start","id":"1","toolName":"search"}"#,
        r#"{"type":"tool-input-delta","id":"1","delta":"{\"query\":\"tea\"}"}"#,
        r#"{"type":"tool-input-end","id":"1"}"#,
        r#"{"type":"tool-call","toolCallId":"1","toolName":"search","input":{"query":"coffee"}}"#,
        r#"{"type":"tool-result","toolCallId":"1","toolName":"search","input":{"query":"coffee"},"output":[]}"#,
    ]
    .join("\n");
    let table: [(i32, &[&str]); 2] =
        [(0, &["--dialect", "ai-sdk-parts"]), (1, &["--dialect", "ai-sdk-parts", "--strict"])];
    for (code, arguments) in table {
        let (out, _) = expect_of(code, stream.as_bytes(), arguments);
        assert!(out.contains("A16 should stdin:4 · event 4 · call \"1\"\n"), "{out}");
        assert!(out.contains("violations: must 0, should 1, may 0"), "{out}");
    }
}

/// What was said of the one violation of this rule: what came, and what was allowed.
fn words<'a>(out: &'a str, rule: &str) -> [&'a str; 2] {
    let (_, after) = out.split_once(&format!("{rule} must ")).unwrap_or_else(|| panic!("{rule} in\n{out}"));
    ["  came     ", "  allowed  "].map(|word| after.lines().find_map(|line| line.strip_prefix(word)).expect(word))
}

#[test]
fn an_answer_with_another_id_is_told_from_the_one_that_is_awaited() {
    let request = |more: &str| {
        let request = r#"{"type":"tool-approval-request","toolCallId":"1","toolName":"rm","input":{}"#;
        format!("{{\"type\":\"start\"}}\n{request}{more}}}\n")
    };
    let asked = request(r#","approvalId":"ask-1""#);
    let answer = |id: &str| format!(r#"{{"action":"approve","id":{id:?},"approved":true}}"#);
    let table = [
        (asked.clone(), answer("1"), "an approval answer with the id \"1\"", "the id \"ask-1\""),
        (asked.clone(), answer("ask-2"), "an approval answer with the id \"ask-2\"", "the id \"ask-1\""),
        (request(""), answer("2"), "an approval answer with the id \"2\"", "the id \"1\""),
        ("".into(), answer("2"), "an approval answer with the id \"2\"", "none: no call waits for an answer"),
        (
            format!("{asked}{}\n", answer("ask-1")),
            answer("ask-1"),
            "an approval answer in state approved",
            "tool-output-available, tool-output-error",
        ),
    ];
    for (before, answer, came, allowed) in table {
        let (out, _) = expect_of(1, format!("{before}{answer}\n").as_bytes(), &["--dialect", "chat-chunks"]);
        assert_eq!(words(&out, "C16"), [came, allowed], "{out}");
    }
    let parts = [
        r#"{"type":"tool-call","toolCallId":"1","toolName":"rm","input":{}}"#,
        r#"{"type":"tool-approval-request","approvalId":"ask-1","toolCall":{"toolCallId":"1"}}"#,
        r#"{"type":"tool-approval-response","approvalId":"ask-2","toolCall":{"toolCallId":"1"},"approved":true}"#,
    ];
    let (out, _) = expect_of(1, parts.join("\n").as_bytes(), &["--dialect", "ai-sdk-parts"]);
    let came = "tool-approval-response with the approvalId \"ask-2\"";
    assert_eq!(words(&out, "A24"), [came, "the approvalId \"ask-1\""], "{out}");
}

#[test]
fn what_is_missing_at_the_end_is_what_would_be_allowed() {
    let start = r#"{"type":"tool-input-start","id":"1","toolName":"search"}"#;
    let end = r#"{"type":"tool-input-end","id":"1"}"#;
    let (out, _) = expect_of(1, start.as_bytes(), &["--dialect", "ai-sdk-parts"]);
    let came = "the end, before the tool-input-end";
    assert_eq!(words(&out, "A27"), [came, "tool-input-end, then tool-call"], "{out}");
    let (out, _) = expect_of(1, format!("{start}\n{end}").as_bytes(), &["--dialect", "ai-sdk-parts"]);
    assert_eq!(words(&out, "A27"), ["the end, before the tool-call", "tool-call"], "{out}");
}

#[test]
fn an_input_is_compared_with_the_first_one_though_that_is_not_kept() {
    let long = "so long ".repeat(100);
    let call = |kind: &str, input: &str| {
        format!(r#"{{"type":"{kind}","toolCallId":"1","toolName":"a","input":{input},"output":1,"approvalId":"2"}}"#)
    };
    let first = format!(r#"{{"a":[1,{{"b":"{long}","c":null,"d":true}}],"e":1e2}}"#);
    let same = format!(r#"{{ "e":100.0, "a":[1.0,{{"d":true,"c":null,"b":"{long}"}}]}}"#);
    let others = [
        same.replace("null", "false"),
        same.replace("100.0", "100.5"),
        same.replace("\"e\"", "\"f\""),
        same.replace("[1.0,{", "[{").replace("}]", "},1]"),
        same.replace("\"so long", "\"So long"),
        "\"\"".to_owned(),
    ];
    let kinds = [
        ("chat-chunks", "C26", ["tool-input-available", "tool-approval-request"]),
        ("ai-sdk-parts", "A17", ["tool-call", "tool-result"]),
    ];
    for (dialect, rule, [one, two]) in kinds {
        let stream = |input: &str| {
            let calls = format!("{}\n{}", call(one, &first), call(two, input));
            format!("{{\"type\":\"start\"}}\n{calls}\n{{\"type\":\"finish\"}}\n")
        };
        let (out, _) = expect_of(0, stream(&same).as_bytes(), &["--dialect", dialect, "--strict"]);
        assert!(listed(&out, "held").contains(&rule), "{out}");
        for other in &others {
            let (out, _) = expect_of(1, stream(other).as_bytes(), &["--dialect", dialect, "--strict"]);
            in_order(
                &out,
                &[&format!("{rule} "), "came     the input ", "allowed  the input {\"a\":[1,{\"b\":\"so long so"],
            );
        }
    }
}
