//! The life of a tool call, onto which every dialect maps its events.
//!
//! A dialect says of each event which [`Step`] of which call it is; [`Lives`] follows the calls through these steps. The
//! checks `once`, `identity` and `close` ask it, and know no dialect.

use serde_json::Value;

use crate::dialect::Dialect;
use crate::event::Event;

/// One step in the life of a call.
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
    /// What happens.
    pub moment: Moment,
}

/// Which account of a call a step belongs to: a dialect may both show calls and log them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Track {
    /// What the reader of the stream is told.
    Call,
    /// What is logged.
    Log,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It begins.
    Start,
    /// Its arguments are known; nothing more need come.
    Input,
    /// It begins, its arguments are known, and an outcome must come.
    Invoked,
    /// It has its outcome.
    Outcome,
    /// It begins and ends in one event.
    Whole,
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
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Started,
    /// May end here, or go on with an outcome.
    Ready,
    /// Must go on with an outcome.
    Running,
    Ended,
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
        for step in events.iter().filter_map(|event| dialect.step(event).map(|step| (event, step))) {
            lives.take(step.0, step.1);
        }
        lives
    }

    /// The calls that are still open when nothing more comes.
    pub fn open(&self) -> impl Iterator<Item = &Life> {
        self.calls.iter().filter(|life| matches!(life.stage, Stage::Started | Stage::Running))
    }

    fn take(&mut self, event: &Event, step: Step) {
        let first_stage = match step.moment {
            Moment::Start => Stage::Started,
            Moment::Invoked => Stage::Running,
            Moment::Whole => Stage::Ended,
            Moment::Input => return self.go_on(event, step, &[Stage::Started], Stage::Ready),
            Moment::Outcome => {
                return self.go_on(event, step, &[Stage::Ready, Stage::Running], Stage::Ended);
            }
        };
        let Step { track, id, name, input, .. } = step;
        self.calls.push(Life { track, id, name, input, stage: first_stage });
    }

    /// Moves the newest call of this id, if it stands where such a step may come.
    fn go_on(&mut self, event: &Event, step: Step, from: &[Stage], to: Stage) {
        let call = self.calls.iter_mut().rev().find(|life| life.track == step.track && life.id == step.id);
        match call {
            Some(call) if from.contains(&call.stage) => {
                call.stage = to;
                if let Some(name) = step.name
                    && call.name.as_ref() != Some(&name)
                {
                    self.renamed.push(format!("a call began as {:?} and went on as {name:?}", call.name));
                }
                call.input = step.input.or(call.input.take());
            }
            Some(call) => self.out_of_order.push(format!("{event} came when its call was {:?}", call.stage)),
            None => self.out_of_order.push(format!("{event} belongs to no call")),
        }
    }
}
