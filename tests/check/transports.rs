//! How a stream is transported: what is found out, what changes nothing, and what is none.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::{capture, check, chunks_of, expect, expect_of, in_order, listed, records, violations};

#[test]
fn the_transport_is_found_out_and_changes_no_finding() {
    for (name, code) in [("weather.sse", 0), ("approval-bypassed.sse", 1)] {
        let sse = fs::read_to_string(capture(name)).expect("the capture");
        let chunks = chunks_of(&sse);
        let forms = [
            ("sse", sse.clone()),
            ("sse", sse.replace('\n', "\r\n")),
            ("sse", format!("\n\n: a comment\n\n{sse}")),
            ("ndjson", chunks.join("\n")),
            ("ndjson", format!("\u{feff}{}\r\n", chunks.join("\r\n\r\n"))),
            ("array", format!("[{}]", chunks.join(","))),
            ("array", format!("\n[\n  {}\n]\n", chunks.join(",\n  "))),
        ];
        let mut before: Option<Vec<Value>> = None;
        for (transport, form) in forms {
            let dialect = ["--dialect", "chat-chunks", "--format", "json"];
            for arguments in [dialect.to_vec(), [&dialect[..], &["--transport", transport][..]].concat()] {
                let records = records(&expect_of(code, form.as_bytes(), &arguments).0);
                let footer = records.last().expect("a footer");
                assert_eq!(footer["framing"], transport, "{form}");
                assert_eq!(footer["items"], chunks.len(), "{form}");
                // All but the line, which is another in each form.
                let findings: Vec<Value> = violations(&records)
                    .map(|record| {
                        ["rule", "event", "call", "came", "allowed"]
                            .iter()
                            .map(|&name| record[name].clone())
                            .collect::<Value>()
                    })
                    .collect();
                assert_eq!(findings.len(), if code == 0 { 0 } else { 2 }, "{form}");
                assert_eq!(*before.get_or_insert_with(|| findings.clone()), findings, "{form}");
            }
        }
    }
}

#[test]
fn the_lines_of_findings_are_those_of_the_stream() {
    let sse = fs::read_to_string(capture("approval-bypassed.sse")).expect("the capture");
    let chunks = chunks_of(&sse);
    let on_two_lines: Vec<String> = chunks.iter().map(|chunk| chunk.replacen('{', "{\n", 1)).collect();
    let forms: [(String, [u64; 2]); 10] = [
        (sse.clone(), [13, 17]),
        (sse.replace('\n', "\r\n"), [13, 17]),
        (sse.replace('\n', "\r"), [13, 17]),
        (format!("\n \n\n{sse}"), [16, 20]),
        (format!("[{}]", chunks.join(",")), [1, 1]),
        (format!("[{}]", on_two_lines.join(",")), [7, 9]),
        (format!("[\n{}\n]\n", on_two_lines.join(",\n")), [14, 18]),
        (format!(": a comment\n\n{sse}"), [15, 19]),
        (chunks.join("\n"), [7, 9]),
        (chunks.join("\n\n"), [13, 17]),
    ];
    for (form, lines) in forms {
        let (out, _) = expect_of(1, form.as_bytes(), &["--dialect", "chat-chunks", "--format", "json"]);
        let records = records(&out);
        let found: Vec<u64> = violations(&records).filter_map(|record| record["line"].as_u64()).collect();
        assert_eq!(found, lines, "{form}");
    }
}

#[test]
fn the_wrong_transport_is_a_finding_and_no_crash() {
    let (out, _) = expect(1, &[&capture("weather.sse"), "--dialect", "chat-chunks", "--transport", "ndjson"]);
    assert!(out.contains("C36 must") && out.contains("this is not JSON"), "{out}");
    assert!(out.contains("C36 (19×)"), "18 chunks and the last word: {out}");
}

#[test]
fn garbage_is_a_finding_and_no_crash() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for prefix in ["", "{", "[", "data: ", "\u{feff}", "\0"] {
        for length in [1, 100, 20_000] {
            let mut garbage = prefix.as_bytes().to_vec();
            garbage.extend((0..length).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            }));
            for end in [&b" \xff\xfe"[..], b"~\n", b"~\n\n"] {
                let garbage = [&garbage[..], end].concat();
                let (out, _) = expect_of(1, &garbage, &["--dialect", "chat-chunks"]);
                assert!(out.contains("C36 must stdin:"), "{prefix:?} and {length} bytes");
                assert!(!out.contains(|char: char| char.is_control() && char != '\n'), "{prefix:?} and {length} bytes");
            }
        }
    }
}

