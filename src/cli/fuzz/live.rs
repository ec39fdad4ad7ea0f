//! The line on the terminal that tells how far the fuzzer is; nothing in a pipe.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::Figures;

const PAUSE: Duration = Duration::from_millis(250);

/// So many of the latest measurements count for the speed that is shown: about as many seconds.
const WEIGHT: f64 = 0.1;

/// The line, on standard error.
pub(super) struct Live {
    shown: bool,
    start: Instant,
    last: Instant,
    runs: u64,
    rate: Option<f64>,
}

impl Live {
    /// A line, if a person watches.
    pub(super) fn new(start: Instant) -> Self {
        Self { shown: io::stderr().is_terminal(), start, last: start, runs: 0, rate: None }
    }

    /// How far it is.
    pub(super) fn show(&mut self, runs: u64, figures: Figures) {
        let since = self.last.elapsed();
        if !self.shown || since < PAUSE {
            return;
        }
        let now = (runs - self.runs) as f64 / since.as_secs_f64();
        let rate = self.rate.map_or(now, |rate| rate + (now - rate) * WEIGHT);
        (self.last, self.runs, self.rate) = (Instant::now(), runs, Some(rate));
        let Figures { fresh, findings } = figures;
        let seconds = self.start.elapsed().as_secs();
        // A terminal that cannot be written to is not worth a word.
        let _ = write!(
            io::stderr(),
            "\r{:02}:{:02}:{:02}  {runs} runs, {rate:.0}/s  corpus {fresh}  findings {findings}\x1b[K",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
        );
    }

    /// Takes the line away, so that other output can stand in its place.
    pub(super) fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
