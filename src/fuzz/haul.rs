//! What a fuzzer brings home: findings, each with how often it was met, and inputs that led to something new.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::landmarks::Landmarks;
use super::lane::{Event, Plan};
use crate::dialect::Dialect;
use crate::finding::{Finding, Met};
use crate::fuzz::Failed;
use crate::sample::Sample;

/// What a fuzzer has brought home so far, of all its lanes.
#[derive(Debug, Default)]
pub struct Haul {
    findings: BTreeMap<String, Finding>,
    landmarks: BTreeMap<Dialect, Landmarks>,
    /// Samples that led to something new for all lanes together.
    fresh: usize,
    not_asked: u64,
}

/// What an event added.
#[derive(Debug)]
pub enum Added<'a> {
    /// Nothing that was not there.
    Nothing,
    /// An input that leads to what none before it did.
    Input(Sample),
    /// A failure of a new kind, and how it fails.
    Finding(&'a Finding, Box<Failed>),
    /// Another failure of a kind that was met before.
    Again(&'a Finding),
}

impl Haul {
    /// Takes inputs for seen.
    pub fn begin_with<'s>(&mut self, samples: impl IntoIterator<Item = &'s Sample>) {
        for sample in samples {
            self.fresh += usize::from(self.landmarks.entry(sample.dialect).or_default().visit(sample));
        }
    }

    /// Takes in what a lane tells; what `met` says of the fuzzer goes into its findings.
    pub fn add(&mut self, plan: &Plan<'_>, event: Event, met: &Met) -> Added<'_> {
        match event {
            Event::NotAsked => self.not_asked += 1,
            Event::New(sample) => {
                if self.landmarks.entry(sample.dialect).or_default().visit(&sample) {
                    self.fresh += 1;
                    return Added::Input(sample);
                }
            }
            Event::Again { signature } => {
                if let Some(finding) = self.findings.get_mut(&signature) {
                    finding.record.times += 1;
                    return Added::Again(finding);
                }
            }
            Event::Failed { run, sample, failed } => {
                let signature = format!("{} {}", sample.dialect, failed.signature());
                let expected = plan.expected(&sample, &failed);
                let met = Met { run, ..met.clone() };
                let finding = Finding::new(&sample, (*failed).clone(), expected, &met);
                return match self.findings.entry(signature) {
                    Entry::Vacant(place) => Added::Finding(place.insert(finding), failed),
                    // Another lane met it too.
                    Entry::Occupied(known) => {
                        let known = known.into_mut();
                        known.join(finding);
                        Added::Again(known)
                    }
                };
            }
        }
        Added::Nothing
    }

    /// All findings, in the order of their signatures.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.values()
    }

    /// How many inputs led to something new.
    pub fn fresh(&self) -> usize {
        self.fresh
    }

    /// How many runs the target could not be asked about.
    pub fn not_asked(&self) -> u64 {
        self.not_asked
    }
}
