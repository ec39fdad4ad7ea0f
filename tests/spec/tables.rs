//! The tables of moves in the rules of the lifecycle dialects, and an item for each of their columns.

use anysplit::dialect::Dialect;
use anysplit::spec;
use serde_json::{Value, json};

/// A column of a table, and an item for a call of this id.
pub(crate) type Column = (&'static str, fn(&str) -> Value);

/// One dialect's table of moves, and an item for each of its columns.
pub(crate) struct Table {
    pub(crate) dialect: Dialect,
    /// The columns of the table in the rules; some have two items, which lead to different rows.
    pub(crate) inputs: Vec<Column>,
    /// The row that follows, where the table names only the state.
    pub(crate) row: fn(&str, &Value) -> String,
    pub(crate) first_row: &'static str,
    pub(crate) before: Vec<Value>,
}

impl Table {
    /// What the rules say of a row and a column: the next row, or the rule that refuses.
    pub(crate) fn cell(&self, row: &str, column: &str, item: &Value) -> Result<String, String> {
        let document = spec::document(self.dialect);
        let rows: Vec<Vec<&str>> = document
            .split("## The moves")
            .nth(1)
            .and_then(|rest| rest.split("## ").next())
            .unwrap_or_default()
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
            .collect();
        let at = rows[0].iter().position(|cell| *cell == column).expect("the column is in the table");
        let cells = rows.iter().find(|cells| cells[0] == row).expect("the row is in the table");
        match cells[at] {
            "·" => Ok(row.to_owned()),
            rule if rule.starts_with(|char: char| char.is_ascii_uppercase()) => Err(rule.to_owned()),
            next => Ok((self.row)(next, item)),
        }
    }
}

fn two_halves(next: &str, item: &Value) -> String {
    match next {
        "approval-responded" if item["approved"] == true => "approval-responded (approved)".to_owned(),
        "approval-responded" => "approval-responded (denied)".to_owned(),
        "output-available" if item["preliminary"] == true => "output-available (preliminary)".to_owned(),
        next => next.to_owned(),
    }
}

pub(crate) fn chat_chunks() -> Table {
    Table {
        dialect: Dialect::ChatChunks,
        inputs: vec![
            ("start", |id| json!({"type": "tool-input-start", "toolCallId": id, "toolName": "t"})),
            ("delta", |id| json!({"type": "tool-input-delta", "toolCallId": id, "inputTextDelta": ""})),
            ("available", |id| json!({"type": "tool-input-available", "toolCallId": id, "toolName": "t", "input": 1})),
            ("input-error", |id| json!({"type": "tool-input-error", "toolCallId": id, "errorText": "e"})),
            ("request", |id| json!({"type": "tool-approval-request", "toolCallId": id, "toolName": "t", "input": 1})),
            ("answer", |id| json!({"action": "approve", "id": id, "approved": true})),
            ("answer", |id| json!({"action": "approve", "id": id, "approved": false})),
            ("output", |id| json!({"type": "tool-output-available", "toolCallId": id, "output": 1})),
            (
                "output",
                |id| json!({"type": "tool-output-available", "toolCallId": id, "output": 1, "preliminary": true}),
            ),
            ("output-error", |id| json!({"type": "tool-output-error", "toolCallId": id, "errorText": "e"})),
            ("denied", |id| json!({"type": "tool-output-denied", "toolCallId": id})),
        ],
        row: two_halves,
        first_row: "absent",
        before: vec![json!({"type": "start"})],
    }
}

pub(crate) fn ai_sdk_parts() -> Table {
    Table {
        dialect: Dialect::AiSdkParts,
        inputs: vec![
            ("start", |id| json!({"type": "tool-input-start", "id": id, "toolName": "t"})),
            ("delta", |id| json!({"type": "tool-input-delta", "id": id, "delta": ""})),
            ("end", |id| json!({"type": "tool-input-end", "id": id})),
            ("tool-call", |id| json!({"type": "tool-call", "toolCallId": id, "toolName": "t", "input": 1})),
            ("result", |id| json!({"type": "tool-result", "toolCallId": id, "toolName": "t", "output": 1})),
            (
                "result",
                |id| json!({"type": "tool-result", "toolCallId": id, "toolName": "t", "output": 1, "preliminary": true}),
            ),
            ("error", |id| json!({"type": "tool-error", "toolCallId": id, "toolName": "t", "error": "e"})),
            (
                "request",
                |id| json!({"type": "tool-approval-request", "approvalId": "p", "toolCall": {"toolCallId": id}}),
            ),
            (
                "response",
                |id| json!({"type": "tool-approval-response", "approvalId": "p", "toolCall": {"toolCallId": id}, "approved": true}),
            ),
            (
                "response",
                |id| json!({"type": "tool-approval-response", "approvalId": "p", "toolCall": {"toolCallId": id}, "approved": false}),
            ),
            ("denied", |id| json!({"type": "tool-output-denied", "toolCallId": id, "toolName": "t"})),
        ],
        row: two_halves,
        first_row: "absent",
        before: Vec::new(),
    }
}

pub(crate) fn tool_stages() -> Table {
    Table {
        dialect: Dialect::ToolStages,
        inputs: vec![
            ("start", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "start"})),
            ("streaming", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "streaming"})),
            ("running", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "running"})),
            ("end", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "end"})),
            ("end", |id| json!({"id": id, "name": "t", "parameters": "", "stage": "end", "error": "e"})),
        ],
        row: |next, _| next.to_owned(),
        first_row: "absent",
        before: Vec::new(),
    }
}
