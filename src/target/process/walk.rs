//! The proof of all splittings over a pipe: an adapter that can copy its implementation and tell its states apart.

use std::cell::Cell;

use super::child::Child;
use super::message::{self, Answer, Request};
use super::{Process, Setting};
use crate::fault::Fault;
use crate::machine::Sink;
use crate::proof::Forks;
use crate::target::Outcome;
use crate::variation::Atoms;

/// A walk under way in a child. A state is known by its fingerprint.
pub(super) struct Remote<'a> {
    process: &'a Process,
    child: &'a mut Child,
    len: usize,
    start: String,
    /// What the child answered for all the ends from this offset and state: the walk asks for them one after another.
    ahead: Option<Ahead>,
    lost: &'a Cell<Option<Feed>>,
}

/// What the walk wanted to know when the child was lost. It was asked for all ends from there, so that it may be any of them.
#[derive(Clone, Copy)]
pub(super) struct Feed {
    pub(super) at: usize,
    pub(super) end: usize,
}

struct Ahead {
    at: usize,
    state: String,
    /// For `at`, `at + 1` … in turn: what came out, and the state after.
    steps: Vec<Step>,
}

type Step = (Outcome, String);

impl<'a> Remote<'a> {
    pub(super) fn start(
        process: &'a Process,
        child: &'a mut Child,
        setting: Setting<'_>,
        atoms: &Atoms<'_>,
        lost: &'a Cell<Option<Feed>>,
    ) -> Result<Self, Fault> {
        let Setting { dialect, options } = setting;
        let walk = Request::Walk { dialect: dialect.name(), options, atoms: process.atoms(setting, atoms) };
        let start = one(process, child, &walk, message::walking)?;
        Ok(Self { process, child, len: atoms.len(), start, ahead: None, lost })
    }

    fn ahead(&mut self, at: usize, state: &str) -> Result<&Ahead, Fault> {
        let known = self.ahead.take().filter(|ahead| ahead.at == at && ahead.state == state);
        let ahead = match known {
            Some(ahead) => ahead,
            None => {
                let ends: Vec<usize> = (at..=self.len).collect();
                let count = ends.len();
                let fork = Request::Fork { at, state, ends };
                let steps = match one(self.process, self.child, &fork, |answer| message::forked(answer, count)) {
                    Err(Fault::Raised { .. }) => self.one_by_one(at, state)?,
                    steps => steps?,
                };
                Ahead { at, state: state.to_owned(), steps }
            }
        };
        Ok(self.ahead.insert(ahead))
    }

    /// One of the ends raises, and only its own answer says which.
    fn one_by_one(&mut self, at: usize, state: &str) -> Result<Vec<Step>, Fault> {
        let fork = |end| Request::Fork { at, state, ends: vec![end] };
        let forks: Vec<Request<'_>> = (at..=self.len).map(fork).collect();
        let answers = self.process.converse(self.child, &forks, |_, answer| message::forked(answer, 1));
        let answers = answers.map_err(|(_, fault)| fault)?.into_iter();
        let step = |answer: Result<Vec<Step>, Fault>| match answer {
            Ok(mut steps) => steps.pop().ok_or(Fault::GivenUp),
            Err(fault @ Fault::Raised { .. }) => Ok((Err(fault), String::new())),
            Err(fault) => Err(fault),
        };
        answers.map(step).collect()
    }
}

impl Forks for Remote<'_> {
    type State = String;

    fn start(&mut self) -> String {
        self.start.clone()
    }

    fn feed(&mut self, state: &String, at: usize, end: usize, sink: &mut impl Sink) -> Result<String, Fault> {
        let lost = self.lost;
        let ahead = self.ahead(at, state).inspect_err(|_| lost.set(Some(Feed { at, end })))?;
        let (events, after) = &ahead.steps[end - at];
        events.clone()?.into_iter().for_each(|event| sink.event(event));
        Ok(after.clone())
    }

    fn finish(&mut self, state: String, sink: &mut impl Sink) -> Result<(), Fault> {
        let finish = Request::Finish { state: &state };
        let out = one(self.process, self.child, &finish, |answer| message::ran(answer, 1))?;
        out.into_iter().flatten().for_each(|event| sink.event(event));
        Ok(())
    }
}

/// Asks one thing.
fn one<T>(
    process: &Process,
    child: &mut Child,
    request: &Request<'_>,
    read: impl Fn(&mut Answer) -> Result<T, message::Wrong>,
) -> Result<T, Fault> {
    let mut answers =
        process.converse(child, std::slice::from_ref(request), |_, answer| read(answer)).map_err(|(_, fault)| fault)?;
    answers.pop().unwrap_or(Err(Fault::GivenUp))
}
