//! Where output goes: standard output or a file, and what happens when nobody reads it any more.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice, StripStream};

use super::{Format, Problem};

/// Standard output; for people with colours where they are wanted.
pub(super) fn stdout(format: Format) -> Output {
    let colours = format == Format::Terminal && AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    Output::new(Box::new(BufWriter::new(io::stdout())), format, colours)
}

/// A new file, without colours.
pub(super) fn file(path: &Path, format: Format) -> Result<Output, Problem> {
    let file = File::create(path)
        .map_err(|error| Problem::usage(format!("{}: cannot be written: {error}", path.display())))?;
    Ok(Output::new(Box::new(BufWriter::new(file)), format, false))
}

/// A writer that goes on when its reader has gone: a run must still come to its exit code.
pub(super) struct Output {
    out: Box<dyn Write>,
    closed: bool,
    /// Whether to say so when nobody reads any more.
    tell: bool,
}

impl Output {
    /// Colours are taken out before the buffer, not behind it: there a character may be cut in two. Machines are written none, and
    /// nothing of what they are written may be taken for one.
    fn new(buffer: Box<dyn Write>, format: Format, colours: bool) -> Self {
        let out = if colours || format == Format::Json { buffer } else { Box::new(StripStream::new(buffer)) };
        Self { out, closed: false, tell: false }
    }

    /// Says so when nobody reads any more.
    pub(super) fn telling(mut self) -> Self {
        self.tell = true;
        self
    }

    fn tolerate<T: Default>(&mut self, result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                if self.tell && !self.closed {
                    anstream::eprintln!("note: nobody reads the output any more; judging goes on for the exit code");
                }
                self.closed = true;
                Ok(T::default())
            }
            other => other,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.tolerate(written).map(|written| if self.closed { bytes.len() } else { written })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.tolerate(flushed)
    }
}

/// Writes a line to standard output.
pub(super) fn say(line: &str) -> Result<(), Problem> {
    let mut out = stdout(Format::Terminal);
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(unwritable)
}

/// Output could not be written: the disk is full, for example.
pub(super) fn unwritable(error: io::Error) -> Problem {
    Problem::usage(format!("the output cannot be written: {error}"))
}
