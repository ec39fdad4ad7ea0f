//! Where in a stream we are.

use memchr::{memchr, memchr2};

use super::Framing;

/// Lines and items that have gone by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// How many bytes.
    pub(super) bytes: u64,
    pub(super) items: u64,
    /// Lines that have ended.
    lines: u64,
    /// Whether the last line ended with a CR, to which an LF may belong.
    after_cr: bool,
    /// The line on which the current item began, if it began on an earlier one.
    item_line: Option<u64>,
}

impl Place {
    /// The line on which the current item began, from 1.
    pub(super) fn line(&self) -> u64 {
        self.item_line.unwrap_or(self.lines + 1)
    }

    /// Goes over these bytes line by line. Each is given to `feed`, which says whether it ends within an item.
    pub(super) fn pass(&mut self, framing: Framing, bytes: &[u8], mut feed: impl FnMut(&mut Self, &[u8]) -> bool) {
        self.bytes += bytes.len() as u64;
        let cr_ends_lines = framing == Framing::Sse;
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = if cr_ends_lines { memchr2(b'\n', b'\r', rest) } else { memchr(b'\n', rest) };
            let (line, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            self.item_line = feed(self, line).then(|| self.line());
            self.lines += u64::from(end.is_some() && !(self.after_cr && line == b"\n"));
            self.after_cr = cr_ends_lines && line.ends_with(b"\r");
            rest = after;
        }
    }

    /// Goes over blanks before anything else.
    pub(super) fn pass_blanks(&mut self, blanks: &[u8]) {
        self.bytes += blanks.len() as u64;
        self.lines += memchr::memchr_iter(b'\n', blanks).count() as u64;
    }

    /// An item has been told of: what follows on its line is another's.
    pub(super) fn next_item(&mut self) {
        self.item_line = None;
    }
}
