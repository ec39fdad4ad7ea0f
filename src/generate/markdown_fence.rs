//! Markdown with tool blocks in it, and the events that it must give (rules F).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Draw, json};
use crate::event::Event;

/// What lines of text hold: near misses among it, and nothing that opens a fence.
const LINES: [&str; 22] = [
    "Let me see.",
    "",
    "a",
    " ",
    "é😀",
    "\u{2028}",
    "{}",
    "``tool",
    "``",
    "~",
    "    ```tool",
    "\t```tool",
    "> ```tool",
    "- ```tool",
    "x```tool",
    "`` `tool",
    "```tool`",
    "``` tool `x`",
    "\u{feff}```tool",
    "<!-- x",
    "-->",
    "   text",
];

/// What the lines of other fences hold: a tool block among it, and nothing that closes one of three backticks or more.
const INSIDE: [&str; 8] = ["fn main() {}", "", "~~~tool", "{}", "~~~", "    ```", "``` x", "``"];

const OTHER: [&str; 7] = ["", "json", "tools", "tool search", "TOOL", " rust ", "tool\u{a0}"];

/// Bodies that are no JSON object; none of their lines closes the fence.
const REFUTED: [&str; 12] = [
    "",
    " ",
    "[]",
    "1",
    "\"a\"",
    "{} {}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\":\"\u{1}\"}",
    "nope",
    "{\"a\":1\n~~\n}",
    "\u{feff}{}",
];

const ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

/// A text, and the events that it must give.
pub(super) fn text(draw: &mut Draw<'_>) -> (String, Vec<Event>) {
    let mut made = Made { end: if draw.one_in(3) { draw.below(3) } else { 0 }, ..Made::default() };
    for _ in 0..1 + draw.few(5) {
        for _ in 0..draw.few(3) {
            made.line(draw);
        }
        match draw.below(8) {
            0..5 => made.block(draw),
            5 => made.other_fence(draw),
            6 => made.refuted(draw),
            _ => made.line(draw),
        }
    }
    match draw.below(8) {
        0..4 => {}
        4 => made.text_piece(draw.pick(&LINES)),
        5 => made.unfinished(draw),
        _ => made.drop_last_end(),
    }
    (made.text, made.events)
}

#[derive(Default)]
struct Made {
    text: String,
    events: Vec<Event>,
    /// Which line end is the usual one.
    end: usize,
    recognised: usize,
    used: BTreeSet<String>,
}

/// The lines around a body: the opening one, what a closing one begins with, and what may follow it.
struct Fence {
    opening: String,
    closing: String,
}

impl Made {
    fn text_piece(&mut self, text: &str) {
        self.text.push_str(text);
        self.events.push(Event::text(text));
    }

