//! All splittings of an input at once.
//!
//! An input of n characters can be cut in 2^(n−1) ways. A machine that can be cloned and compared need not be run on each:
//! the walk goes over the offsets from left to right and keeps the *distinct* pairs of (state, output so far) that any
//! splitting reaches there. From each pair at offset i every slice i..j is fed, and what arrives at j is merged with what is
//! already there. A machine for which chunking means nothing keeps one pair per offset, and n(n+1)/2 feeds prove all its
//! splittings; one that keeps a few is still judged exactly. Past a cap the walk gives up, and says so.

mod orders;

use std::collections::HashMap;
use std::hash::Hash;

use crate::erased::State;
use crate::event::{Event, TextKind, normal_form};
use crate::fault::{Fault, catching, flood_from};
use crate::machine::{Machine, Sink};
use crate::variation::{Atoms, Cuts};

pub(crate) use orders::prove_orders_of;
pub use orders::{Ordered, Told, by_call, prove_orders};

/// Where the walk gives up.
#[derive(Clone, Copy, Debug)]
pub struct Cap {
    /// Distinct pairs at one offset.
    pub pairs: usize,
    /// Feeds in all.
    pub feeds: usize,
    /// Characters in all of these feeds.
    pub characters: usize,
}

impl Default for Cap {
    fn default() -> Self {
        Self { pairs: 64, feeds: 4_000_000, characters: 1 << 28 }
    }
}

/// What all splittings of an input lead to.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The distinct outcomes in normal form; the first is that of the whole input in one chunk.
    pub outcomes: Vec<Outcome>,
    /// How many feeds it took.
    pub feeds: usize,
    /// The most distinct pairs at one offset.
    pub pairs: usize,
}

/// What some splittings lead to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The events, in normal form.
    pub events: Vec<Event>,
    /// A splitting with the fewest cuts that leads here.
    pub cuts: Cuts,
    /// The share of all splittings without empty chunks that lead here; may be too small to be told from 0.
    pub share: f64,
    /// Whether only splittings with empty chunks lead here.
    pub only_with_empty_chunks: bool,
}

/// Something whose state can be fed in several ways, each from the same point.
pub trait Forks {
    /// A state; equal ones behave alike from there on.
    type State: Clone + PartialEq;

    /// Before the first atom.
    fn start(&mut self) -> Self::State;

    /// Feeds the atoms from `at` to before `end`, as one chunk, to a copy of a state that stands `at`: the state after.
    fn feed(&mut self, state: &Self::State, at: usize, end: usize, sink: &mut impl Sink) -> Result<Self::State, Fault>;

    /// Finishes a state that stands behind the last atom.
    fn finish(&mut self, state: Self::State, sink: &mut impl Sink) -> Result<(), Fault>;

    /// How running text is named where it comes as such.
    fn text(&self) -> TextKind {
        TextKind::Text
    }
}

/// A machine in this process, forked by cloning it.
struct Cloned<'a> {
    start: State,
    atoms: &'a Atoms<'a>,
}

impl Forks for Cloned<'_> {
    type State = State;

    fn start(&mut self) -> State {
        self.start.clone()
    }

    fn feed(&mut self, state: &State, at: usize, end: usize, sink: &mut impl Sink) -> Result<State, Fault> {
        let mut state = state.clone();
        catching(|| state.0.feed(self.atoms.slice(at, end), sink))?;
        Ok(state)
    }

    fn finish(&mut self, state: State, sink: &mut impl Sink) -> Result<(), Fault> {
        catching(|| state.0.finish(sink))
    }

    fn text(&self) -> TextKind {
        self.start.0.text()
    }
}

