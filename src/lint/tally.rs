//! What was seen of each rule, and a sink that counts it.

use serde::Serialize;

use super::Finding;
use super::paths::{Path, Paths};
use super::place::Place;
use crate::event::Event;
use crate::machine::{Change, Sink, Words};

/// What was seen of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleCount {
    /// The rule's id.
    pub rule: &'static str,
    /// How often it applied and was kept.
    pub held: u64,
    /// How often it was broken.
    pub violated: u64,
    /// What that comes to.
    pub observed: Observed,
}

/// What a stream says about a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observed {
    /// It applied, and was kept every time.
    Held,
    /// It was broken.
    Violated,
    /// Nothing came to which it applies; never a pass.
    NotObserved,
}

impl RuleCount {
    /// Whether something was judged if all that any stream keeps are these rules: a broken one is a judgement too.
    pub(super) fn judges(&self, form: &[&str]) -> bool {
        self.violated > 0 || self.held > 0 && !form.contains(&self.rule)
    }
}

/// Counts per rule, and the ways of the calls.
pub(super) struct Tally {
    rules: Vec<RuleCount>,
    /// Where in the list the rule of a number is: looked up several times for every item.
    places: Vec<Option<usize>>,
    paths: Paths,
}

impl Tally {
    pub(super) fn new(rules: &[&'static str]) -> Self {
        let count = |&rule: &&'static str| RuleCount { rule, held: 0, violated: 0, observed: Observed::NotObserved };
        let most = rules.iter().map(|rule| number(rule)).max().unwrap_or(0);
        let place = |nth: usize| rules.iter().position(|rule| number(rule) == nth);
        let places = (0..=most).map(place).collect();
        Self { rules: rules.iter().map(count).collect(), places, paths: Paths::default() }
    }

    /// A sink for what comes of the item at this place.
    pub(super) fn at<'a>(&'a mut self, place: &Place, out: &'a mut dyn FnMut(Finding)) -> Counting<'a> {
        self.at_line(place.line(), place, out)
    }

    /// The same, for what began on this line.
    pub(super) fn at_line<'a>(&'a mut self, line: u64, place: &Place, out: &'a mut dyn FnMut(Finding)) -> Counting<'a> {
        Counting { tally: self, line, event: place.items, out }
    }

    fn count(&mut self, rule: &'static str) -> Option<&mut RuleCount> {
        let place = self.places.get(number(rule)).copied().flatten()?;
        self.rules.get_mut(place)
    }

    /// How many calls there were, the ways that they went, and what was seen of each rule.
    pub(super) fn finish(mut self) -> (u64, Vec<Path>, Vec<RuleCount>) {
        for count in &mut self.rules {
            count.observed = match (count.held, count.violated) {
                (0, 0) => Observed::NotObserved,
                (_, 0) => Observed::Held,
                _ => Observed::Violated,
            };
        }
        let (calls, paths) = self.paths.finish();
        (calls, paths, self.rules)
    }
}

/// The number in a rule's id: all rules of a tally are of one dialect.
fn number(rule: &str) -> usize {
    rule.bytes().skip(1).fold(0, |number, digit| 10 * number + usize::from(digit & 15))
}

pub(super) struct Counting<'a> {
    tally: &'a mut Tally,
    line: u64,
    event: u64,
    out: &'a mut dyn FnMut(Finding),
}

impl Sink for Counting<'_> {
    fn text(&mut self, _text: &str) {}

    fn event(&mut self, _event: Event) {}

    fn wants_events(&self) -> bool {
        false
    }

    fn change(&mut self, change: Change<'_>, _event: impl FnOnce() -> Event) {
        self.tally.paths.take(change);
    }

    fn violation(&mut self, rule: &'static str, call: Option<&str>, words: impl FnOnce() -> Words) {
        if let Some(count) = self.tally.count(rule) {
            count.violated += 1;
        }
        let Words { came, allowed } = words();
        let (line, event, call) = (self.line, self.event, call.map(str::to_owned));
        (self.out)(Finding { line, event, rule, call, came, allowed });
    }

    fn held(&mut self, rule: &'static str) {
        if let Some(count) = self.tally.count(rule) {
            count.held += 1;
        }
    }
}
