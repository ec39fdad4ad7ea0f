//! NDJSON: a header, one line per verdict, a footer. Described by `spec/schema/report.schema.json`.

use std::io::{self, Write};

use serde::Serialize;

use super::{Footer, Header, Report};
use crate::judge::Verdict;

/// A report for machines.
pub struct JsonReport<W> {
    out: W,
}

impl<W: Write> JsonReport<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }

    fn line(&mut self, record: &Record<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, record)?;
        self.out.write_all(b"\n")
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Record<'a> {
    Header(&'a Header),
    Verdict(&'a Verdict),
    Footer(&'a Footer),
}

impl<W: Write> Report for JsonReport<W> {
    fn header(&mut self, header: &Header) -> io::Result<()> {
        self.line(&Record::Header(header))
    }

    fn case(&mut self, verdicts: &[Verdict]) -> io::Result<()> {
        verdicts.iter().try_for_each(|verdict| self.line(&Record::Verdict(verdict)))
    }

    fn footer(&mut self, footer: &Footer) -> io::Result<()> {
        self.line(&Record::Footer(footer))?;
        self.out.flush()
    }
}
