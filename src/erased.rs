//! Machines whose type no longer matters.
//!
//! The engine runs, copies and compares machines of many types; here each type is reduced to a few calls that are looked up at
//! run time, so that the engine itself is compiled once and not once for every implementation.

use std::any::Any;
use std::hash::{Hash, Hasher};

use crate::event::TextKind;
use crate::input::{Chunk, Piece};
use crate::machine::{Machine, Sink};

/// A machine of any type.
pub(crate) trait AnyMachine {
    /// How it names its running text.
    fn text(&self) -> TextKind;

    /// Feeds it a chunk; one of a kind that it does not take is passed over.
    fn feed(&mut self, chunk: Chunk<'_>, sink: &mut dyn Sink);

    /// Coarsely where it stands.
    fn landmark(&self) -> u64;

    /// Finishes it.
    fn finish(self: Box<Self>, sink: &mut dyn Sink);
}

impl<M: Machine> AnyMachine for M {
    fn text(&self) -> TextKind {
        M::TEXT
    }

    fn feed(&mut self, chunk: Chunk<'_>, mut sink: &mut dyn Sink) {
        if let Some(chunk) = M::Chunk::of(chunk) {
            Machine::feed(self, chunk, &mut sink);
        }
    }

    fn landmark(&self) -> u64 {
        Machine::landmark(self)
    }

    fn finish(self: Box<Self>, mut sink: &mut dyn Sink) {
        Machine::finish(*self, &mut sink);
    }
}

/// A machine of any type that can be copied and compared.
pub(crate) trait AnyState: AnyMachine + Any {
    fn copy(&self) -> Box<dyn AnyState>;
    fn same(&self, other: &dyn AnyState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn as_any(&self) -> &dyn Any;
}

impl<M: Machine + Clone + Eq + Hash + 'static> AnyState for M {
    fn copy(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn same(&self, other: &dyn AnyState) -> bool {
        other.as_any().downcast_ref::<M>().is_some_and(|other| self == other)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A machine of any type, as a value that can be copied and compared.
pub(crate) struct State(pub(crate) Box<dyn AnyState>);

impl State {
    /// What this machine is.
    pub(crate) fn of(machine: impl Machine + Clone + Eq + Hash + 'static) -> Self {
        Self(Box::new(machine))
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&*other.0)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}
