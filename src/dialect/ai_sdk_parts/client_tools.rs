//! The six tools that run on the client (A20), and what their inputs look like (A21).
//!
//! The schemas are `spec/ai-sdk-parts/tools/*.schema.json`; here they stand once more as a table, so that reading a stream needs
//! no schema library. A test holds the two equal.

use serde_json::Value;

/// What a field of an input may be.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Flag,
    TextOrTexts,
}

/// A field: its name, its shape, whether it is required.
type Field = (&'static str, Shape, bool);

const TOOLS: [(&str, &[Field]); 6] = [
    ("write_file", &[("path", Shape::Text, true), ("content", Shape::Text, true)]),
    ("read_file", &[("path", Shape::Text, true), ("includeLineNumbers", Shape::Flag, false)]),
    ("edit_file", &[("filePath", Shape::Text, true), ("searchReplaceBlock", Shape::Text, true)]),
    ("delete_file", &[("path", Shape::Text, true)]),
    (
        "add_package",
        &[("name", Shape::TextOrTexts, true), ("version", Shape::Text, false), ("isDev", Shape::Flag, false)],
    ),
    ("remove_package", &[("name", Shape::TextOrTexts, true), ("isDev", Shape::Flag, false)]),
];

/// Whether this tool runs on the client.
pub(super) fn is_client_side(name: &str) -> bool {
    TOOLS.iter().any(|(tool, _)| *tool == name)
}

/// Whether this is an input for one of the six tools; of other tools nothing is known.
pub fn matches_schema(tool: &str, input: &Value) -> bool {
    let Some((_, fields)) = TOOLS.iter().find(|(name, _)| *name == tool) else { return true };
    let fits = |&(name, shape, required): &Field| input.get(name).map_or(!required, |value| shape.fits(value));
    input.is_object() && fields.iter().all(fits)
}

impl Shape {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::TextOrTexts => {
                value.is_string() || value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
            }
        }
    }
}