/// Walks all splittings of an input; nothing if the walk passes the cap, an error if the machine fails on a splitting.
pub fn prove<M>(start: M, atoms: &Atoms<'_>, cap: Cap) -> Result<Option<Proof>, (Cuts, Fault)>
where
    M: Machine + Clone + Eq + Hash + 'static,
{
    prove_state(State::of(start), atoms, cap)
}

/// The same for a machine of any type.
pub(crate) fn prove_state(start: State, atoms: &Atoms<'_>, cap: Cap) -> Result<Option<Proof>, (Cuts, Fault)> {
    prove_forks(Cloned { start, atoms }, atoms, cap)
}

/// The same for anything that can be forked.
pub fn prove_forks(mut forks: impl Forks, atoms: &Atoms<'_>, cap: Cap) -> Result<Option<Proof>, (Cuts, Fault)> {
    if !within(cap, atoms.len()) {
        return Ok(None);
    }
    let room = flood_from(atoms.whole().size());
    let places = vec![Vec::new(); atoms.len() + 1];
    let state = Some(forks.start());
    let mut walk = Walk { forks, len: atoms.len(), cap, outputs: Outputs::default(), places, feeds: 0, room };
    walk.places[0].push(Pair { state, output: ROOT, share: 1.0, empty: false, chunks: 0, from: None });
    let walked = (0..=atoms.len()).try_for_each(|offset| {
        walk.feed_nothing(offset)?;
        walk.feed_slices(offset)
    });
    match walked.and_then(|()| walk.finish()) {
        Ok(proof) => Ok(Some(proof)),
        Err(Stop::PastCap) => Ok(None),
        Err(Stop::Faulted(cuts, fault)) => Err((cuts, fault)),
    }
}

/// Whether the least that a walk over so many characters must do is within the cap: n(n+1)/2 feeds of n(n+1)(n+2)/6
/// characters.
fn within(cap: Cap, len: usize) -> bool {
    let feeds = len.saturating_mul(len + 1) / 2;
    feeds <= cap.feeds && feeds.saturating_mul(len + 2) / 3 <= cap.characters
}

/// Why a walk ended early.
enum Stop {
    PastCap,
    Faulted(Cuts, Fault),
}

struct Walk<F: Forks> {
    forks: F,
    len: usize,
    cap: Cap,
    outputs: Outputs,
    /// The distinct pairs at each offset. The state is dropped once all slices from there were fed.
    places: Vec<Vec<Pair<F::State>>>,
    feeds: usize,
    /// How much may come out of one feed.
    room: usize,
}

#[derive(Clone)]
struct Pair<S> {
    state: Option<S>,
    output: OutputId,
    share: f64,
    /// Whether only ways with empty chunks lead here.
    empty: bool,
    /// The fewest chunks that lead here.
    chunks: usize,
    /// The pair before the last of these chunks: its offset, and its number there.
    from: Option<(usize, usize)>,
}

impl<F: Forks> Walk<F> {
    /// Empty chunks must change nothing; where one does, it makes a pair of its own.
    fn feed_nothing(&mut self, offset: usize) -> Result<(), Stop> {
        let mut number = 0;
        while number < self.places[offset].len() {
            let pair = self.step(offset, number, offset)?;
            self.arrive(offset, Pair { share: 0.0, empty: true, ..pair })?;
            number += 1;
        }
        Ok(())
    }

    fn feed_slices(&mut self, offset: usize) -> Result<(), Stop> {
        for number in 0..self.places[offset].len() {
            for end in offset + 1..=self.len {
                let pair = self.step(offset, number, end)?;
                self.arrive(end, pair)?;
            }
            if offset < self.len {
                self.places[offset][number].state = None;
            }
        }
        Ok(())
    }

    /// Feeds the slice from `offset` to `end` to a pair.
    fn step(&mut self, offset: usize, number: usize, end: usize) -> Result<Pair<F::State>, Stop> {
        self.feeds += 1;
        if self.feeds > self.cap.feeds {
            return Err(Stop::PastCap);
        }
        let pair = &self.places[offset][number];
        let Some(state) = &pair.state else { return Err(Stop::PastCap) };
        let (share, empty, chunks) = (pair.share * share_of_step(offset, end), pair.empty, pair.chunks + 1);
        let kind = self.forks.text();
        let mut output = Appender { kind, outputs: &mut self.outputs, at: pair.output, room: self.room };
        let fed = self.forks.feed(state, offset, end, &mut output);
        let (output, room) = (output.at, output.room);
        match fed {
            Ok(state) if room > 0 => {
                Ok(Pair { state: Some(state), output, share, empty, chunks, from: Some((offset, number)) })
            }
            Ok(_) => Err(Stop::Faulted(self.cuts_with(offset, number, end), Fault::Flood)),
            Err(fault) => Err(Stop::Faulted(self.cuts_with(offset, number, end), fault)),
        }
    }

    /// Merges a pair into those at an offset.
    fn arrive(&mut self, offset: usize, pair: Pair<F::State>) -> Result<(), Stop> {
        let place = &mut self.places[offset];
        match place.iter_mut().find(|other| other.output == pair.output && other.state == pair.state) {
            Some(known) => {
                known.share += pair.share;
                known.empty &= pair.empty;
                if pair.chunks < known.chunks {
                    (known.chunks, known.from) = (pair.chunks, pair.from);
                }
            }
            None => place.push(pair),
        }
        if place.len() > self.cap.pairs { Err(Stop::PastCap) } else { Ok(()) }
    }

    fn finish(mut self) -> Result<Proof, Stop> {
        let last = self.places.len() - 1;
        // Equal outputs stand side by side; the whole input in one chunk was the first to arrive at the end.
        let mut ends: Vec<(OutputId, Vec<usize>)> = Vec::new();
        for number in 0..self.places[last].len() {
            let pair = &mut self.places[last][number];
            let Some(state) = pair.state.take() else { continue };
            let kind = self.forks.text();
            let mut output = Appender { kind, outputs: &mut self.outputs, at: pair.output, room: self.room };
            let finished = self.forks.finish(state, &mut output);
            let (end, room) = (output.at, output.room);
            if let Some(fault) = finished.err().or((room == 0).then_some(Fault::Flood)) {
                return Err(Stop::Faulted(self.cuts(last, number), fault));
            }
            match ends.iter_mut().find(|(known, _)| *known == end) {
                Some((_, numbers)) => numbers.push(number),
                None => ends.push((end, vec![number])),
            }
        }
        let outcomes = ends.iter().map(|(end, numbers)| self.outcome(*end, numbers)).collect();
        Ok(Proof { outcomes, feeds: self.feeds, pairs: self.places.iter().map(Vec::len).max().unwrap_or(0) })
    }

    /// What the pairs of these numbers at the end, whose outputs are equal, stand for.
    fn outcome(&self, end: OutputId, numbers: &[usize]) -> Outcome {
        let last = self.places.len() - 1;
        let pair = |number: &usize| &self.places[last][*number];
        let shortest = numbers.iter().min_by_key(|number| pair(number).chunks).copied().unwrap_or_default();
        Outcome {
            events: self.outputs.events(end),
            cuts: self.cuts(last, shortest),
            share: numbers.iter().map(|number| pair(number).share).sum(),
            only_with_empty_chunks: numbers.iter().all(|number| pair(number).empty),
        }
    }

    /// The cuts of a shortest way to a pair, and on over one chunk more to `end`.
    fn cuts_with(&self, offset: usize, number: usize, end: usize) -> Cuts {
        let mut cuts = self.cuts(offset, number);
        cuts.0.extend(self.places[offset][number].from.map(|_| offset));
        cuts.0.extend((end < self.len).then_some(end));
        cuts
    }

    /// The cuts of a shortest way to a pair.
    fn cuts(&self, mut offset: usize, mut number: usize) -> Cuts {
        let mut cuts = Vec::new();
        while let Some((before, pair)) = self.places[offset][number].from {
            cuts.push(before);
            (offset, number) = (before, pair);
        }
        cuts.pop(); // where the first chunk begins
        cuts.reverse();
        Cuts(cuts)
    }
}

/// Of the 2^(end−1) ways to cut the first `end` characters, the share whose last chunk begins at `offset`, relative to the
/// share of the ways to get to `offset`.
fn share_of_step(offset: usize, end: usize) -> f64 {
    let halvings = if offset == 0 { end.saturating_sub(1) } else { end - offset };
    0.5_f64.powi(i32::try_from(halvings).unwrap_or(i32::MAX))
}

/// All outputs that were seen, each once, so that equal outputs have equal ids.
///
/// An output is a sequence of symbols: characters and whole events, which makes the normal form a matter of course. The
/// sequences form a tree. Almost all of them lie on its first branch, along which one moves without looking anything up.
#[derive(Default)]
struct Outputs {
    branches: Vec<Vec<Symbol>>,
    /// Where another symbol follows than the branch has: the branch that has it.
    forks: HashMap<(OutputId, Symbol), usize>,
    events: Vec<Event>,
    event_numbers: HashMap<Event, u32>,
}

/// A place in the tree: a branch, and how many of its symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct OutputId {
    branch: usize,
    len: usize,
}

