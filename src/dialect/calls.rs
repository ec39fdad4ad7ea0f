//! What lifecycle dialects share: the calls of a stream by id, and the text that deltas join to.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use super::options::Limit;
use crate::event::same_value;
use crate::scan::json;

/// So many calls that have ended, or wait, are remembered at least; what comes for an older one is taken for a new call's. Open calls
/// are all remembered: at the end they must be told.
pub(crate) const REMEMBERED: u64 = 1 << 16;

/// The calls of a stream. Looked up by their own ids and nothing else (C33).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Calls<C: Eq> {
    /// Few at a time, and looked up with every item.
    open: Table<C>,
    /// Those that wait and those that have ended: any number. Forgotten by generations of [`REMEMBERED`].
    settled: Table<C>,
    seen: u64,
    any_ended: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Known<C> {
    /// The how-manieth call of the stream it is while it is open, then the generation of its last change: equal lives are equal
    /// states.
    number: u64,
    /// Shared between clones: the proofs clone a machine for every step.
    call: Arc<C>,
}

/// Calls by their ids. A map in order would cost a stream of many calls most of its time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Table<C: Eq>(HashMap<Arc<str>, Known<C>>);

impl<C: Eq + Hash> Hash for Table<C> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let one = |entry: (&Arc<str>, &Known<C>)| {
            let mut hasher = DefaultHasher::new();
            entry.hash(&mut hasher);
            hasher.finish()
        };
        // In no order, as the map has none.
        self.0.iter().map(one).fold(0, u64::wrapping_add).hash(hasher);
    }
}

impl<C: Eq> Default for Calls<C> {
    fn default() -> Self {
        Self { open: Table(HashMap::new()), settled: Table(HashMap::new()), seen: 0, any_ended: false }
    }
}

impl<C: Clone + Eq> Calls<C> {
    pub(super) fn get(&self, id: &str) -> Option<&C> {
        self.open.0.get(id).or_else(|| self.settled.0.get(id)).map(|known| &*known.call)
    }

    /// A call that is to be changed.
    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut C> {
        let known = self.open.0.get_mut(id).or_else(|| self.settled.0.get_mut(id));
        known.map(|known| Arc::make_mut(&mut known.call))
    }

    /// Whether any call was seen.
    pub(super) fn any(&self) -> bool {
        self.seen > 0
    }

    /// Whether any call has ended.
    pub(super) fn any_ended(&self) -> bool {
        self.any_ended
    }

    /// A new call; true if others were forgotten over it.
    pub(super) fn insert(&mut self, id: &str, call: C) -> bool {
        self.seen += 1;
        let forgets = self.seen.is_multiple_of(REMEMBERED);
        if forgets {
            let generation = self.generation();
            self.settled.0.retain(|_, known| known.number + 1 >= generation);
        }
        self.open.0.insert(id.into(), Known { number: self.seen, call: Arc::new(call) });
        forgets
    }

    fn generation(&self) -> u64 {
        self.seen / REMEMBERED
    }

    /// The call has changed and is not open: when it appeared will not be asked any more.
    pub(super) fn settle(&mut self, id: &str) {
        let generation = self.generation();
        if let Some((id, known)) = self.open.0.remove_entry(id) {
            self.settled.0.insert(id, Known { number: generation, ..known });
        } else if let Some(known) = self.settled.0.get_mut(id) {
            known.number = generation;
        }
    }

    /// The call has ended: keeps only what must be known of it.
    pub(super) fn end(&mut self, id: &str, keep: impl FnOnce(&C) -> C) {
        self.settle(id);
        self.any_ended = true;
        if let Some(known) = self.settled.0.get_mut(id) {
            known.call = Arc::new(keep(&known.call));
        }
    }

    /// The ids of the open calls for which this holds, in the order in which the calls first appeared.
    pub(super) fn ids(&self, holds: impl Fn(&C) -> bool) -> Vec<String> {
        let open = self.open.0.iter().filter(|(_, known)| holds(&known.call));
        let mut found: Vec<(u64, &Arc<str>)> = open.map(|(id, known)| (known.number, id)).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id.to_string()).collect()
    }
}

/// The text that deltas join to, as long as it is within the limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Join {
    /// So far.
    Text(String),
    /// It was too long, and is no longer held.
    GivenUp,
}

impl Default for Join {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Join {
    /// Takes the next piece; false if with it the text became too long.
    pub(super) fn push(&mut self, piece: &str, limit: Limit) -> bool {
        let Self::Text(text) = self else { return true };
        if text.len() + piece.len() > limit.bytes() {
            *self = Self::GivenUp;
            return false;
        }
        text.push_str(piece);
        true
    }

    /// The text, if there is one that is not empty.
    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text.as_str()).filter(|text| !text.is_empty()) } else { None }
    }

    /// Whether the text is JSON for this value; nothing where there is no text to ask.
    pub(super) fn is_json_for(&self, value: &Value) -> Option<bool> {
        let text = self.text()?;
        Some(json::any(text.as_bytes()).is_some_and(|joined| same_value(&joined, value)))
    }
}
