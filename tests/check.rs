//! `anysplit check`: captured and live streams, as a person or a script lints them.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anysplit::spec;
use serde_json::Value;

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

// Transports.

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

// URLs.

#[test]
fn a_live_stream_may_be_cut_anywhere() {
    let stream = awkward();
    assert!(stream.len() > 10, "it is cut at all");
    let server = serve(|client| {
        start_answer(client)?;
        for piece in stream {
            send_chunk(client, &piece)?;
            thread::sleep(Duration::from_millis(15));
        }
        client.write_all(b"0\r\n\r\n")
    });
    let (out, err) = expect(0, &[&server.url, "--dialect", "chat-chunks"]);
    assert!(out.contains("\nconforms: 18 events (sse), 1 call"), "{out}");
    assert_eq!(err, "");
    let request = server.request();
    assert_eq!(request.line, "GET /api/chat HTTP/1.1");
    assert!(request.header("accept").contains("text/event-stream"), "{request:?}");
}

#[test]
fn the_scheme_of_a_url_may_be_written_in_capitals() {
    let server = serve(|client| {
        start_answer(client)?;
        send_chunk(client, &awkward().concat())?;
        client.write_all(b"0\r\n\r\n")
    });
    let (out, _) = expect(0, &[&server.url.replace("http://", "HTTP://"), "--dialect", "chat-chunks"]);
    assert!(out.contains("\nconforms: 18 events (sse), 1 call"), "{out}");
    server.request();
}

#[test]
fn a_connection_that_breaks_is_a_finding() {
    let mut pieces = awkward();
    let last = pieces.split_off(pieces.len() / 2).concat();
    let server = serve(move |client| {
        start_answer(client)?;
        for piece in pieces {
            send_chunk(client, &piece)?;
            thread::sleep(Duration::from_millis(10));
        }
        write!(client, "{:x}\r\n", last.len())?;
        client.write_all(&last[..last.len() / 2])
    });
    let (out, _) = expect(1, &[&server.url, "--dialect", "chat-chunks"]);
    assert!(out.contains("C36 must http://") && out.contains("came     the stream broke off: "), "{out}");
    assert!(out.contains("C6 must") && out.contains("\ndoes not conform: "), "{out}");
}

#[test]
fn a_connection_that_breaks_after_the_last_event_is_a_finding_too() {
    let server = serve(|client| {
        start_answer(client)?;
        send_chunk(client, &awkward().concat())
    });
    let (out, _) = expect(1, &[&server.url, "--dialect", "chat-chunks"]);
    assert!(out.contains("came     the stream broke off: "), "{out}");
    assert!(listed(&out, "held").contains(&"C6"), "the stream itself was closed: {out}");
}

#[test]
fn an_error_of_the_server_is_not_judged() {
    let server = serve(|client| {
        client.write_all(b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 9\r\n\r\nout of\x1bit")
    });
    let (out, err) = expect(3, &[&server.url, "--dialect", "chat-chunks"]);
    assert_eq!(out, "");
    assert!(err.contains("answered 500") && err.contains("out of it"), "{err}");
}

/// Long, broken off, no UTF-8, or without an end: what came of it is shown, and nobody waits for the rest.
#[test]
fn an_error_of_the_server_is_shown_as_far_as_it_comes() {
    const HEAD: &[u8] = b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 100000\r\n\r\n";
    for (body, stays) in [(b"overloaded \xff".repeat(2_000), false), (b"overloaded \xff".to_vec(), true)] {
        let server = serve(move |client| {
            client.write_all(HEAD)?;
            client.write_all(&body)?;
            if stays {
                client.flush()?;
                thread::sleep(Duration::from_secs(8));
            }
            Ok(())
        });
        let begin = std::time::Instant::now();
        let (_, err) = expect(3, &[&server.url, "--dialect", "chat-chunks"]);
        assert!(err.contains("answered 500 Internal Server Error: overloaded \u{fffd}"), "{err}");
        assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
    }
}

#[test]
fn a_rule_that_is_broken_again_and_again_is_explained_once() {
    let delta = "{\"type\":\"tool-input-delta\",\"toolCallId\":\"a\",\"inputTextDelta\":\"\"}\n";
    let (out, _) = expect_of(1, delta.repeat(50).as_bytes(), &["--dialect", "chat-chunks"]);
    assert_eq!(out.matches("C12 must").count(), 50, "{out}");
    assert_eq!(out.matches(sentence("C12")).count(), 1, "{out}");
}

#[test]
fn a_port_where_nobody_listens_cannot_be_reached() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("its address"));
    drop(listener);
    let (out, err) = expect(3, &[&url, "--dialect", "chat-chunks"]);
    assert_eq!(out, "");
    assert!(err.starts_with(&format!("error: {url}: ")), "{err}");
}