/// The output of nothing.
const ROOT: OutputId = OutputId { branch: 0, len: 0 };

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Char(TextKind, char),
    Event(u32),
}

impl Outputs {
    fn text(&mut self, at: OutputId, kind: TextKind, text: &str) -> OutputId {
        // Nearly always the text that followed here before: the branch has it.
        let branch = self.branches.get(at.branch).map_or(&[][..], |symbols| &symbols[at.len..]);
        let same = text.chars().zip(branch).take_while(|&(char, &symbol)| symbol == Symbol::Char(kind, char)).count();
        let at = OutputId { len: at.len + same, ..at };
        text.chars().skip(same).fold(at, |at, char| self.push(at, Symbol::Char(kind, char)))
    }

    fn event(&mut self, at: OutputId, event: Event) -> OutputId {
        if let Some((kind, text)) = event.running_text() {
            return self.text(at, kind, text);
        }
        match self.branches.get(at.branch).and_then(|symbols| symbols.get(at.len)) {
            // Nearly always the event that followed here before: no need to look it up.
            Some(&Symbol::Event(number)) if self.events[number as usize] == event => {
                self.push(at, Symbol::Event(number))
            }
            _ => {
                let number = self.number(event);
                self.push(at, Symbol::Event(number))
            }
        }
    }

