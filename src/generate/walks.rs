//! Streams of items for several calls at once: legal ways through the [lifecycle](crate::lifecycle), and steps beside them.

use serde_json::{Map, Value, json};

use super::{Draw, Truth, json};
use crate::dialect::Dialect;
use crate::lifecycle::{Move, State};

const IDS: [&str; 8] = ["a", "b", "call_1", "é", "__proto__", "constructor", " ", "0"];
const NAMES: [&str; 7] = ["get_weather", "t", "add_package", "read_file", "add_packages", "é", "constructor"];

/// Items, and how many rules they break.
pub(super) fn items(dialect: Dialect, draw: &mut Draw<'_>) -> (Vec<Value>, Truth) {
    match dialect {
        Dialect::DefaultExpanded => (owner_states(draw), Truth::Unknown),
        _ => walks(dialect, draw),
    }
}

/// One call on its way.
struct Call {
    id: &'static str,
    name: &'static str,
    dynamic: bool,
    asks_by_id: bool,
    input: Value,
    /// What of the input's text has not come as a delta yet; nothing where none came.
    rest: Option<String>,
    state: State,
}

/// A walk for each of a few calls, merged at random; in one of two streams a step too many.
fn walks(dialect: Dialect, draw: &mut Draw<'_>) -> (Vec<Value>, Truth) {
    let count = 1 + draw.few(2);
    let first = draw.below(IDS.len());
    let mut broken = 0;
    let mut walks = Vec::new();
    for nth in 0..count {
        let (items, breaks) = walk(dialect, IDS[(first + nth) % IDS.len()], draw);
        walks.push(items);
        broken += usize::from(breaks);
    }
    let stray = draw.one_in(2).then(|| {
        let walk = draw.below(count);
        illegal(dialect, &mut walks[walk], IDS[(first + walk) % IDS.len()], draw)
    });
    let mut items = merged(walks, draw);
    if dialect == Dialect::ChatChunks {
        items.insert(0, json!({"type": "start", "messageId": "m"}));
        items.push(json!({"type": "finish"}));
    }
    for _ in 0..draw.few(2) {
        let at = draw.below(items.len() + 1);
        if dialect != Dialect::ChatChunks || at > 0 && at < items.len() {
            items.insert(at, json!({"type": "text-delta", "id": "1", "delta": "x"}));
        }
    }
    (items, Truth::Violations(broken + usize::from(stray == Some(true))))
}

/// One call from its beginning to a state in which it may be left, and whether its input breaks a rule.
fn walk(dialect: Dialect, id: &'static str, draw: &mut Draw<'_>) -> (Vec<Value>, bool) {
    let name = draw.pick(&NAMES);
    let (input, breaks) = input(name, draw);
    let mut call =
        Call { id, name, dynamic: draw.one_in(4), asks_by_id: draw.one_in(2), input, rest: None, state: State::Absent };
    let mut items = Vec::new();
    for _ in 0..12 {
        let moves: Vec<Move> = call.state.allowed().filter(|&step| is_possible(dialect, call.state, step)).collect();
        let may_stop = !call.state.is_open() && call.state != State::Absent;
        if moves.is_empty() || may_stop && draw.one_in(4) {
            break;
        }
        let step = moves[draw.below(moves.len())];
        items.extend(call.take(dialect, step, draw));
    }
    for step in [Move::End, Move::Input] {
        if call.state.is_open() && call.state.after(step).is_ok() && is_possible(dialect, call.state, step) {
            items.extend(call.take(dialect, step, draw));
        }
    }
    (items, breaks && dialect == Dialect::AiSdkParts)
}

/// An input for a tool, and whether it is none that the tool's schema allows: A21.
fn input(tool: &str, draw: &mut Draw<'_>) -> (Value, bool) {
    match tool {
        "add_package" | "read_file" if draw.one_in(4) => {
            let inputs = [json!({}), json!([]), json!({"name": 0, "path": null}), json!({"isDev": "yes"})];
            (inputs[draw.below(inputs.len())].clone(), true)
        }
        "add_package" => (json!({"name": json::string(draw), "isDev": draw.one_in(2)}), false),
        "read_file" => (json!({"path": json::string(draw)}), false),
        _ => (json::value(draw, 2), false),
    }
}

/// Whether the dialect has an item for this move there.
fn is_possible(dialect: Dialect, state: State, step: Move) -> bool {
    match dialect {
        Dialect::ChatChunks => !matches!(step, Move::End | Move::Run),
        Dialect::AiSdkParts => match step {
            Move::InputError | Move::Run => false,
            Move::Input => state != State::InputStreaming,   // A10
            Move::Request => state == State::InputAvailable, // A23
            _ => true,
        },
        _ => match step {
            Move::Start | Move::Delta => true,
            // The last update: input and outcome at once.
            Move::End => state == State::InputStreaming,
            _ => false,
        },
    }
}

