//! All orders of the calls of an input at once.
//!
//! The same walk as over splittings, over the grid of positions: where k calls have n₁ … nₖ items, a place is how many items of
//! each call were fed. At each place the distinct pairs of (state, what was told of each call) are kept, and from each pair the
//! next item of every call is fed.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::Cap;
use crate::erased::State;
use crate::event::{Event, Form};
use crate::fault::{Fault, catching, flood_from};
use crate::input::Chunk;
use crate::machine::{Machine, Recorder};
use crate::variation::interleave::{Merge, Segment};

/// The events of each call, and under nothing those of no call.
pub type Told = BTreeMap<Option<String>, Vec<Event>>;

/// What some orders lead to.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// The events by call, in normal form.
    pub told: Told,
    /// An order that leads here: the items' indices.
    pub order: Vec<usize>,
}

/// Events sorted by the call that they tell of.
pub fn by_call(events: impl IntoIterator<Item = Event>, call_of: impl Fn(&Event) -> Option<String>) -> Told {
    let mut told = Told::new();
    for event in events {
        told.entry(call_of(&event)).or_default().push(event);
    }
    told.into_iter().map(|(call, events)| (call, Form::Snapshots.normal(events))).collect()
}

/// Walks all orders; nothing if the walk passes the cap, an error if the machine fails on an order.
pub fn prove_orders<M>(
    start: M,
    items: &[Value],
    merge: &Merge,
    call_of: impl Fn(&Event) -> Option<String>,
    cap: Cap,
) -> Result<Option<Vec<Ordered>>, (Vec<usize>, Fault)>
where
    M: Machine + Clone + Eq + Hash + 'static,
{
    prove_orders_of(State::of(start), items, merge, &call_of, cap)
}

/// The same for a machine of any type.
pub(crate) fn prove_orders_of(
    start: State,
    items: &[Value],
    merge: &Merge,
    call_of: &dyn Fn(&Event) -> Option<String>,
    cap: Cap,
) -> Result<Option<Vec<Ordered>>, (Vec<usize>, Fault)> {
    let room = flood_from(Chunk::Objects(items).size());
    let mut walk = Walk { items, call_of, cap, steps: 0, room, outputs: Outputs::default() };
    match walk.all(start, merge).and_then(|pairs| walk.finish(pairs)) {
        Ok(outcomes) => Ok(Some(outcomes)),
        Err(Stop::PastCap) => Ok(None),
        Err(Stop::Faulted(order, fault)) => Err((order, fault)),
    }
}

enum Stop {
    PastCap,
    Faulted(Vec<usize>, Fault),
}

struct Walk<'a> {
    items: &'a [Value],
    call_of: &'a dyn Fn(&Event) -> Option<String>,
    cap: Cap,
    steps: usize,
    /// How much may come out of one item.
    room: usize,
    outputs: Outputs,
}

/// Every event that was seen, once, so that what was told can be kept and compared as numbers.
#[derive(Default)]
struct Outputs {
    events: Vec<Event>,
    numbers: HashMap<Event, usize>,
    calls: Vec<Option<String>>,
}

#[derive(Clone)]
struct Pair {
    state: State,
    /// The events of each call, as numbers: the order between calls is not compared.
    told: BTreeMap<usize, Vec<usize>>,
    /// Of the state and of what was told: pairs that differ nearly always differ in it.
    hash: u64,
    order: Vec<usize>,
}