#[test]
fn what_is_no_stream_is_told_from_an_empty_one() {
    let page = b"\n<!doctype html>\n<title>Sign in</title>\n";
    let (out, _) = expect_of(1, page, &["--dialect", "ai-sdk-parts"]);
    in_order(
        &out,
        &["A29 must stdin:2 · event 0", "no event at all, but \"<!doctype html>\"", "0 events (sse), 0 calls"],
    );
    // Whether its last line is ended or not.
    let (out, _) = expect_of(1, page.trim_ascii_end(), &["--dialect", "ai-sdk-parts"]);
    assert!(
        out.contains("no event at all, but \"<!doctype html>\"") && out.contains("0 events (sse), 0 calls"),
        "{out}"
    );
    for page in [&page[..], page.trim_ascii_end(), b"hello world"] {
        let (out, _) = expect_of(4, page, &["--dialect", "sse"]);
        assert!(out.contains("nothing was judged: there is no event in the stream"), "{out}");
    }
    let (out, _) = expect_of(1, b"{\"type\":\"start\"}", &["--dialect", "chat-chunks", "--transport", "array"]);
    assert!(out.contains("came     something that is no array\n  allowed  an opening bracket"), "{out}");
    let lines = b"{\"type\":\"start\"}\n{\"type\":\"finish\"}\n";
    let (out, _) = expect_of(1, lines, &["--dialect", "chat-chunks", "--transport", "sse"]);
    assert!(out.contains("no event at all"), "{out}");
    for nothing in ["", "\n", " \r\n\n"] {
        let (out, _) = expect_of(4, nothing.as_bytes(), &["--dialect", "chat-chunks"]);
        assert!(out.contains("nothing was judged"), "{out}");
    }
    let (out, _) = expect_of(4, b": keep-alive\n\ndata: [DONE]\n\n", &["--dialect", "chat-chunks"]);
    assert!(out.contains("nothing was judged: there is no event in the stream: 0 events (sse), 0 calls"), "{out}");
}