impl Call {
    /// The items for a legal move.
    fn take(&mut self, dialect: Dialect, step: Move, draw: &mut Draw<'_>) -> Vec<Value> {
        let mut items = Vec::new();
        // What the deltas join to must be the input: what is missing of it comes first.
        let closes = matches!(step, Move::End | Move::Input | Move::Request) && self.state == State::InputStreaming;
        if let Some(rest) = self.rest.take_if(|_| closes) {
            items.push(self.delta(dialect, &rest));
        }
        self.state = self.state.after(step).unwrap_or(self.state);
        if dialect == Dialect::ToolStages && step == Move::End {
            self.state = State::OutputAvailable;
        }
        items.push(match step {
            Move::Delta if dialect == Dialect::ToolStages && draw.one_in(3) => self.update("running", []),
            Move::Delta => {
                let text = self.rest.take().unwrap_or_else(|| self.input.to_string());
                let end = text.floor_char_boundary(draw.below(text.len() + 1));
                let (piece, rest) = text.split_at(end);
                self.rest = Some(rest.to_owned());
                self.delta(dialect, piece)
            }
            step => self.item(dialect, step, draw),
        });
        if dialect == Dialect::ToolStages && draw.one_in(3) {
            let (name, value) = extra(draw);
            if let Some(update) = items.last_mut() {
                update[name] = value;
            }
        }
        items
    }

    fn delta(&self, dialect: Dialect, piece: &str) -> Value {
        match dialect {
            Dialect::ChatChunks => json!({"type": "tool-input-delta", "toolCallId": self.id, "inputTextDelta": piece}),
            Dialect::AiSdkParts => json!({"type": "tool-input-delta", "id": self.id, "delta": piece}),
            _ => self.update("streaming", [("parametersChunk", piece.into())]),
        }
    }

    /// The item for any move.
    fn item(&self, dialect: Dialect, step: Move, draw: &mut Draw<'_>) -> Value {
        match dialect {
            Dialect::ChatChunks => self.chunk(step, draw),
            Dialect::AiSdkParts => self.part(step, draw),
            _ => match step {
                Move::Start => self.update("start", []),
                Move::End if draw.one_in(3) => self.update("end", [("error", "e".into()), ("success", false.into())]),
                Move::End => self.update("end", [("result", "r".into())]),
                _ => self.update("running", []),
            },
        }
    }

    fn chunk(&self, step: Move, draw: &mut Draw<'_>) -> Value {
        let Self { id, name, input, .. } = self;
        let asked = if self.asks_by_id { format!("approve {id}") } else { (*id).to_owned() };
        let mut item = match step {
            Move::Start => json!({"type": "tool-input-start", "toolCallId": id, "toolName": name}),
            Move::Delta | Move::End => self.delta(Dialect::ChatChunks, ""),
            Move::Input => json!({"type": "tool-input-available", "toolCallId": id, "toolName": name, "input": input}),
            Move::InputError => json!({"type": "tool-input-error", "toolCallId": id, "errorText": "e"}),
            Move::Request if self.asks_by_id => json!({
                "type": "tool-approval-request", "toolCallId": id, "toolName": name, "input": input, "approvalId": asked,
            }),
            Move::Request => {
                json!({"type": "tool-approval-request", "toolCallId": id, "toolName": name, "input": input})
            }
            Move::Approve => json!({"action": "approve", "id": asked, "approved": true}),
            Move::Deny => json!({"action": "approve", "id": asked, "approved": false, "reason": "r"}),
            Move::Preliminary => {
                json!({"type": "tool-output-available", "toolCallId": id, "output": json::value(draw, 1), "preliminary": true})
            }
            Move::Output | Move::Run => {
                json!({"type": "tool-output-available", "toolCallId": id, "output": json::value(draw, 1)})
            }
            Move::OutputError => json!({"type": "tool-output-error", "toolCallId": id, "errorText": "e"}),
            Move::OutputDenied => json!({"type": "tool-output-denied", "toolCallId": id}),
        };
        if self.dynamic && matches!(step, Move::Start | Move::Input | Move::Request) {
            item["dynamic"] = true.into();
        }
        item
    }

    fn part(&self, step: Move, draw: &mut Draw<'_>) -> Value {
        let Self { id, name, input, .. } = self;
        let asked = format!("approve {id}");
        let call = json!({"toolCallId": id});
        match step {
            Move::Start if self.dynamic => {
                json!({"type": "tool-input-start", "id": id, "toolName": name, "dynamic": true})
            }
            Move::Start => json!({"type": "tool-input-start", "id": id, "toolName": name}),
            Move::Delta => self.delta(Dialect::AiSdkParts, ""),
            Move::End => json!({"type": "tool-input-end", "id": id}),
            Move::Input => json!({"type": "tool-call", "toolCallId": id, "toolName": name, "input": input}),
            Move::Request => json!({"type": "tool-approval-request", "approvalId": asked, "toolCall": call}),
            Move::Approve => {
                json!({"type": "tool-approval-response", "approvalId": asked, "toolCall": call, "approved": true})
            }
            Move::Deny => {
                json!({"type": "tool-approval-response", "approvalId": asked, "toolCall": call, "approved": false})
            }
            Move::Preliminary => json!({
                "type": "tool-result", "toolCallId": id, "toolName": name, "output": json::value(draw, 1), "preliminary": true,
            }),
            Move::Output | Move::Run => {
                json!({"type": "tool-result", "toolCallId": id, "toolName": name, "output": json::value(draw, 1)})
            }
            Move::OutputError | Move::InputError => {
                json!({"type": "tool-error", "toolCallId": id, "toolName": name, "error": json::value(draw, 1)})
            }
            Move::OutputDenied => json!({"type": "tool-output-denied", "toolCallId": id, "toolName": name}),
        }
    }

