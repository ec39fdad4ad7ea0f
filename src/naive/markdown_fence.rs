//! The dialect `markdown-fence`: Markdown with ```` ```tool ```` blocks (rules F).

use std::collections::HashSet;
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::cursor::{BLANK, Cursor};
use super::json;
use super::output::{Output, limit};

/// All events of `text`, under the dialect's `options`.
pub fn parse(text: &str, options: &Map<String, Value>) -> Vec<Value> {
    let limit = limit(options);
    let mut output = Output::new(text);
    let mut blocks = Blocks::default();
    let mut lines = lines(text).into_iter();
    while let Some(line) = lines.next() {
        let mut cursor = Cursor::new(text, line.start);
        let object = read_block(&mut cursor);
        let held = line.start..cursor.at();
        if held.len() > limit {
            // F25: as good as refuted.
            output.give_up(line.start, limit);
        } else if let Some(object) = object {
            output.replace(held, blocks.events(object));
        }
        // Whatever came out of it, a fence runs to its closing line, and nothing opens inside: F7, F12, F25.
        if let Some(fence) = Fence::opened_by(&text[line]) {
            lines.find(|line| fence.is_closed_by(&text[line.clone()]));
        }
    }
    output.finish()
}

/// The lines of `text`, without their ends (F3).
///
/// A CRLF counts as a CR and an empty line before the LF, which is no fence and so makes no difference.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = text.match_indices(['\r', '\n']).map(|(end, _)| end).chain([text.len()]);
    ends.map(|end| std::mem::replace(&mut start, end + 1)..end).collect()
}

/// A fence of any language.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence that `line` opens, whatever its language (F2, F7).
    fn opened_by(line: &str) -> Option<Self> {
        let (fence, info) = Self::split_from(line)?;
        let is_code_span = fence.mark == '`' && info.contains('`');
        (fence.length >= 3 && !is_code_span).then_some(fence)
    }

    /// Whether `line` closes this fence (F5).
    fn is_closed_by(&self, line: &str) -> bool {
        Self::split_from(line).is_some_and(|(fence, rest)| {
            fence.mark == self.mark && fence.length >= self.length && rest.trim_matches([' ', '\t']).is_empty()
        })
    }

    /// Up to three spaces and a run of fence characters at the beginning of `line`, and the rest of it.
    fn split_from(line: &str) -> Option<(Self, &str)> {
        let unindented = line.trim_start_matches(' ');
        let mark = unindented.chars().next().filter(|&char| is_mark(char))?;
        let rest = unindented.trim_start_matches(mark);
        let fence = Self { mark, length: unindented.len() - rest.len() };
        (line.len() - unindented.len() <= 3).then_some((fence, rest))
    }
}

fn is_mark(char: char) -> bool {
    matches!(char, '`' | '~')
}

/// Reads a tool block from the first character of its opening line to the last of its closing line (F6).
///
/// Where that fails the cursor tells how much of the text had to be held (F24), which is what F25 limits.
fn read_block(cursor: &mut Cursor<'_>) -> Option<Map<String, Value>> {
    let fence = read_opening_line(cursor)?;
    cursor.skip(BLANK);
    // An object that is not whole cannot reach past the closing line: strings hold no line ends (F13),
    // and outside of them a fence character is not JSON.
    let object = json::object(cursor)?;
    read_closing_line(cursor, &fence)?;
    Some(object)
}

/// Reads an opening line (F2) and the line end after it.
fn read_opening_line(cursor: &mut Cursor<'_>) -> Option<Fence> {
    for _ in 0..3 {
        cursor.eat(' ');
    }
    let mark = cursor.peek().filter(|&char| is_mark(char))?;
    let length = cursor.skip(&[mark]).len();
    if length < 3 {
        return None;
    }
    cursor.skip(&[' ', '\t']);
    cursor.exact("tool")?;
    cursor.skip(&[' ', '\t']);
    // The LF of a CRLF is left to the white space around the object.
    cursor.eat_if(is_line_end)?;
    Some(Fence { mark, length })
}

/// Reads the rest of a body behind its object, and the closing line (F5).
fn read_closing_line(cursor: &mut Cursor<'_>, fence: &Fence) -> Option<()> {
    let blanks = cursor.skip(BLANK);
    // What stands behind the object on its own line, or behind more than spaces, closes nothing.
    let indent = &blanks[blanks.rfind(is_line_end)? + 1..];
    if indent.len() > 3 || indent.contains('\t') {
        return None;
    }
    if cursor.skip(&[fence.mark]).len() < fence.length {
        return None;
    }
    cursor.skip(&[' ', '\t']);
    cursor.peek().is_none_or(is_line_end).then_some(())
}

fn is_line_end(char: char) -> bool {
    matches!(char, '\r' | '\n')
}

/// The recognised blocks so far, as far as later ids depend on them (F16).
#[derive(Default)]
struct Blocks {
    count: usize,
    ids: HashSet<String>,
}

impl Blocks {
    /// The events of the next recognised block, in their order (F23).
    fn events(&mut self, object: Map<String, Value>) -> Vec<Value> {
        self.count += 1;
        let id = filled(&object, "toolCallId").map_or_else(|| self.fallback_id(), str::to_owned);
        self.ids.insert(id.clone());
        let name = filled(&object, "toolName").unwrap_or("tool"); // F18
        let input = object.get("input").cloned().unwrap_or_else(|| json!({})); // F20
        let input = json!({ "type": "tool-input-available", "toolCallId": id, "toolName": name, "input": input });
        let outcome = outcome(&object, &id);

        let mut tool = object.clone(); // F15
        tool.insert("type".to_owned(), json!("tool"));
        tool.insert("toolCallId".to_owned(), json!(id));
        tool.insert("toolName".to_owned(), json!(name));
        [Value::Object(tool), input].into_iter().chain(outcome).collect()
    }

    /// The block's ordinal, moved on past ids that came out before (F16).
    fn fallback_id(&self) -> String {
        let mut ids = (self.count..).map(|ordinal| format!("tool-call-{ordinal}"));
        // Never empty: finitely many ids are taken.
        ids.find(|id| !self.ids.contains(id)).unwrap_or_default()
    }
}

/// The event that ends the invocation, if the block tells of its end (F21, F22).
fn outcome(object: &Map<String, Value>, id: &str) -> Option<Value> {
    let state = object.get("state").and_then(Value::as_str); // Unknown ones are none of those below: F19.
    let error = object.get("errorText").and_then(Value::as_str);
    let output = object.get("output");
    if state == Some("output-error") || error.is_some() {
        let error = error.unwrap_or("An unknown tool error occurred.");
        Some(json!({ "type": "tool-output-error", "toolCallId": id, "errorText": error }))
    } else if state == Some("output-available") || output.is_some() {
        Some(json!({ "type": "tool-output-available", "toolCallId": id, "output": output }))
    } else {
        None
    }
}

/// The field `key`, if it is a string that is not empty.
fn filled<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}
