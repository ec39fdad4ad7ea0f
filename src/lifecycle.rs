//! The life of a tool call: one state machine, onto which every dialect maps its events.
//!
//! [`State::after`] is a total function on a state and a [`Move`]; `spec/lifecycle.json` is the same table as data, and a test
//! holds them equal. The references of the lifecycle dialects move their calls with it. The other way round, a dialect says of
//! each event that comes *out* which [`Step`] of which call it is, and [`Lives`] follows the calls through these steps: the checks
//! `once`, `identity` and `close` ask it, and know no dialect.
//!
//! ```
//! use anysplit::lifecycle::{Move, State};
//!
//! assert_eq!(State::InputStreaming.after(Move::Input), Ok(State::InputAvailable));
//! let refused = State::ApprovalRequested.after(Move::Output).unwrap_err();
//! assert_eq!(refused.to_string(), "output came in approval-requested, where approve, deny, output-denied is allowed");
//! ```

use std::fmt;

use serde_json::Value;

use crate::dialect::Dialect;
use crate::event::Event;

/// Where a call is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Nothing came of it yet.
    #[default]
    Absent,
    /// Its input is arriving.
    InputStreaming,
    /// Its input has arrived, and waits to be announced as a whole.
    InputEnded,
    /// Its input is known.
    InputAvailable,
    /// The user was asked.
    ApprovalRequested,
    /// The user said yes.
    Approved,
    /// The user said no.
    Denied,
    /// It was announced to be running: an outcome must come.
    Running,
    /// It has an output that another will replace.
    OutputPreliminary,
    /// It has its output.
    OutputAvailable,
    /// It failed.
    OutputError,
    /// It was not run.
    OutputDenied,
}

/// What can happen to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// Its input begins to arrive.
    Start,
    /// A piece of its input, or a sign of life.
    Delta,
    /// Its input has arrived.
    End,
    /// Its input, as a whole.
    Input,
    /// Its input is broken.
    InputError,
    /// The user is asked.
    Request,
    /// The user says yes.
    Approve,
    /// The user says no.
    Deny,
    /// It is announced to be running.
    Run,
    /// An output that another will replace.
    Preliminary,
    /// Its output.
    Output,
    /// It failed.
    OutputError,
    /// It was not run.
    OutputDenied,
}

impl State {
    /// All states.
    pub const ALL: [Self; 12] = [
        Self::Absent,
        Self::InputStreaming,
        Self::InputEnded,
        Self::InputAvailable,
        Self::ApprovalRequested,
        Self::Approved,
        Self::Denied,
        Self::Running,
        Self::OutputPreliminary,
        Self::OutputAvailable,
        Self::OutputError,
        Self::OutputDenied,
    ];

    /// The name, as in `spec/lifecycle.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::InputStreaming => "input-streaming",
            Self::InputEnded => "input-ended",
            Self::InputAvailable => "input-available",
            Self::ApprovalRequested => "approval-requested",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Running => "running",
            Self::OutputPreliminary => "output-preliminary",
            Self::OutputAvailable => "output-available",
            Self::OutputError => "output-error",
            Self::OutputDenied => "output-denied",
        }
    }

    /// The state's name in messages: one of seven.
    pub fn label(self) -> &'static str {
        match self {
            Self::InputEnded => Self::InputStreaming.name(),
            Self::Running => Self::InputAvailable.name(),
            Self::Approved | Self::Denied => "approval-responded",
            Self::OutputPreliminary => Self::OutputAvailable.name(),
            other => other.name(),
        }
    }

    /// Whether nothing may follow.
    pub fn is_final(self) -> bool {
        matches!(self, Self::OutputAvailable | Self::OutputError | Self::OutputDenied)
    }

    /// Whether something must follow: a call must not be left so.
    pub fn is_open(self) -> bool {
        matches!(self, Self::InputStreaming | Self::InputEnded | Self::Running)
    }

    /// The state after a move.
    pub fn after(self, step: Move) -> Result<Self, Refused> {
        self.next(step).ok_or(Refused { state: self, came: step })
    }

    /// Which moves are allowed.
    pub fn allowed(self) -> impl Iterator<Item = Move> {
        Move::ALL.into_iter().filter(move |&step| self.next(step).is_some())
    }

    fn next(self, step: Move) -> Option<Self> {
        Some(match (self, step) {
            (Self::Absent, Move::Start) => Self::InputStreaming,
            (Self::InputStreaming, Move::Delta) => Self::InputStreaming,
            (Self::InputStreaming, Move::End) => Self::InputEnded,
            (Self::InputStreaming, Move::InputError) => Self::OutputError,
            (Self::Absent | Self::InputStreaming | Self::InputEnded, Move::Input) => Self::InputAvailable,
            (Self::Absent | Self::InputStreaming | Self::InputAvailable, Move::Request) => Self::ApprovalRequested,
            (Self::ApprovalRequested, Move::Approve) => Self::Approved,
            (Self::ApprovalRequested, Move::Deny) => Self::Denied,
            (Self::InputAvailable | Self::Approved, Move::Run) => Self::Running,
            (Self::InputAvailable | Self::ApprovalRequested | Self::Denied, Move::OutputDenied) => Self::OutputDenied,
            (Self::InputAvailable | Self::Approved | Self::Running | Self::OutputPreliminary, outcome) => match outcome
            {
                Move::Preliminary => Self::OutputPreliminary,
                Move::Output => Self::OutputAvailable,
                Move::OutputError => Self::OutputError,
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl Move {
    /// All moves.
    pub const ALL: [Self; 13] = [
        Self::Start,
        Self::Delta,
        Self::End,
        Self::Input,
        Self::InputError,
        Self::Request,
        Self::Approve,
        Self::Deny,
        Self::Run,
        Self::Preliminary,
        Self::Output,
        Self::OutputError,
        Self::OutputDenied,
    ];

    /// The name, as in `spec/lifecycle.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Delta => "delta",
            Self::End => "end",
            Self::Input => "input",
            Self::InputError => "input-error",
            Self::Request => "request",
            Self::Approve => "approve",
            Self::Deny => "deny",
            Self::Run => "run",
            Self::Preliminary => "preliminary",
            Self::Output => "output",
            Self::OutputError => "output-error",
            Self::OutputDenied => "output-denied",
        }
    }
}

/// A move that a state does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where the call was.
    pub state: State,
    /// What came.
    pub came: Move,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allowed: Vec<&str> = self.state.allowed().map(Move::name).collect();
        let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
        write!(f, "{} came in {}, where {allowed} is allowed", self.came.name(), self.state.name())
    }
}

