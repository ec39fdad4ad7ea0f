//! A progress bar on a terminal; nothing in a pipe.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const WIDTH: usize = 30;
const PAUSE: Duration = Duration::from_millis(100);

/// A bar on standard error.
pub(super) struct Progress {
    total: usize,
    shown: bool,
    last: Instant,
}

impl Progress {
    /// A bar for so many cases, if it is wanted and a person watches.
    pub(super) fn new(total: usize, wanted: bool) -> Self {
        Self { total, shown: wanted && io::stderr().is_terminal(), last: Instant::now() }
    }

    /// So many are done.
    pub(super) fn at(&mut self, done: usize, failed: usize) {
        if !self.shown || self.last.elapsed() < PAUSE {
            return;
        }
        self.last = Instant::now();
        let filled = done * WIDTH / self.total.max(1);
        let bar: String = (0..WIDTH).map(|at| if at < filled { '█' } else { '░' }).collect();
        let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        // A terminal that cannot be written to is not worth a word.
        let _ = write!(io::stderr(), "\r{bar} {done}/{}{failed}\x1b[K", self.total);
    }

    /// Takes the bar away, so that other output can stand in its place.
    pub(super) fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