    fn update<const N: usize>(&self, stage: &str, more: [(&str, Value); N]) -> Value {
        let parameters = if stage == "end" { self.input.to_string() } else { String::new() };
        let fields = [
            ("id", self.id.into()),
            ("name", self.name.into()),
            ("stage", stage.into()),
            ("parameters", parameters.into()),
        ];
        fields.into_iter().chain(more).map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    }
}

/// A field that an update may have at every stage: S16.
fn extra(draw: &mut Draw<'_>) -> (&'static str, Value) {
    match draw.below(4) {
        0 => ("images", json!(["i.png"])),
        1 => ("shortResult", json!(json::string(draw))),
        2 => ("compactParams", json::value(draw, 1)),
        _ => ("success", json!(draw.one_in(2))),
    }
}

/// Puts a step that is not allowed there behind a step of a walk; whether there is such a step.
fn illegal(dialect: Dialect, walk: &mut Vec<Value>, id: &'static str, draw: &mut Draw<'_>) -> bool {
    let at = draw.below(walk.len() + 1);
    let state = state_after(dialect, &walk[..at]);
    let makes =
        |step: &Move| is_possible(dialect, State::Absent, *step) || is_possible(dialect, State::InputStreaming, *step);
    let refused = |step: &Move| state.after(*step).is_err() || !is_possible(dialect, state, *step);
    let moves: Vec<Move> = Move::ALL.into_iter().filter(makes).filter(refused).collect();
    if moves.is_empty() {
        return false;
    }
    let step = moves[draw.below(moves.len())];
    let call = Call { id, name: "t", dynamic: false, asks_by_id: false, input: json!(0), rest: None, state };
    walk.insert(at, call.item(dialect, step, draw));
    true
}

/// The state to which legal items of one call lead.
fn state_after(dialect: Dialect, items: &[Value]) -> State {
    items.iter().fold(State::Absent, |state, item| {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let approves = item.get("approved") == Some(&Value::Bool(true));
        let preliminary = item.get("preliminary") == Some(&Value::Bool(true));
        let step = match (text("type"), text("stage")) {
            ("tool-input-start", _) | (_, "start") => Move::Start,
            ("tool-input-delta", _) | (_, "streaming" | "running") => Move::Delta,
            (_, "end") => return State::OutputAvailable,
            ("tool-input-end", _) => Move::End,
            ("tool-input-available" | "tool-call", _) => Move::Input,
            ("tool-input-error", _) => Move::InputError,
            ("tool-approval-request", _) => Move::Request,
            ("tool-output-available" | "tool-result", _) if preliminary => Move::Preliminary,
            ("tool-output-available" | "tool-result", _) => Move::Output,
            ("tool-output-error" | "tool-error", _) => Move::OutputError,
            ("tool-output-denied", _) => Move::OutputDenied,
            _ if approves => Move::Approve,
            _ => Move::Deny,
        };
        debug_assert!(state.after(step).is_ok(), "{dialect}: {step:?} in {state:?}");
        state.after(step).unwrap_or(state)
    })
}

/// All items, those of each walk in their order.
fn merged(walks: Vec<Vec<Value>>, draw: &mut Draw<'_>) -> Vec<Value> {
    let mut walks: Vec<_> = walks.into_iter().map(Vec::into_iter).collect();
    let mut items = Vec::new();
    while !walks.is_empty() {
        let at = draw.below(walks.len());
        match walks[at].next() {
            Some(item) => items.push(item),
            None => drop(walks.swap_remove(at)),
        }
    }
    items
}

fn owner_states(draw: &mut Draw<'_>) -> Vec<Value> {
    let states = State::ALL.map(State::label);
    let count = 1 + draw.few(8);
    let item = |draw: &mut Draw<'_>| {
        let mut item = json!({
            "toolCallId": IDS[draw.below(3)], "toolName": draw.pick(&NAMES), "state": states[1 + draw.below(11)],
            "role": "assistant",
        });
        if draw.one_in(2) {
            item["section"] = [json!("input"), json!("output"), json!(null)][draw.below(3)].clone();
        }
        if draw.one_in(3) {
            item["isMessageStreaming"] = draw.one_in(2).into();
        }
        item
    };
    (0..count).map(|_| item(draw)).collect()
}