#[test]
fn data_is_posted_with_the_headers_that_were_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("request.json");
    fs::write(&file, r#"{"a":1}"#).expect("written");
    let file = file.display().to_string();
    let table: [(&str, &[&str], &str); 3] = [
        (r#"{"a":1}"#, &[], "application/json"),
        (&file, &[], "application/json"),
        (&file, &["--header", "content-type: application/vnd.test+json"], "application/vnd.test+json"),
    ];
    for (data, more, content_type) in table {
        let server = serve(|client| {
            start_answer(client)?;
            send_chunk(client, b"{\"type\":\"start\"}\n{\"type\":\"finish\"}\n")?;
            client.write_all(b"0\r\n\r\n")
        });
        let arguments = [server.url.as_str(), "--dialect", "chat-chunks", "--data", data, "--header", "X-Test: yes"];
        let (out, _) = expect(0, &[&arguments[..], more].concat());
        assert!(out.contains("conforms: 2 events (ndjson)"), "{out}");
        let request = server.request();
        assert_eq!(request.line, "POST /api/chat HTTP/1.1");
        assert_eq!(request.header("x-test"), "yes");
        assert_eq!(request.header("content-type"), content_type);
        assert_eq!(String::from_utf8_lossy(&request.body), r#"{"a":1}"#);
    }
}

// Another dialect, and levels.

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

// Memory.

#[cfg(target_os = "linux")]
mod memory {
    use std::io::{BufWriter, Read, Write};
    use std::process::{Child, Stdio};
    use std::{env, fs, thread};

    use serde_json::json;

    /// The id of the calls of a block; its digits are replaced.
    const ID: &str = "call-00000000";
    /// How often an id stands in a call: start, four deltas, input, output.
    const TIMES: usize = 7;

    /// A gigabyte where ANYSPLIT_LARGE is set, as in CI; an eighth of it otherwise, for builds that are not optimised.
    #[test]
    fn it_does_not_grow_with_the_stream() {
        let size: usize = if env::var_os("ANYSPLIT_LARGE").is_some() { 1 << 30 } else { 128 << 20 };
        let mut child = super::check(&["-", "--dialect", "chat-chunks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut stdin = child.stdin.take().expect("piped");
        let mut stdout = child.stdout.take().expect("piped");
        let out = thread::spawn(move || {
            let mut out = String::new();
            stdout.read_to_string(&mut out).map(|_| out)
        });
        let (mut block, ids) = block();
        let (mut calls, mut written, mut early) = (0, 0, None);
        stdin.write_all(b"{\"type\":\"start\"}\n").expect("it reads");
        while written < size {
            for places in ids.chunks(TIMES) {
                calls += 1;
                let digits = format!("{calls:08}");
                for &place in places {
                    block[place..place + digits.len()].copy_from_slice(digits.as_bytes());
                }
            }
            stdin.write_all(&block).expect("it reads");
            written += block.len();
            if early.is_none() && written >= size / 4 {
                early = Some(peak(&child));
            }
        }
        stdin.write_all(b"{\"type\":\"finish\"}\n").expect("it reads");
        let (early, late) = (early.expect("it was looked at"), peak(&child));
        drop(stdin);
        let out = out.join().expect("no panic").expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{out}");
        assert!(out.contains("\nconforms: ") && out.contains(&format!(" {calls} calls, ")), "{out}");
        let told = format!("{} KiB after a quarter, {} KiB at the end", early >> 10, late >> 10);
        assert!(late < 64 << 20, "{told}");
        assert!(late.abs_diff(early) < 16 << 20, "{told}");
    }

    /// Calls that wait for ever, many and small, or few with a long input: neither is held. Half of it where
    /// ANYSPLIT_LARGE is not set.
    #[test]
    fn it_does_not_grow_with_calls_that_wait() {
        const CALL: (&str, &str) = ("ai-sdk-parts", "tool-call");
        const INPUT: (&str, &str) = ("chat-chunks", "tool-input-available");
        const REQUEST: (&str, &str) = ("chat-chunks", "tool-approval-request");
        let few = (2_500, 32 << 10, 64 << 20);
        // Two generations of 65,536 calls, at about a kilobyte each with what an allocator adds.
        let many = (300_000, 64, 144 << 20);
        let all = [(CALL, few), (REQUEST, many), (INPUT, few), (CALL, many)];
        let some = if env::var_os("ANYSPLIT_LARGE").is_some() { &all[..] } else { &all[..2] };
        for &((dialect, kind), (calls, long, most)) in some {
            let (early, late) = waiting(dialect, kind, calls, long);
            let told = format!("{} KiB after a half, {} KiB at the end: {kind}", early >> 10, late >> 10);
            assert!(late < most, "{told}");
            assert!(late.abs_diff(early) < 8 << 20, "{told}");
        }
    }

    /// The most memory held after half of so many calls, and after all of them.
    fn waiting(dialect: &str, kind: &str, calls: usize, long: usize) -> (u64, u64) {
        let mut child = super::check(&["-", "--dialect", dialect])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut stdin = BufWriter::new(child.stdin.take().expect("piped"));
        let input = "x".repeat(long);
        let [mut early, mut late] = [0, 0];
        writeln!(stdin, r#"{{"type":"start"}}"#).expect("it reads");
        for call in 1..=calls {
            let (id, name) = (format!("call-{call:08}"), r#""toolName":"write""#);
            writeln!(stdin, r#"{{"type":"{kind}","toolCallId":"{id}",{name},"input":{{"text":"{input}"}}}}"#)
                .expect("it reads");
            if call == calls / 2 {
                early = peak(&child);
            } else if call == calls {
                late = peak(&child);
            }
        }
        writeln!(stdin, r#"{{"type":"finish"}}"#).expect("it reads");
        drop(stdin.into_inner().expect("it reads"));
        let output = child.wait_with_output().expect("it ends");
        let out = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(0), "{out}");
        assert!(out.contains("\nconforms: ") && out.contains(&format!(" {calls} calls, ")), "{out}");
        let waits = if kind == "tool-approval-request" { "approval-requested" } else { "input-available" };
        assert!(out.contains(&format!("  {calls}  {waits}  call-00000001, ")) || calls < 100_000, "{out}");
        (early, late)
    }

    /// About 4 MiB of calls with 8 KiB of input and of output, and of text between them; and where the digits of the ids are.
    fn block() -> (Vec<u8>, Vec<usize>) {
        let long = "so long ".repeat(1 << 10);
        let input = json!({ "text": long });
        let joined = input.to_string();
        let mut chunks = vec![json!({"type": "tool-input-start", "toolCallId": ID, "toolName": "write"})];
        let quarter = joined.len().div_ceil(4);
        for delta in [0, 1, 2, 3].map(|at| &joined[at * quarter..joined.len().min((at + 1) * quarter)]) {
            chunks.push(json!({"type": "tool-input-delta", "toolCallId": ID, "inputTextDelta": delta}));
        }
        chunks.push(json!({"type": "tool-input-available", "toolCallId": ID, "toolName": "write", "input": input}));
        chunks.push(json!({"type": "tool-output-available", "toolCallId": ID, "output": long}));
        for _ in 0..8 {
            chunks.push(json!({"type": "text-delta", "id": "0", "delta": &long[..4 << 10]}));
        }
        let lines: String = chunks.iter().map(|chunk| format!("{chunk}\n")).collect();
        let block = lines.repeat((4 << 20) / lines.len());
        let digits = ID.len() - ID.trim_end_matches('0').len();
        let ids: Vec<usize> = block.match_indices(ID).map(|(at, id)| at + id.len() - digits).collect();
        assert!(ids.len() > TIMES && ids.len().is_multiple_of(TIMES), "whole calls");
        (block.into_bytes(), ids)
    }

    /// The most memory that it has held, in bytes.
    fn peak(child: &Child) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it still runs");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux tells");
        let kib = line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
        kib.expect("a number") << 10
    }
}

// Helpers.

/// The command, not through any proxy.
fn check(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anysplit"));
    command.arg("check").args(arguments);
    for proxy in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"] {
        command.env_remove(proxy);
    }
    command
}

/// Checks with these arguments, expects this exit code, and returns what was printed on both streams.
fn expect(code: i32, arguments: &[&str]) -> (String, String) {
    let output = check(arguments).stdin(Stdio::null()).output().expect("the binary runs");
    told(code, &output, arguments)
}

/// Checks these bytes through standard input.
fn expect_of(code: i32, stream: &[u8], arguments: &[&str]) -> (String, String) {
    let arguments = [&["-"][..], arguments].concat();
    let mut child = check(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("piped");
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(stream).expect("it reads all"));
        child.wait_with_output().expect("it ends")
    });
    told(code, &output, &arguments)
}

fn told(code: i32, output: &Output, arguments: &[&str]) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(!err.contains("panicked"), "{arguments:?}\n{err}");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

/// The path of a capture that comes with the project.
fn capture(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/captures").join(name).display().to_string()
}

/// The chunks that a capture holds, without the last word.
fn chunks_of(sse: &str) -> Vec<&str> {
    sse.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]").collect()
}

fn sentence(rule: &str) -> &'static str {
    &spec::rule(rule).expect("there is such a rule").sentence
}

fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let (_, after) =
            rest.split_once(part).unwrap_or_else(|| panic!("{part:?} is missing or out of order in\n{text}"));
        rest = after;
    }
}

/// The rules that the summary lists under this word.
fn listed<'a>(out: &'a str, word: &str) -> Vec<&'a str> {
    let line = out.lines().find_map(|line| line.trim_start().strip_prefix(word));
    line.unwrap_or_else(|| panic!("{word} in\n{out}")).split_whitespace().collect()
}

/// The lines of a JSON report, each of which its schema allows.
fn records(text: &str) -> Vec<Value> {
    let schema = spec::FILES.iter().find(|(path, _)| *path == "schema/check.schema.json").expect("embedded").1;
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for record in &records {
        if let Err(error) = validator.validate(record) {
            panic!("{error} in {record}");
        }
    }
    assert!(records.len() >= 2, "{text}");
    records
}

fn violations(records: &[Value]) -> impl Iterator<Item = &Value> {
    records.iter().filter(|record| record["type"] == "violation")
}

/// The good capture with CRLF, in pieces that end where a reader is likely to go wrong.
fn awkward() -> Vec<Vec<u8>> {
    let stream = fs::read_to_string(capture("weather.sse")).expect("the capture").replace('\n', "\r\n");
    let after = |what: &str, bytes: usize| stream.find(what).expect(what) + bytes;
    let mut cuts = vec![
        after("data:", 2),
        after("\r\n", 1),
        after("\r\n\r\n", 3),
        after("\ndata:", 3),
        after("text-delta", 5),
        after("ü", 1),
        after("\"toolCallId\"", 4),
        after("{\\\"city", 2),
        after("\"input\":{", 9),
        after("22,", 1),
        after("☀", 1),
        after("☀", 2),
        after("°", 1),
        after("[DONE]", 3),
        stream.len() - 1,
    ];
    cuts.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([stream.len()]) {
        pieces.push(stream.as_bytes()[from..cut].to_vec());
        from = cut;
    }
    pieces.retain(|piece| !piece.is_empty()); // an empty chunk would be the last
    pieces
}

/// A server that answers one request.
struct Server {
    url: String,
    thread: JoinHandle<Request>,
}

#[derive(Debug)]
struct Request {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Server {
    /// What it was asked.
    fn request(self) -> Request {
        self.thread.join().expect("the server does not panic")
    }
}

impl Request {
    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }
}

fn serve(answer: impl FnOnce(&mut TcpStream) -> io::Result<()> + Send + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/api/chat", listener.local_addr().expect("its address"));
    let thread = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client");
        client.set_nodelay(true).expect("every write is sent at once");
        let request = read_request(&client).expect("a request");
        answer(&mut client).expect("the client reads");
        request
    });
    Server { url, thread }
}

fn read_request(client: &TcpStream) -> io::Result<Request> {
    let mut reader = BufReader::new(client);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { line: line.trim_end().to_owned(), headers, body: Vec::new() };
    let length: u64 = request.header("content-length").parse().unwrap_or(0);
    reader.take(length).read_to_end(&mut request.body)?;
    Ok(request)
}

fn start_answer(client: &mut TcpStream) -> io::Result<()> {
    client.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
}

fn send_chunk(client: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    write!(client, "{:x}\r\n", bytes.len())?;
    client.write_all(bytes)?;
    client.write_all(b"\r\n")
}
