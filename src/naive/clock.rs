//! The injected clock of `tool-session` (X13), on a calendar simple enough to be checked by eye.

/// Milliseconds since the beginning of the year 0, as if the Gregorian calendar had always been in use.
pub(crate) struct Clock(u64);

const MILLIS_PER_DAY: u64 = 24 * 60 * 60 * 1000;

/// The calendar repeats every 400 years, 97 of which are leap years.
const DAYS_PER_CYCLE: u64 = 400 * 365 + 97;

impl Clock {
    /// A clock set to `YYYY-MM-DDTHH:MM:SSZ`, optionally with milliseconds before the `Z`.
    pub(crate) fn set_to(timestamp: &str) -> Self {
        let mut fields = timestamp.split(|char: char| !char.is_ascii_digit());
        // Options are valid; the small type keeps even others from overflowing below.
        let mut next = || fields.next().and_then(|field| field.parse::<u16>().ok()).map_or(0, u64::from);
        let [year, month, day, hour, minute, second, milli] = std::array::from_fn(|_| next());

        let years: u64 = (0..year).map(days_in_year).sum();
        let months: u64 = (1..month).map(|month| days_in_month(year, month)).sum();
        let days = years + months + day.saturating_sub(1);
        Self(days * MILLIS_PER_DAY + ((hour * 60 + minute) * 60 + second) * 1000 + milli)
    }

    /// Lets time go by.
    pub(crate) fn wait(&mut self, millis: u64) {
        self.0 = self.0.saturating_add(millis);
    }

    /// The time as `YYYY-MM-DDTHH:MM:SSZ`, with `.mmm` before the `Z` when the milliseconds are not zero.
    pub(crate) fn timestamp(&self) -> String {
        let (year, month, day) = date(self.0 / MILLIS_PER_DAY);
        let seconds = self.0 % MILLIS_PER_DAY / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let fraction = match self.0 % 1000 {
            0 => String::new(),
            milli => format!(".{milli:03}"),
        };
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
    }
}

/// The year, month and day that is `days` after the first of the year 0.
fn date(days: u64) -> (u64, u64, u64) {
    let mut year = days / DAYS_PER_CYCLE * 400;
    let mut month = 1;
    let mut left = days % DAYS_PER_CYCLE;
    while left >= days_in_year(year) {
        left -= days_in_year(year);
        year += 1;
    }
    while left >= days_in_month(year, month) {
        left -= days_in_month(year, month);
        month += 1;
    }
    (year, month, left + 1)
}

fn days_in_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}