impl std::error::Error for Refused {}

/// One step in the life of a call, as an event tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which account of the call this is.
    pub track: Track,
    /// The call's id, where the dialect has ids.
    pub id: Option<String>,
    /// The call's name, where this event says it.
    pub name: Option<String>,
    /// The call's arguments, where this event says them.
    pub input: Option<Value>,
    /// What it means.
    pub meaning: Meaning,
}

/// Which account of a call a step belongs to: a dialect may both show calls and log them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Track {
    /// What the reader of the stream is told.
    Call,
    /// What is logged.
    Log,
}

/// What an event means in the life of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A new call, also where its id was used before; these moves happen to it.
    Begins(&'static [Move]),
    /// These moves happen to the call of this id, new or not.
    Moves(&'static [Move]),
    /// The call of this id, new or not, has come to this state.
    Becomes(State),
}

/// One call, as far as its events tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// Which account this is.
    pub track: Track,
    /// Its id, where the dialect has ids.
    pub id: Option<String>,
    /// Its name, as first told.
    pub name: Option<String>,
    /// Its arguments, as last told.
    pub input: Option<Value>,
    /// Where it has come to.
    pub state: State,
}

/// The calls of a run, and what went wrong in their lives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lives {
    /// The calls, in order of appearance.
    pub calls: Vec<Life>,
    /// Steps that no call could take, in words.
    pub out_of_order: Vec<String>,
    /// Names that changed during a call, in words.
    pub renamed: Vec<String>,
}

impl Lives {
    /// Follows the calls of these events.
    pub fn of(dialect: Dialect, events: &[Event]) -> Self {
        let mut lives = Self::default();
        for (event, step) in events.iter().filter_map(|event| dialect.step(event).map(|step| (event, step))) {
            lives.take(event, step);
        }
        lives
    }

    /// The calls that are still open when nothing more comes.
    pub fn open(&self) -> impl Iterator<Item = &Life> {
        self.calls.iter().filter(|life| life.state.is_open())
    }

    fn take(&mut self, event: &Event, step: Step) {
        let known = self.calls.iter().rposition(|life| life.track == step.track && life.id == step.id);
        let known = known.filter(|_| !matches!(step.meaning, Meaning::Begins(_)));
        let state = known.map_or(State::Absent, |at| self.calls[at].state);
        match (after(state, step.meaning), known) {
            (Ok(state), Some(at)) => self.go_on(at, state, step),
            (Ok(state), None) => {
                let Step { track, id, name, input, .. } = step;
                self.calls.push(Life { track, id, name, input, state });
            }
            (Err(_), None) => self.out_of_order.push(format!("{event} belongs to no call")),
            (Err(refused), Some(_)) => self.out_of_order.push(format!("{event}: {refused}")),
        }
    }

    fn go_on(&mut self, at: usize, state: State, step: Step) {
        let call = &mut self.calls[at];
        call.state = state;
        if let Some(name) = step.name
            && call.name.get_or_insert_with(|| name.clone()) != &name
        {
            self.renamed.push(format!("a call began as {:?} and went on as {name:?}", call.name));
        }
        call.input = step.input.or(call.input.take());
    }
}

fn after(state: State, meaning: Meaning) -> Result<State, String> {
    match meaning {
        Meaning::Begins(moves) | Meaning::Moves(moves) => {
            moves.iter().try_fold(state, |state, &step| state.after(step)).map_err(|refused| refused.to_string())
        }
        Meaning::Becomes(to) => match Move::ALL.into_iter().find(|&step| state.after(step) == Ok(to)) {
            Some(_) => Ok(to),
            None => Err(format!("no move leads from {} to {}", state.name(), to.name())),
        },
    }
}