#[test]
fn an_event_may_be_longer_than_a_mebibyte() {
    let long = "so long ".repeat(400 << 10);
    let chunk = format!(r#"{{"type":"tool-input-available","toolCallId":"1","toolName":"a","input":"{long}"}}"#);
    let chunks = [r#"{"type":"start"}"#, &chunk, r#"{"type":"finish"}"#];
    let sse: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    let size = chunk.len() + "data: ".len();
    for stream in [sse.clone(), chunks.join("\n"), format!("[{}]", chunks.join(","))] {
        let (out, _) = expect_of(0, stream.as_bytes(), &["--dialect", "chat-chunks"]);
        assert!(out.contains("\nconforms: 3 events"), "{out}");
        let enough = size.to_string();
        expect_of(0, stream.as_bytes(), &["--dialect", "chat-chunks", "--limit", &enough]);
        let (out, _) = expect_of(1, stream.as_bytes(), &["--dialect", "chat-chunks", "--limit", "1000"]);
        in_order(&out, &["C36 must", "longer than the limit of 1000 bytes", "allowed  at most 1000 bytes (--limit"]);
    }
    let (out, _) = expect_of(0, sse.as_bytes(), &["--dialect", "sse"]);
    assert!(out.contains("violations: must 0, should 0, may 0"), "{out}");
    let (out, _) = expect_of(0, sse.as_bytes(), &["--dialect", "sse", "--limit", "1000"]);
    in_order(&out, &["E18 may", "longer than the limit of 1000 bytes", "allowed  at most 1000 bytes (--limit"]);
}

#[test]
fn deltas_may_join_to_more_than_a_mebibyte() {
    let half = "so long ".repeat(100 << 10);
    let mut chunks = vec![
        serde_json::json!({"type": "start"}),
        serde_json::json!({"type": "tool-input-start", "toolCallId": "1", "toolName": "a"}),
    ];
    for delta in ["\"", &half, &half, "\""] {
        chunks.push(serde_json::json!({"type": "tool-input-delta", "toolCallId": "1", "inputTextDelta": delta}));
    }
    let input =
        serde_json::json!({"type": "tool-input-available", "toolCallId": "1", "toolName": "a", "input": "other"});
    chunks.extend([input, serde_json::json!({"type": "finish"})]);
    let stream: String = chunks.iter().map(|chunk| format!("{chunk}\n")).collect();
    let (out, _) = expect_of(1, stream.as_bytes(), &["--dialect", "chat-chunks"]);
    assert!(out.contains("C25 must stdin:7"), "{out}");
}

#[test]
fn a_line_of_json_is_judged_by_the_rule_that_is_about_it() {
    let deep = format!("{}1{}", "[".repeat(129), "]".repeat(129));
    let long = format!("\"{}\"", "a".repeat(100));
    // The line; the exit code; the rule that it breaks; what is held, and what is not observed.
    type Row<'a> = (&'a str, i32, &'a str, &'a [&'a str], &'a [&'a str]);
    let table: [Row<'_>; 8] = [
        ("{\"a\":1}", 0, "", &["N5", "N9", "N10"], &[]),
        ("{\"a\":}", 1, "N5 must", &["N10"], &["N9"]),
        ("1 2", 1, "N5 must", &["N10"], &["N9"]),
        ("{\"a\":1e400}", 0, "N9 may", &["N5", "N10"], &[]),
        (r#""\ud83d""#, 0, "N9 may", &["N5", "N10"], &[]),
        (&deep, 0, "N9 may", &["N5", "N10"], &[]),
        (&deep[1..], 1, "N5 must", &["N10"], &["N9"]),
        (&long, 0, "N10 may", &[], &["N5", "N9"]),
    ];
    for (line, code, broken, held, not_observed) in table {
        let limit = if broken.starts_with("N10") { "100" } else { "10000" };
        let (out, _) = expect_of(code, line.as_bytes(), &["--dialect", "ndjson", "--limit", limit]);
        assert!(out.contains(&format!("{broken} stdin:1 · event 1\n")) || broken.is_empty(), "{line}: {out}");
        for (word, rules) in [("held", held), ("not observed", not_observed)] {
            let found =
                if rules.is_empty() && !out.contains(&format!("  {word} ")) { vec![] } else { listed(&out, word) };
            assert_eq!(found, rules, "{word} of {line}: {out}");
        }
    }
    let (out, _) = expect_of(4, b"\n", &["--dialect", "ndjson"]);
    assert_eq!(listed(&out, "not observed"), ["N5", "N9", "N10"]);
}

#[test]
fn an_array_has_an_element_after_each_comma() {
    let table = [
        (0, r#"[{"type":"start"},{"type":"finish"}]"#),
        (1, r#"[{"type":"start"},{"type":"finish"},]"#),
        (1, "[{\"type\":\"start\"},\n{\"type\":\"finish\"} ,\n ]\n"),
        (1, r#"[{"type":"start"},,{"type":"finish"}]"#),
        (1, r#"[,{"type":"start"},{"type":"finish"}]"#),
    ];
    for (code, stream) in table {
        let (out, _) = expect_of(code, stream.as_bytes(), &["--dialect", "chat-chunks"]);
        assert_eq!(out.contains("C36 (1×)"), code == 1, "{stream}: {out}");
        assert_eq!(out.contains("came     an element is missing\n"), code == 1, "{stream}: {out}");
        assert!(listed(&out, "held").contains(&"C6"), "{stream}: {out}");
    }
}

#[test]
fn the_first_line_alone_does_not_tell_the_transport() {
    let chunks = [r#"{"type":"start"}"#, r#"{"type":"text-delta","id":"0","delta":"tea"}"#, r#"{"type":"finish"}"#];
    let [lines, array] = [chunks.join("\n"), format!("[{}]\n", chunks.join(",\n"))];
    let sse: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    // What stands before it, the rule that it breaks, and how many items it is.
    let firsts = [
        ("null\n", "C1", 1),
        ("true\r\n", "C1", 1),
        ("\n\u{feff}false\n".trim_start(), "C1", 1),
        ("INFO up\n", "C36", 1),
        ("\nINFO up\n\nWARN: low\n", "C36", 2),
        ("[INFO] up\n", "C36", 1),
        ("[2026-11-18 17:00] up\n", "C36", 1),
        ("2026-11-18 up\n", "C36", 1),
        ("\u{feff}nullable\n", "C36", 1),
        ("database: up\n", "C36", 1),
    ];
    for (first, rule, items) in firsts {
        let ndjson = (format!("{first}{lines}"), "ndjson", items);
        let array = (format!("{first}{array}"), "array", items);
        // A line of no field means nothing to server-sent events (E14).
        let sse = (format!("{first}{sse}"), "sse", 0);
        for (stream, transport, items) in
            [ndjson, array, sse].into_iter().filter(|form| rule == "C36" || form.1 == "ndjson")
        {
            let code = i32::from(items > 0);
            let records =
                records(&expect_of(code, stream.as_bytes(), &["--dialect", "chat-chunks", "--format", "json"]).0);
            let footer = &records[records.len() - 1];
            assert_eq!((&footer["framing"], &footer["items"]), (&transport.into(), &(3 + items).into()), "{stream}");
            let found: Vec<&str> = violations(&records).filter_map(|record| record["rule"].as_str()).collect();
            assert_eq!(found, vec![rule; items], "{stream}");
        }
    }
    let (out, _) = expect_of(1, b"null", &["--dialect", "chat-chunks"]);
    assert!(out.contains("C1 must stdin:1") && out.contains(": 1 event (ndjson)"), "{out}");
}

#[test]
fn findings_come_while_the_stream_goes_on() {
    let mut child = check(&["-", "--dialect", "chat-chunks"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("piped");
    let stdout = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    stdin.write_all(b"data: {\"type\":\"start\"}\n\n").expect("it reads");
    for (id, place) in [("a", "stdin:3 · event 2"), ("b", "stdin:5 · event 3")] {
        let chunk = format!("data: {{\"type\":\"tool-output-available\",\"toolCallId\":\"{id}\",\"output\":1}}\n\n");
        stdin.write_all(chunk.as_bytes()).expect("it reads");
        stdin.flush().expect("it reads");
        let finding = loop {
            let line = lines.recv_timeout(Duration::from_secs(20)).expect("a finding, though the stream has not ended");
            if line.starts_with("C17 ") {
                break line;
            }
        };
        assert!(finding.contains(place) && finding.ends_with(&format!("call {id:?}")), "{finding}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