    fn end(&self, draw: &mut Draw<'_>) -> &'static str {
        ENDS[if draw.one_in(8) { draw.below(3) } else { self.end }]
    }

    fn line(&mut self, draw: &mut Draw<'_>) {
        let (line, end) = (draw.pick(&LINES), self.end(draw));
        self.text_piece(&format!("{line}{end}"));
    }

    /// F2, F5
    fn fence(&self, info: &str, draw: &mut Draw<'_>) -> Fence {
        let mark = if draw.one_in(3) && !info.contains('`') { "~" } else { "`" };
        let len = 3 + draw.few(3);
        let indent =
            |draw: &mut Draw<'_>| if draw.one_in(4) { "   "[..draw.below(4)].to_owned() } else { String::new() };
        let blanks = |draw: &mut Draw<'_>| if draw.one_in(4) { draw.pick(&[" ", "\t", " \t "]) } else { "" };
        let (before, after) = (blanks(draw), blanks(draw));
        let opening = format!("{}{}{before}{info}{after}{}", indent(draw), mark.repeat(len), self.end(draw));
        let more = if draw.one_in(4) { draw.few(4) } else { 0 };
        let closing = format!("{}{}{}", indent(draw), mark.repeat(len + more), blanks(draw));
        Fence { opening, closing }
    }

    /// A block that is recognised: F15 to F23.
    fn block(&mut self, draw: &mut Draw<'_>) {
        let fields = fields(draw);
        let fence = self.fence("tool", draw);
        self.text.push_str(&fence.opening);
        json::write(&fields, draw, &mut self.text);
        self.text.push_str(self.end(draw));
        self.text.push_str(&fence.closing);
        self.announce(fields);
        let end = self.end(draw); // F6
        self.text_piece(end);
    }

    fn announce(&mut self, mut fields: Map<String, Value>) {
        let word = |name: &str| fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        self.recognised += 1;
        // F16, F17
        let fallback = || {
            let ids = (self.recognised..).map(|number| format!("tool-call-{number}"));
            ids.into_iter().find(|id| !self.used.contains(id)).unwrap_or_default()
        };
        let id = word("toolCallId").map_or_else(fallback, str::to_owned);
        let name = word("toolName").unwrap_or("tool").to_owned(); // F18
        self.used.insert(id.clone());
        let state = fields.get("state").cloned().unwrap_or_default();
        let input = fields.get("input").cloned().unwrap_or_else(|| json!({})); // F20
        let error = fields.get("errorText").filter(|error| error.is_string()).cloned();
        let output = fields.get("output").cloned();
        fields.insert("toolCallId".to_owned(), id.clone().into());
        fields.insert("toolName".to_owned(), name.clone().into());
        self.events.push(Event::with_fields("tool", fields)); // F15
        self.events.push(Event::new(
            "tool-input-available",
            [("toolCallId", id.clone().into()), ("toolName", name.into()), ("input", input)],
        ));
        if error.is_some() || state == "output-error" {
            let text = error.unwrap_or_else(|| "An unknown tool error occurred.".into()); // F21
            self.events.push(Event::new("tool-output-error", [("toolCallId", id.into()), ("errorText", text)]));
        } else if output.is_some() || state == "output-available" {
            let output = output.unwrap_or_default(); // F22
            self.events.push(Event::new("tool-output-available", [("toolCallId", id.into()), ("output", output)]));
        }
    }

    /// F7: all of it is text.
    fn other_fence(&mut self, draw: &mut Draw<'_>) {
        let fence = loop {
            let fence = self.fence(OTHER[draw.below(OTHER.len())], draw);
            // Inside of backticks only: what stands in `INSIDE` closes no such fence.
            if fence.closing.contains('`') {
                break fence;
            }
        };
        self.text_piece(&fence.opening);
        for _ in 0..draw.few(4) {
            let (line, end) = (draw.pick(&INSIDE), self.end(draw));
            self.text_piece(&format!("{line}{end}"));
        }
        let end = self.end(draw);
        self.text_piece(&format!("{}{end}", fence.closing));
    }

    /// F8, F12: all of it is text.
    fn refuted(&mut self, draw: &mut Draw<'_>) {
        let fence = self.fence("tool", draw);
        let end = self.end(draw);
        let body = draw.pick(&REFUTED);
        self.text_piece(&format!("{}{body}{end}{}{end}", fence.opening, fence.closing));
    }

    /// F14: all of it is text.
    fn unfinished(&mut self, draw: &mut Draw<'_>) {
        let fence = self.fence("tool", draw);
        let mut block = fence.opening;
        json::write(&fields(draw), draw, &mut block);
        let end = block.floor_char_boundary(draw.below(block.len() + 1));
        self.text_piece(&block[..end]);
    }

    /// F5: the end of the stream ends the last line too.
    fn drop_last_end(&mut self) {
        let kept = self.text.trim_end_matches(['\n', '\r']).len();
        let dropped = self.text.len() - kept;
        if dropped == 0 || dropped > 2 || self.text[kept..] == *"\n\n" || self.text[kept..] == *"\r\r" {
            return;
        }
        if let Some((_, text)) =
            self.events.last().and_then(Event::running_text).filter(|(_, text)| text.len() >= dropped)
        {
            let shorter = Event::text(&text[..text.len() - dropped]);
            self.events.pop();
            self.events.push(shorter);
            self.text.truncate(kept);
        }
    }
}

/// The fields of a block, of all the kinds that the rules tell apart.
fn fields(draw: &mut Draw<'_>) -> Map<String, Value> {
    let mut fields = if draw.one_in(4) { json::object(draw, 2) } else { Map::new() };
    let mut put = |draw: &mut Draw<'_>, name: &str, values: &[Value]| {
        let at = draw.below(values.len() + 1);
        if let Some(value) = values.get(at) {
            fields.insert(name.to_owned(), value.clone());
        }
    };
    let ids = ["call_1", "tool-call-1", "tool-call-2", "tool-call-3", "tool-call-01", "__proto__"];
    let mut ids: Vec<Value> = ids.into_iter().map(Value::from).collect();
    ids.extend([json!(""), json!(1), json!(null)]);
    put(draw, "toolCallId", &ids);
    put(draw, "toolName", &[json!("search"), json!(""), json!(7), json!("é")]);
    let states = ["input-streaming", "input-available", "output-available", "output-error", "done"];
    put(draw, "state", &states.map(Value::from));
    put(draw, "input", &[json!({"query": "cats"}), json!(null), json!([1, "```"]), json!(0)]);
    if draw.one_in(2) {
        put(draw, "output", &[json!({"results": []}), json!(null), json!(false)]);
        put(draw, "errorText", &[json!("no"), json!(""), json!(null)]);
    }
    fields
}
