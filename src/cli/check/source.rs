//! Where a stream comes from: a file, a pipe, a connection. It is read on a thread of its own, so that Ctrl-C is heard while
//! nothing arrives.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::cli::{Exit, Problem};

const CHUNK: usize = 64 << 10;

/// So many chunks are read ahead.
const AHEAD: usize = 4;

const CONNECT: Duration = Duration::from_secs(30);

/// A stream that is being read.
pub(super) struct Source(Receiver<Piece>);

pub(super) enum Piece {
    Bytes(Vec<u8>),
    /// Reading failed in the middle, for this reason.
    Broken(String),
}

impl Source {
    /// Opens a file, standard input for `-`, or a URL.
    pub(super) fn open(stream: &str, data: Option<&str>, headers: &[(String, String)]) -> Result<Self, Problem> {
        let scheme = stream.split_once("://").map_or("", |(scheme, _)| scheme);
        let is_url = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        if !is_url && !scheme.is_empty() && !Path::new(stream).exists() {
            return Err(Problem::usage(format!("{stream}: only http and https can be fetched")));
        }
        if !is_url && (data.is_some() || !headers.is_empty()) {
            return Err(Problem::usage("--data and --header go with an http or https URL"));
        }
        Ok(Self::of(if is_url {
            fetch(stream, data, headers)?
        } else if stream == "-" {
            Box::new(io::stdin())
        } else {
            let file = File::open(stream).and_then(|file| match file.metadata()?.is_dir() {
                true => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
                false => Ok(file),
            });
            Box::new(file.map_err(|error| Problem::usage(format!("{stream}: cannot be read: {error}")))?)
        }))
    }

    fn of(mut reader: Box<dyn Read + Send>) -> Self {
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        thread::spawn(move || {
            loop {
                let mut bytes = vec![0; CHUNK];
                let piece = match reader.read(&mut bytes) {
                    Ok(0) => return,
                    Ok(read) => {
                        bytes.truncate(read);
                        Piece::Bytes(bytes)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Piece::Broken(error.to_string()),
                };
                let ends = matches!(piece, Piece::Broken(_));
                if sender.send(piece).is_err() || ends {
                    return;
                }
            }
        });
        Self(receiver)
    }

    pub(super) fn recv_timeout(&self, timeout: Duration) -> Result<Piece, RecvTimeoutError> {
        self.0.recv_timeout(timeout)
    }
}

fn fetch(url: &str, data: Option<&str>, headers: &[(String, String)]) -> Result<Box<dyn Read + Send>, Problem> {
    let unreachable = |why: String| Problem { exit: Exit::Unreachable, message: format!("{url}: {why}") };
    let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_connect(Some(CONNECT));
    let agent = ureq::Agent::new_with_config(config.build());
    let has = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
    let accept = (!has("accept")).then_some(("accept", "text/event-stream, application/x-ndjson, */*"));
    let json = (!has("content-type")).then_some(("content-type", "application/json"));
    let given = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let response = match data {
        None => given.chain(accept).fold(agent.get(url), |request, (name, value)| request.header(name, value)).call(),
        Some(data) => {
            let body = body(data)?;
            let all = given.chain(accept).chain(json);
            all.fold(agent.post(url), |request, (name, value)| request.header(name, value)).send(&body[..])
        }
    };
    let response = response.map_err(|error| unreachable(error.to_string()))?;
    if !response.status().is_success() {
        let status = response.status();
        let body = beginning_of(response.into_body().into_reader());
        let body: String = body.chars().take(200).map(|char| if char.is_control() { ' ' } else { char }).collect();
        return Err(unreachable(format!("answered {status}: {body}")));
    }
    Ok(Box::new(response.into_body().into_reader()))
}

/// As much of an error's words as comes at once: they may be long, break off, or never end.
fn beginning_of(body: impl Read + Send + 'static) -> String {
    const ENOUGH: usize = 1 << 10;
    let pieces = Source::of(Box::new(body));
    let mut begun = Vec::new();
    while begun.len() < ENOUGH {
        match pieces.recv_timeout(Duration::from_secs(1)) {
            Ok(Piece::Bytes(bytes)) if !bytes.is_empty() => begun.extend_from_slice(&bytes),
            _ => break,
        }
    }
    String::from_utf8_lossy(&begun).into_owned()
}

/// JSON as it stands, or the content of a file.
fn body(data: &str) -> Result<Vec<u8>, Problem> {
    if serde_json::from_str::<serde_json::Value>(data).is_ok() {
        return Ok(data.as_bytes().to_vec());
    }
    let problem = |error| Problem::usage(format!("--data {data}: neither JSON nor a file that can be read: {error}"));
    fs::read(Path::new(data)).map_err(problem)
}
