//! `anysplit check`: captured and live streams, as a person or a script lints them.

#[cfg(target_os = "linux")]
mod memory;
mod support;
mod transports;
mod urls;
mod words;

use std::fs;

use serde_json::Value;

use crate::support::{capture, expect, expect_of, in_order, listed, records, sentence, violations};

// The captures that come with the project.

#[test]
fn a_good_capture_conforms_and_shows_what_was_seen() {
    let (out, err) = expect(0, &[&capture("weather.sse"), "--dialect", "chat-chunks"]);
    assert!(out.contains("\nconforms: 18 events (sse), 1 call"), "{out}");
    assert!(out.contains("input-streaming → input-available → output-available"), "{out}");
    assert!(!out.contains("violated"), "{out}");
    assert!(!out.contains('\x1b'), "no colours in a pipe");
    assert_eq!(err, "");
    for rule in ["C1", "C3", "C6", "C7", "C11", "C12", "C13", "C17", "C25", "C36"] {
        assert!(listed(&out, "held").contains(&rule), "{rule} held: {out}");
    }
    for rule in ["C14", "C15", "C16", "C18", "C19", "C21", "C26"] {
        assert!(listed(&out, "not observed").contains(&rule), "{rule} was not observed: {out}");
    }
}

#[test]
fn an_outcome_without_approval_is_found_with_its_place() {
    let (out, _) = expect(1, &[&capture("approval-bypassed.sse"), "--dialect", "chat-chunks"]);
    in_order(
        &out,
        &[
            "C12 must ",
            "approval-bypassed.sse:13 · event 7 · call \"call_rm9Qd\"\n",
            sentence("C12"),
            "came     tool-input-delta in state input-available\n",
            "allowed  tool-approval-request, tool-output-available, tool-output-error, tool-output-denied\n",
            "C21 must ",
            "approval-bypassed.sse:17 · event 9 · call \"call_rm9Qd\"\n",
            sentence("C21"),
            "came     tool-output-available in state approval-requested\n",
            "allowed  an approval answer, tool-output-denied\n",
            "input-streaming → input-available → approval-requested",
            "C12 (1×) C21 (1×)",
            "does not conform: 14 events (sse), 1 call, violations: must 2, should 0, may 0",
        ],
    );
}

#[test]
fn a_capture_that_was_cut_off_says_what_is_missing() {
    let [whole, cut] = ["weather.sse", "cut-off.sse"].map(|name| fs::read(capture(name)).expect("the capture"));
    assert!(whole.starts_with(&cut) && !cut.ends_with(b"\n"), "one is the beginning of the other");
    let (out, _) = expect(1, &[&capture("cut-off.sse"), "--dialect", "chat-chunks"]);
    in_order(
        &out,
        &[
            "C36 must ",
            "cut-off.sse:17 · event 9\n",
            sentence("C36"),
            "not ended by a blank line",
            "C7 must ",
            "cut-off.sse:17 · event 9 · call \"call_Zt5wX1\"\n",
            sentence("C7"),
            "tool-input-available",
            "C6 must ",
            sentence("C6"),
            "finish or abort",
            "does not conform: ",
        ],
    );
}

// Nothing to judge, and wrong usage.

#[test]
fn an_empty_stream_is_no_pass() {
    for nothing in ["", "\n\n \r\n\t\n", ": ping\n\n: ping\n\n", "data: [DONE]\n\n"] {
        let (out, _) = expect_of(4, nothing.as_bytes(), &["--dialect", "chat-chunks"]);
        assert!(out.contains("nothing was judged"), "{nothing:?}: {out}");
        assert!(!out.contains("conforms"), "{nothing:?}: {out}");
    }
}

#[test]
fn a_stream_of_another_dialect_is_no_pass() {
    let text = b"{\"type\":\"text-delta\",\"text\":\"tea\"}\n{\"type\":\"finish\"}\n";
    let weather = fs::read(capture("weather.sse")).expect("the capture");
    for (dialect, events, stream) in [("tool-stages", 18, &weather[..]), ("ai-sdk-parts", 2, text)] {
        let (out, _) = expect_of(4, stream, &["--dialect", dialect]);
        assert!(!out.contains("conforms"), "{out}");
        let told = format!("\nnothing was judged: no event is one that {dialect} has a rule for");
        in_order(&out, &[&told, "--dialect", &format!(": {events} events")]);
        let records = records(&expect_of(4, stream, &["--dialect", dialect, "--format", "json"]).0);
        assert_eq!(records[records.len() - 1]["judged"], false, "{records:?}");
    }
}