impl Walk<'_> {
    fn all(&mut self, start: State, merge: &Merge) -> Result<Vec<Pair>, Stop> {
        let mut pairs = vec![Pair { state: start, told: BTreeMap::new(), hash: 0, order: Vec::new() }];
        for segment in &merge.segments {
            pairs = match segment {
                Segment::Fixed(at) => self.fixed(&pairs, *at)?,
                Segment::Free(calls) => self.free(pairs, calls)?,
            };
        }
        Ok(pairs)
    }

    fn fixed(&mut self, pairs: &[Pair], at: usize) -> Result<Vec<Pair>, Stop> {
        let mut next = Vec::new();
        for pair in pairs {
            let pair = self.step(pair, at)?;
            self.arrive(&mut next, pair)?;
        }
        Ok(next)
    }

    /// Goes over the grid in layers of equally many items fed; the last layer is the one place where all are.
    fn free(&mut self, pairs: Vec<Pair>, calls: &[Vec<usize>]) -> Result<Vec<Pair>, Stop> {
        let mut layer = BTreeMap::from([(vec![0; calls.len()], pairs)]);
        for _ in 0..calls.iter().map(Vec::len).sum() {
            let mut next: BTreeMap<Vec<usize>, Vec<Pair>> = BTreeMap::new();
            for (place, pairs) in &layer {
                for (call, items) in calls.iter().enumerate() {
                    let Some(&at) = items.get(place[call]) else { continue };
                    let mut reached = place.clone();
                    reached[call] += 1;
                    let arrived = next.entry(reached).or_default();
                    for pair in pairs {
                        let pair = self.step(pair, at)?;
                        self.arrive(arrived, pair)?;
                    }
                }
            }
            layer = next;
        }
        Ok(layer.into_values().flatten().collect())
    }

    fn step(&mut self, pair: &Pair, at: usize) -> Result<Pair, Stop> {
        self.steps += 1;
        if self.steps > self.cap.feeds {
            return Err(Stop::PastCap);
        }
        let Pair { mut state, mut told, mut order, .. } = pair.clone();
        order.push(at);
        let mut recorder = Recorder::with_room(state.0.text(), self.room);
        let fed = catching(|| state.0.feed(Chunk::Objects(&self.items[at..=at]), &mut recorder));
        self.tell(&mut told, fed, recorder).map_err(|fault| Stop::Faulted(order.clone(), fault))?;
        let mut hasher = DefaultHasher::new();
        (&state, &told).hash(&mut hasher);
        Ok(Pair { state, told, hash: hasher.finish(), order })
    }

    /// Sorts in what came out, unless the machine failed or flooded.
    fn tell(
        &mut self,
        told: &mut BTreeMap<usize, Vec<usize>>,
        fed: Result<(), Fault>,
        mut recorder: Recorder,
    ) -> Result<(), Fault> {
        fed?;
        if recorder.overflowed() {
            return Err(Fault::Flood);
        }
        for event in recorder.take() {
            let call = self.outputs.number_of_call((self.call_of)(&event));
            told.entry(call).or_default().push(self.outputs.number_of_event(event));
        }
        Ok(())
    }

    fn arrive(&self, place: &mut Vec<Pair>, pair: Pair) -> Result<(), Stop> {
        if !place.iter().any(|other| other.hash == pair.hash && other.told == pair.told && other.state == pair.state) {
            place.push(pair);
        }
        if place.len() > self.cap.pairs { Err(Stop::PastCap) } else { Ok(()) }
    }

    fn finish(&mut self, pairs: Vec<Pair>) -> Result<Vec<Ordered>, Stop> {
        let mut outcomes: Vec<Ordered> = Vec::new();
        for Pair { state, mut told, order, .. } in pairs {
            let mut recorder = Recorder::with_room(state.0.text(), self.room);
            let finished = catching(|| state.0.finish(&mut recorder));
            self.tell(&mut told, finished, recorder).map_err(|fault| Stop::Faulted(order.clone(), fault))?;
            let events = told.values().flatten().map(|&number| self.outputs.events[number].clone());
            let told = by_call(events, self.call_of);
            if !outcomes.iter().any(|outcome| outcome.told == told) {
                outcomes.push(Ordered { told, order });
            }
        }
        Ok(outcomes)
    }
}

impl Outputs {
    fn number_of_event(&mut self, event: Event) -> usize {
        if let Some(&number) = self.numbers.get(&event) {
            return number;
        }
        self.events.push(event.clone());
        *self.numbers.entry(event).or_insert(self.events.len() - 1)
    }

    fn number_of_call(&mut self, call: Option<String>) -> usize {
        self.calls.iter().position(|known| *known == call).unwrap_or_else(|| {
            self.calls.push(call);
            self.calls.len() - 1
        })
    }
}
