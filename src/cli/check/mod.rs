//! `anysplit check`: lints a captured or live stream, as it arrives.

mod print;
mod source;

use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anysplit::dialect::Dialect;
use anysplit::level::Level;
use anysplit::lint::{DEFAULT_LIMIT, Finding, Framing, Linter, Summary};
use anysplit::spec;
use clap::{Args, ValueEnum};
use ureq::http::{HeaderName, HeaderValue};

use self::print::Printer;
use self::source::{Piece, Source};
use super::interrupt;
use super::output::{self, unwritable};
use super::{Exit, Format, Problem};

/// Lint a captured or live stream: every rule it breaks, as it arrives
#[derive(Args)]
#[command(after_help = "\
A URL is fetched with GET, or with POST where there is --data.

Exit codes:
  0  no must is broken (with --strict: no should either)
  1  a rule is broken; a stream that is malformed or broken off counts
  2  wrong usage, or the file cannot be read
  3  the URL cannot be reached, or answers with an error
  4  nothing was judged: the stream is empty, or of another dialect
  130  interrupted

Examples:
  anysplit check capture.ndjson --dialect ai-sdk-parts
  my-server | anysplit check - --dialect chat-chunks
  anysplit check http://localhost:3000/api/chat --dialect chat-chunks \\
      --data '{\"messages\":[]}' --header 'Authorization: Bearer …'
  anysplit check capture.sse --dialect chat-chunks --format json")]
pub(super) struct Check {
    /// A file, `-` for standard input, or an http or https URL
    #[arg(value_name = "FILE|-|URL")]
    stream: String,
    /// The dialect of the stream
    #[arg(long)]
    dialect: Dialect,
    /// How the stream is transported [default: found out from its first lines]
    #[arg(long, value_enum)]
    transport: Option<TransportArg>,
    /// How many bytes an event, a line or an element may have, and what the deltas of a call join to
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Let a broken should fail the check too
    #[arg(long)]
    strict: bool,
    /// With a URL: what to POST, as JSON or as the name of a file
    #[arg(long, value_name = "FILE|JSON")]
    data: Option<String>,
    /// With a URL: a header to send, as `Name: value`; may be given several times
    #[arg(long, value_name = "HEADER", value_parser = header)]
    header: Vec<(String, String)>,
    /// What the report looks like
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum TransportArg {
    /// Server-sent events
    Sse,
    /// A JSON value per line
    Ndjson,
    /// One JSON array
    Array,
}

impl From<TransportArg> for Framing {
    fn from(transport: TransportArg) -> Self {
        match transport {
            TransportArg::Sse => Self::Sse,
            TransportArg::Ndjson => Self::Ndjson,
            TransportArg::Array => Self::Array,
        }
    }
}

/// Asked before anything is fetched: what cannot be sent is wrong usage, not a server that cannot be reached.
fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected `Name: value`")?;
    let (name, value) = (name.trim(), value.trim());
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("{name:?} is no name of a header"))?;
    HeaderValue::from_str(value).map_err(|_| format!("{value:?} is no value of a header"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// How often to look whether Ctrl-C was pressed while nothing arrives.
const PAUSE: Duration = Duration::from_millis(100);

impl Check {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let framing = self.transport.map(Framing::from);
        let own = match self.dialect {
            Dialect::Sse => Some(Framing::Sse),
            Dialect::Ndjson => Some(Framing::Ndjson),
            _ => None,
        };
        if let (Some(own), Some(other)) = (own, framing.filter(|framing| own != Some(*framing))) {
            let (dialect, other) = (self.dialect, other.name());
            return Err(Problem::usage(format!(
                "--transport {other}: {dialect} is itself a transport, {}",
                own.name()
            )));
        }
        let mut linter = Linter::with_limit(self.dialect, framing, limit).map_err(Problem::usage)?;
        let source = Source::open(&self.stream, self.data.as_deref(), &self.header)?;
        let mut broken = Broken::default();
        let mut printer =
            Printer::new(output::stdout(self.format), self.format, &self.stream, self.dialect, self.strict);
        printer.header().map_err(unwritable)?;
        let interrupted = interrupt::finishing("interrupted: this is what came until now (again to stop at once)");
        let end = loop {
            match source.recv_timeout(PAUSE) {
                Ok(Piece::Bytes(bytes)) => {
                    let mut result = Ok(());
                    linter.feed(&bytes, &mut |finding| {
                        broken.count(&finding);
                        result = std::mem::replace(&mut result, Ok(())).and_then(|()| printer.finding(&finding));
                    });
                    result.and_then(|()| printer.flush()).map_err(unwritable)?;
                }
                Ok(Piece::Broken(why)) => break End::Broken(why),
                Err(RecvTimeoutError::Disconnected) => break End::Whole,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupted.load(Ordering::Relaxed) {
                break End::Interrupted;
            }
        };
        let why = if let End::Broken(why) = &end { Some(why.as_str()) } else { None };
        let mut last: Vec<Finding> = Vec::new();
        let summary = linter.finish(why, &mut |finding| last.push(finding));
        // After Ctrl-C the end of what came is not the end of the stream.
        for finding in last.iter().filter(|_| end != End::Interrupted) {
            broken.count(finding);
            printer.finding(finding).map_err(unwritable)?;
        }
        printer.summary(&summary, &broken, end != End::Interrupted).map_err(unwritable)?;
        Ok(self.exit(&summary, &broken, &end))
    }

    fn exit(&self, summary: &Summary, broken: &Broken, end: &End) -> Exit {
        match end {
            End::Interrupted => Exit::Interrupted,
            _ if broken.must > 0 || self.strict && broken.should > 0 => Exit::Fails,
            _ if !summary.judged => Exit::Nothing,
            _ => Exit::Conforms,
        }
    }
}

#[derive(PartialEq, Eq)]
enum End {
    Whole,
    Broken(String),
    Interrupted,
}

/// Findings, counted by the level of their rule.
#[derive(Clone, Copy, Debug, Default)]
struct Broken {
    must: u64,
    should: u64,
    may: u64,
}

impl Broken {
    fn count(&mut self, finding: &Finding) {
        match level(finding.rule) {
            Level::Must => self.must += 1,
            Level::Should => self.should += 1,
            Level::May => self.may += 1,
        }
    }
}

fn level(rule: &str) -> Level {
    spec::rule(rule).map_or(Level::Must, |rule| rule.level)
}
