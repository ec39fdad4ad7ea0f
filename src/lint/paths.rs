//! The states that calls went through, counted by their way: a stream may hold any number of calls.

use std::collections::HashMap;

use serde::Serialize;

use crate::dialect::calls::REMEMBERED;
use crate::machine::{Change, Life};

/// A way that calls went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Path {
    /// The states, in order.
    pub states: Vec<&'static str>,
    /// How many calls went this way.
    pub calls: u64,
    /// The first of them.
    pub examples: Vec<String>,
}

/// So many different ways are told apart; calls that go another way are counted together.
const MOST_PATHS: usize = 1 << 10;
const EXAMPLES: usize = 3;

/// The ways of all calls, as a tree.
#[derive(Default)]
pub(super) struct Paths {
    nodes: Vec<Node>,
    /// How many calls there were.
    calls: u64,
    /// Where the calls are of which something must follow.
    open: HashMap<String, At>,
    /// Where the calls are that wait, and the generation in which each last changed: a reducer takes what comes for an older one for
    /// a new call's, so that its way ends here too.
    waiting: HashMap<String, (u64, At)>,
    not_followed: u64,
}

/// Where on its way a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Beginning,
    Node(usize),
    /// There were too many ways.
    NotFollowed,
}

struct Node {
    before: At,
    state: &'static str,
    calls: u64,
    examples: Vec<String>,
}

impl Paths {
    pub(super) fn take(&mut self, change: Change<'_>) {
        if change.is_new {
            self.calls += 1;
            if self.calls.is_multiple_of(REMEMBERED) {
                self.forget();
            }
        }
        let id = change.call;
        let before = self.open.get(id).or_else(|| self.waiting.get(id).map(|(_, at)| at)).copied();
        let at = self.after(before.filter(|_| !change.is_new).unwrap_or(At::Beginning), change.state);
        if change.life != Life::Open {
            self.open.remove(id);
        }
        let generation = self.calls / REMEMBERED;
        match change.life {
            Life::Open => put(&mut self.open, id, at),
            Life::Waiting => put(&mut self.waiting, id, (generation, at)),
            Life::Ended => {
                self.waiting.remove(id);
                self.arrived(at, id);
            }
        }
    }

    /// The calls that nothing is known of any more have arrived.
    fn forget(&mut self) {
        let generation = self.calls / REMEMBERED;
        let mut old: Vec<(String, At)> =
            self.waiting.extract_if(|_, (last, _)| *last + 1 < generation).map(|(call, (_, at))| (call, at)).collect();
        old.sort_unstable();
        for (call, at) in old {
            self.arrived(at, &call);
        }
    }

    /// The way that goes on with this state.
    fn after(&mut self, at: At, state: &'static str) -> At {
        match at {
            At::NotFollowed => return at,
            At::Node(node) if self.nodes[node].state == state => return at,
            At::Node(_) | At::Beginning => {}
        }
        let known = self.nodes.iter().position(|node| node.before == at && node.state == state);
        if let Some(known) = known {
            return At::Node(known);
        }
        if self.nodes.len() >= MOST_PATHS {
            return At::NotFollowed;
        }
        self.nodes.push(Node { before: at, state, calls: 0, examples: Vec::new() });
        At::Node(self.nodes.len() - 1)
    }

    fn arrived(&mut self, at: At, call: &str) {
        let At::Node(at) = at else { return self.not_followed += 1 };
        let node = &mut self.nodes[at];
        node.calls += 1;
        if node.examples.len() < EXAMPLES {
            node.examples.push(call.to_owned());
        }
    }

    /// How many calls there were, and the ways that they went.
    pub(super) fn finish(mut self) -> (u64, Vec<Path>) {
        let waiting = self.waiting.drain().map(|(call, (_, at))| (call, at));
        let mut left: Vec<(String, At)> = self.open.drain().chain(waiting).collect();
        left.sort_unstable();
        for (call, at) in left {
            self.arrived(at, &call);
        }
        let mut paths: Vec<Path> = (0..self.nodes.len()).filter_map(|at| self.path(at)).collect();
        if self.not_followed > 0 {
            paths.push(Path { states: vec!["not followed"], calls: self.not_followed, examples: Vec::new() });
        }
        paths.sort_by_key(|path| std::cmp::Reverse(path.calls));
        (self.calls, paths)
    }

    fn path(&self, at: usize) -> Option<Path> {
        let Node { calls, examples, .. } = &self.nodes[at];
        let mut states = Vec::new();
        let mut next = At::Node(at);
        while let At::Node(at) = next {
            states.push(self.nodes[at].state);
            next = self.nodes[at].before;
        }
        states.reverse();
        (*calls > 0).then(|| Path { states, calls: *calls, examples: examples.clone() })
    }
}

/// Puts a value where there is one, and otherwise a new entry: an id is copied once.
fn put<T>(map: &mut HashMap<String, T>, id: &str, value: T) {
    if let Some(place) = map.get_mut(id) {
        *place = value;
    } else {
        map.insert(id.to_owned(), value);
    }
}
