//! Reports: the same records for the terminal and for machines.
//!
//! A report knows verdicts and nothing of dialects. It is given a [`Header`], then the verdicts case by case, then a
//! [`Footer`]; a report without its footer was cut off.

mod diff;
mod json;
mod merge;
mod terminal;

use std::io;

use serde::{Deserialize, Serialize};

pub use json::JsonReport;
pub use merge::{MergeError, Recorded, merge};
pub use terminal::TerminalReport;

use crate::check::Check;
use crate::judge::{How, Status, Variations, Verdict};
use crate::level::Level;

/// The version of the records.
pub const SCHEMA: u32 = 1;

/// What a run is about to do.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Header {
    /// The version of the records.
    pub schema: u32,
    /// The version of anysplit.
    pub anysplit: String,
    /// The target's name.
    pub target: String,
    /// How many cases will be judged.
    pub cases: usize,
    /// How splittings are covered.
    pub splits: String,
    /// The seed of random splittings.
    pub seed: u64,
    /// What all parts of a run have in common and other runs have not: a hash of its cases, checks and known failures.
    pub selection: String,
    /// Which part of the cases this is, as `I/N`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// What a run came to.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Footer {
    /// The counts.
    pub counts: Counts,
    /// Known failures that did not occur although their cases were judged, in words.
    pub stale: Vec<String>,
    /// Whether every case was judged; false after an interruption.
    pub complete: bool,
}

impl Footer {
    /// Takes what another part of the same run came to for a part of this one.
    pub fn join(&mut self, other: &Self) {
        self.counts.join(&other.counts);
        self.stale.extend(other.stale.iter().cloned());
        self.complete &= other.complete;
    }
}

/// Verdicts, counted.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Cases that were judged.
    pub cases: usize,
    /// Checks that hold.
    pub passed: usize,
    /// Checks that do not apply.
    pub not_applicable: usize,
    /// Failures by level.
    pub failed: Failed,
    /// Failures that were known before.
    pub known: usize,
    /// Known failures that did not occur.
    pub stale: usize,
    /// Cases by how their splittings were covered.
    pub coverage: Covered,
    /// Cases with several calls by how the orders of their items were covered.
    pub orders: Covered,
}

/// Failures, counted by level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Failed {
    /// Of level must.
    pub must: usize,
    /// Of level should.
    pub should: usize,
    /// Of level may.
    pub may: usize,
}

/// Cases, counted by how their variations were covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Covered {
    /// All of them, by merging equal states.
    pub proved: usize,
    /// The thorough selection.
    pub thorough: usize,
    /// The quick selection.
    pub quick: usize,
    /// Less than was asked for.
    pub sampled: usize,
    /// The largest number of variations of one case.
    pub most: Option<Variations>,
}

impl Counts {
    /// Counts the verdicts of one case.
    pub fn add(&mut self, verdicts: &[Verdict]) {
        self.cases += 1;
        for verdict in verdicts {
            match (verdict.status, verdict.level) {
                (Status::Pass, _) => self.passed += 1,
                (Status::NotApplicable, _) => self.not_applicable += 1,
                (Status::Known, _) => self.known += 1,
                (Status::Fail, Level::Must) => self.failed.must += 1,
                (Status::Fail, Level::Should) => self.failed.should += 1,
                (Status::Fail, Level::May) => self.failed.may += 1,
            }
            match verdict.check {
                Check::Split => self.coverage.add(verdict),
                Check::Interleave => self.orders.add(verdict),
                _ => {}
            }
        }
    }

    fn join(&mut self, other: &Self) {
        // Taken apart, so that none is forgotten.
        let Self { cases, passed, not_applicable, failed, known, stale, coverage, orders } = other;
        self.cases += cases;
        self.passed += passed;
        self.not_applicable += not_applicable;
        self.failed.must += failed.must;
        self.failed.should += failed.should;
        self.failed.may += failed.may;
        self.known += known;
        self.stale += stale;
        self.coverage.join(coverage);
        self.orders.join(orders);
    }

    /// How many verdicts that are.
    pub(crate) fn verdicts(&self) -> usize {
        self.passed + self.not_applicable + self.known + self.failed.must + self.failed.should + self.failed.may
    }

    /// Whether anything was judged.
    pub fn judged_nothing(&self) -> bool {
        self.passed + self.known + self.failed.must + self.failed.should + self.failed.may == 0
    }
}

impl Covered {
    fn join(&mut self, other: &Self) {
        let Self { proved, thorough, quick, sampled, most } = other;
        self.proved += proved;
        self.thorough += thorough;
        self.quick += quick;
        self.sampled += sampled;
        self.most = self.most.max(*most);
    }

    fn add(&mut self, verdict: &Verdict) {
        let Some(coverage) = verdict.coverage else { return };
        match coverage.how {
            How::Proved => self.proved += 1,
            How::Thorough | How::Every => self.thorough += 1,
            How::Quick => self.quick += 1,
            How::Sampled => self.sampled += 1,
        }
        self.most = self.most.max(Some(coverage.variations));
    }
}

/// Writes a run's records somewhere.
pub trait Report {
    /// Before the first case.
    fn header(&mut self, header: &Header) -> io::Result<()>;

    /// The verdicts of one case.
    fn case(&mut self, verdicts: &[Verdict]) -> io::Result<()>;

    /// After the last case.
    fn footer(&mut self, footer: &Footer) -> io::Result<()>;
}