#[test]
fn one_item_of_the_dialect_is_enough_to_judge() {
    let table: [(i32, &str, &str); 6] = [
        // The text of a chat comes in a stream that is opened and closed.
        (0, "chat-chunks", r#"[{"type":"start"},{"type":"text-delta","id":"0","delta":"tea"},{"type":"finish"}]"#),
        (1, "chat-chunks", r#"[{"type":"text-delta","id":"0","delta":"tea"}]"#),
        (
            0,
            "ai-sdk-parts",
            r#"[{"type":"text-delta"},{"type":"tool-call","toolCallId":"1","toolName":"a","input":1}]"#,
        ),
        (1, "ai-sdk-parts", r#"[{"type":"text-delta"},{}]"#),
        (1, "tool-stages", r#"[{"type":"text-delta"},{"id":"1","stage":"start","name":"a","parameters":""}]"#),
        (0, "ndjson", "1\n"),
    ];
    for (code, dialect, stream) in table {
        let records = records(&expect_of(code, stream.as_bytes(), &["--dialect", dialect, "--format", "json"]).0);
        assert_eq!(records[records.len() - 1]["judged"], true, "{dialect}: {stream}");
    }
}

#[test]
fn wrong_usage_says_what_is_wrong() {
    let weather = capture("weather.sse");
    let folder = capture("");
    let table: [(&[&str], &str); 15] = [
        (&["there-is-no.such-file", "--dialect", "chat-chunks"], "there-is-no.such-file: cannot be read"),
        (&[&folder, "--dialect", "chat-chunks"], "cannot be read"),
        (&[&weather, "--dialect", "inline-tag"], "inline-tag is text"),
        (&[&weather, "--dialect", "chat-chunks", "--data", "{}"], "go with an http or https URL"),
        (&[&weather, "--dialect", "chat-chunks", "--header", "A: b"], "go with an http or https URL"),
        (&["http://127.0.0.1:9/", "--dialect", "chat-chunks", "--header", "nothing"], "expected `Name: value`"),
        (&["http://127.0.0.1:9/", "--dialect", "sse", "--header", ": b"], "is no name of a header"),
        (&["http://127.0.0.1:9/", "--dialect", "sse", "--header", "Acc ept: b"], "\"Acc ept\" is no name of a header"),
        (&["http://127.0.0.1:9/", "--dialect", "sse", "--header", "Naïve: b"], "is no name of a header"),
        (&["http://127.0.0.1:9/", "--dialect", "sse", "--header", "A: b\nC: d"], "is no value of a header"),
        (&[&weather, "--dialect", "sse", "--limit", "0"], "--limit"),
        (&[&weather, "--dialect", "sse", "--limit", "1MB"], "--limit"),
        (&[&weather, "--dialect", "sse", "--limit=-1"], "--limit"),
        (&[&weather, "--dialect", "no-such"], "unknown dialect \"no-such\""),
        (&[&weather], "--dialect"),
    ];
    for (arguments, message) in table {
        let (out, err) = expect(2, arguments);
        assert!(err.contains(message), "{arguments:?}: {err}");
        assert_eq!(out, "", "{arguments:?}");
    }
}

#[test]
fn a_dialect_of_text_is_told_which_dialects_are_streams() {
    for text in ["inline-tag", "markdown-fence", "tool-session"] {
        let (_, err) = expect(2, &[&capture("weather.sse"), "--dialect", text]);
        let (_, streams) = err.split_once("a stream is one of ").expect(&err);
        for stream in ["chat-chunks", "default-expanded", "ai-sdk-parts", "tool-stages", "sse", "ndjson"] {
            assert!(streams.contains(stream), "{stream}: {err}");
        }
        assert!(!streams.contains(text), "{err}");
    }
}

// For machines.

#[test]
fn the_json_report_is_what_its_schema_says() {
    let [good, bad, cut] = ["weather.sse", "approval-bypassed.sse", "cut-off.sse"]
        .map(|name| fs::read(capture(name)).expect("the capture"));
    let streams: [(i32, &str, &[u8]); 7] = [
        (0, "chat-chunks", &good),
        (1, "chat-chunks", &bad),
        (1, "chat-chunks", &cut),
        (4, "chat-chunks", b""),
        (0, "sse", &bad),
        (1, "ndjson", &bad),
        (1, "ai-sdk-parts", br#"[{"type":"tool-call","toolCallId":"1","toolName":"search","args":{}}]"#),
    ];
    for (code, dialect, stream) in streams {
        let (out, err) = expect_of(code, stream, &["--dialect", dialect, "--format", "json"]);
        assert_eq!(err, "");
        let records = records(&out);
        let (header, footer) = (&records[0], &records[records.len() - 1]);
        assert_eq!(header["type"], "header");
        assert_eq!(header["stream"], "-");
        assert_eq!(header["dialect"], dialect);
        assert_eq!(footer["type"], "footer");
        assert_eq!(footer["complete"], true);
        let found: Vec<&Value> = violations(&records).collect();
        assert_eq!(found.len(), records.len() - 2, "nothing else between them: {out}");
        let counts = &footer["violations"];
        let counted = ["must", "should", "may"].iter().filter_map(|&level| counts[level].as_u64()).sum::<u64>();
        assert_eq!(counted, found.len() as u64, "{out}");
        for violation in found {
            for field in ["line", "event", "rule", "level", "sentence", "came", "allowed"] {
                assert!(violation.get(field).is_some(), "{field} in {violation}");
            }
            let rule = violation["rule"].as_str().expect("a rule");
            assert_eq!(violation["sentence"], sentence(rule));
            let rules = footer["rules"].as_array().expect("the rules");
            let of_rule = rules.iter().find(|count| count["rule"] == rule).expect(rule);
            assert_eq!(of_rule["observed"], "violated", "{of_rule}");
        }
    }
}
