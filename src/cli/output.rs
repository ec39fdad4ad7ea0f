//! Where output goes: standard output or a file, and what happens when nobody reads it any more.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstream::{AutoStream, StripStream};

use super::Problem;

/// Standard output, with colours where they are wanted.
pub(super) fn stdout() -> Output {
    Output::new(Box::new(AutoStream::auto(io::stdout())))
}

/// A new file, without colours.
pub(super) fn file(path: &Path) -> Result<Output, Problem> {
    let file = File::create(path)
        .map_err(|error| Problem::usage(format!("{}: cannot be written: {error}", path.display())))?;
    Ok(Output::new(Box::new(StripStream::new(file))))
}

/// A writer that goes on when its reader has gone: a run must still come to its exit code.
pub(super) struct Output {
    out: BufWriter<Box<dyn Write>>,
    closed: bool,
    /// Whether to say so when nobody reads any more.
    tell: bool,
}

impl Output {
    fn new(out: Box<dyn Write>) -> Self {
        Self { out: BufWriter::new(out), closed: false, tell: false }
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

impl Drop for Output {
    fn drop(&mut self) {
        // What the buffer still holds would be written, and fail, once more.
        if self.closed {
            let out = std::mem::replace(&mut self.out, BufWriter::new(Box::new(io::sink())));
            drop(out.into_parts());
        }
    }
}

/// Output could not be written: the disk is full, for example.
pub(super) fn unwritable(error: io::Error) -> Problem {
    Problem::usage(format!("the output cannot be written: {error}"))
}
