//! Live streams: a server that answers in awkward pieces, slowly, or not to the end.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::support::{capture, expect, expect_of, listed, sentence};

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
