//! The check `interleave`: all orders of an input's calls at once, or a selection of them.

use serde_json::Value;

use super::observe::{Faulted, Observation};
use super::{Answer, How, Trial, Variations};
use crate::event::Event;
use crate::input::Chunk;
use crate::proof::{Ordered, Told, by_call};
use crate::target::Attempt;
use crate::variation::Cuts;
use crate::variation::interleave::{Merge, closest_order};

/// So many orders are tried where they cannot be covered at once.
const TRIED: usize = 500;

pub(super) fn interleave(trial: &Trial<'_>) -> Answer {
    let Chunk::Objects(items) = trial.observer.atoms.whole() else {
        return Answer::not_applicable("the input is no list of items");
    };
    let Some(owners) = trial.case.dialect.owners(items) else {
        return Answer::not_applicable("it cannot be told which items belong together");
    };
    let merge = Merge::of(&owners);
    let orders = match merge.orders() {
        Some(1) => return Answer::not_applicable("there is only one order"),
        orders => orders.map_or(Variations::Counted(u128::MAX), Variations::Counted),
    };
    let orders = Orders { trial, items, whole: told(trial, trial.whole.actual.clone()), orders };
    match trial.observer.prove_orders(items, &merge) {
        Attempt::Proved(outcomes) => orders.proved(outcomes),
        Attempt::Faulted(order, fault) => {
            trial.observer.remember(&Cuts::NONE, fault);
            orders.failed(How::Sampled, &order, "found before all orders were covered".to_owned())
        }
        Attempt::PastCap => orders.tried(&merge, How::Sampled),
        Attempt::Cannot => orders.tried(&merge, How::Thorough),
    }
}

fn told(trial: &Trial<'_>, events: Vec<Event>) -> Told {
    by_call(events, |event| trial.case.dialect.call_of_event(event))
}

struct Orders<'a> {
    trial: &'a Trial<'a>,
    items: &'a [Value],
    /// What is told of each call in the order that the case has.
    whole: Told,
    orders: Variations,
}

impl Orders<'_> {
    fn proved(&self, outcomes: Vec<Ordered>) -> Answer {
        let asked_for = |told: Told| self.told(told.into_values().flatten().collect());
        let wrong = outcomes.into_iter().find(|outcome| asked_for(outcome.told.clone()) != self.whole);
        match wrong {
            None => Answer::pass(How::Proved, self.orders),
            Some(outcome) => self.failed(How::Proved, &outcome.order, format!("some of {} orders fail", self.orders)),
        }
    }

    fn tried(&self, merge: &Merge, how: How) -> Answer {
        let orders = merge.sample(TRIED, self.trial.judge.seed);
        let all = Variations::counted(orders.len()) == self.orders;
        let how = if all { How::Every } else { how };
        let wrong: Vec<&Vec<usize>> = orders.iter().filter(|order| self.fails(order)).collect();
        match wrong.first() {
            // `survive` says it, and on which order cannot be asked again.
            _ if self.trial.observer.is_lost() => Answer::NOTHING,
            None => Answer::pass(how, Variations::counted(orders.len())),
            Some(order) => self.failed(how, order, format!("{} of {} orders fail", wrong.len(), orders.len())),
        }
    }

    fn told(&self, events: Vec<Event>) -> Told {
        told(self.trial, self.trial.observer.asked_for(events))
    }

    fn run(&self, order: &[usize]) -> Result<Observation, Faulted> {
        self.trial.observer.run_items(&self.in_order(order))
    }

    fn in_order(&self, order: &[usize]) -> Vec<Value> {
        order.iter().map(|&at| self.items[at].clone()).collect()
    }

    fn fails(&self, order: &[usize]) -> bool {
        self.run(order).map_or(true, |seen| self.told(seen.actual) != self.whole)
    }

    /// A failure, shown by an order as close to the given one as still fails, and by the first call that is told otherwise.
    fn failed(&self, how: How, order: &[usize], failing: String) -> Answer {
        // An order on which the walk met a fault ends there.
        let rest: Vec<usize> = (0..self.items.len()).filter(|at| !order.contains(at)).collect();
        let order = closest_order(&[order, &rest].concat(), |order| self.fails(order));
        let came = self.run(&order).map(|seen| self.told(seen.actual)).unwrap_or_default();
        let mut calls = self.whole.keys().chain(came.keys());
        let call = calls.find(|call| self.whole.get(*call) != came.get(*call)).cloned().flatten();
        let of = |told: &Told| told.get(&call).cloned().unwrap_or_default();
        let seen = self.trial.observer.of_events(&Cuts::NONE, of(&came)).against(of(&self.whole));
        let whose = call.as_ref().map_or("of no call".to_owned(), |call| format!("of {call:?}"));
        let message = format!("in this order the events {whose} are others than in the order of the case");
        let failure = self.trial.observer.failure_of_items(self.in_order(&order), seen, message, failing);
        Answer::fail(how, self.orders, failure)
    }
}