    fn number(&mut self, event: Event) -> u32 {
        if let Some(&number) = self.event_numbers.get(&event) {
            return number;
        }
        let number = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.events.push(event.clone());
        self.event_numbers.insert(event, number);
        number
    }

    fn push(&mut self, at: OutputId, symbol: Symbol) -> OutputId {
        if self.branches.is_empty() {
            self.branches.push(Vec::new());
        }
        let OutputId { branch, len } = at;
        let symbols = &mut self.branches[branch];
        if len == symbols.len() {
            symbols.push(symbol);
        }
        if symbols[len] == symbol {
            return OutputId { branch, len: len + 1 };
        }
        let next = self.branches.len();
        let fork = *self.forks.entry((at, symbol)).or_insert(next);
        if fork == next {
            let mut symbols = self.branches[branch][..len].to_vec();
            symbols.push(symbol);
            self.branches.push(symbols);
        }
        OutputId { branch: fork, len: len + 1 }
    }

    fn events(&self, at: OutputId) -> Vec<Event> {
        let symbols = self.branches.get(at.branch).map_or(&[][..], |symbols| &symbols[..at.len]);
        normal_form(symbols.iter().map(|symbol| match symbol {
            Symbol::Char(kind, char) => kind.event(char.encode_utf8(&mut [0; 4])),
            Symbol::Event(number) => self.events[*number as usize].clone(),
        }))
    }
}

/// A sink that moves from output to output.
struct Appender<'a> {
    kind: TextKind,
    outputs: &'a mut Outputs,
    at: OutputId,
    /// How much more there may be in this feed; at 0 the rest is dropped, and the machine floods.
    room: usize,
}

impl Appender<'_> {
    fn has_room(&mut self, size: usize) -> bool {
        self.room = self.room.saturating_sub(size);
        self.room > 0
    }
}

impl Sink for Appender<'_> {
    fn text(&mut self, text: &str) {
        if self.has_room(text.len()) {
            self.at = self.outputs.text(self.at, self.kind, text);
        }
    }

    fn event(&mut self, event: Event) {
        if self.has_room(1) {
            self.at = self.outputs.event(self.at, event);
        }
    }
}
