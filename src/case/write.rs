//! Case files as people write them: fields in the order of the specification, one item and one event a line.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::Case;
use crate::dialect::Dialect;
use crate::input::Input;
use crate::level::Level;

/// The text of a case file that holds these cases, which are all of this dialect.
///
/// ```
/// use anysplit::case::{CaseFile, text_of};
///
/// let file = r#"{"dialect": "inline-tag", "cases": [{"name": "a", "input": "b", "events": [{"type": "text", "text": "b"}]}]}"#;
/// let cases = CaseFile::parse("", file)?.cases;
/// assert_eq!(CaseFile::parse("", &text_of(cases[0].dialect, &cases))?.cases, cases);
/// # Ok::<(), anysplit::case::CaseError>(())
/// ```
pub fn text_of<'a>(dialect: Dialect, cases: impl IntoIterator<Item = &'a Case>) -> String {
    text_with(dialect, None, cases)
}

/// The same with what a fuzzer knows of them.
pub(crate) fn text_with<'a>(
    dialect: Dialect,
    finding: Option<&Value>,
    cases: impl IntoIterator<Item = &'a Case>,
) -> String {
    let mut text = format!("{{\n  \"dialect\": \"{dialect}\",\n");
    if let Some(finding) = finding {
        let finding = serde_json::to_string_pretty(finding).expect("values are plain data").replace('\n', "\n  ");
        let _ = writeln!(text, "  \"finding\": {finding},");
    }
    let cases: Vec<String> = cases.into_iter().map(|case| format!("    {}", case_text(case))).collect();
    let _ = write!(text, "  \"cases\": [\n{}\n  ]\n}}\n", cases.join(",\n"));
    text
}

/// One case, as it stands in a file, behind four blanks.
pub(crate) fn case_text(case: &Case) -> String {
    let name = case.id.split_once('/').map_or(case.id.as_str(), |(_, name)| name);
    let mut fields = vec![("name", json!(name).to_string())];
    if !case.rules.is_empty() {
        fields.push(("rules", json!(case.rules).to_string()));
    }
    if case.level != Level::Must {
        fields.push(("level", json!(case.level.name()).to_string()));
    }
    for (name, text) in [("why", &case.why), ("origin", &case.origin)] {
        fields.extend(text.as_ref().map(|text| (name, json!(text).to_string())));
    }
    if !case.options.0.is_empty() {
        fields.push(("options", Value::from(case.options.0.clone()).to_string()));
    }
    fields.push(("input", input_text(case)));
    fields.extend(case.grow.map(|grow| ("grow", grow.to_string())));
    fields.push(("events", lines(&case.events)));
    let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("      \"{name}\": {value}")).collect();
    format!("{{\n{}\n    }}", fields.join(",\n"))
}

fn input_text(case: &Case) -> String {
    let whole = case.whole();
    if let Input::Objects(items) = &whole {
        return lines(items);
    }
    let pieces: Option<Vec<&str>> = case.input.0.iter().map(as_text).collect();
    match pieces.as_deref() {
        Some([piece]) if case.grow.is_none() => json!(piece).to_string(),
        Some(pieces) => lines(pieces),
        None => json!(whole).to_string(),
    }
}

fn as_text(piece: &Input) -> Option<&str> {
    match piece {
        Input::Text(text) => Some(text),
        Input::Bytes(bytes) => str::from_utf8(bytes).ok(),
        Input::Objects(_) => None,
    }
}

/// A list with an item a line.
fn lines<T: Serialize>(items: &[T]) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    let items: Vec<String> =
        items.iter().map(|item| format!("        {}", serde_json::to_string(item).expect("plain data"))).collect();
    format!("[\n{}\n      ]", items.join(",\n"))
}

/// Puts a case behind the others of a file, whose text stays as it is otherwise.
pub(crate) fn text_appended(file: &str, case: &Case) -> Option<String> {
    let end = file.rfind(']')?;
    let before = file[..end].trim_end();
    let comma = if before.ends_with('[') { "" } else { "," };
    Some(format!("{before}{comma}\n    {}\n  {}", case_text(case), &file[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CaseFile;
    use crate::spec;

    #[test]
    fn every_embedded_case_is_read_as_it_was_written() {
        for case in spec::cases().expect("the embedded cases are good") {
            let text = text_of(case.dialect, [&case]);
            let read = CaseFile::parse(&case.file, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.cases, [case], "{text}");
        }
    }

    #[test]
    fn a_case_is_put_behind_the_others() {
        let cases = spec::cases().expect("the embedded cases are good");
        let dialect = cases[0].dialect;
        let file = text_of(dialect, [&cases[0]]);
        let both = text_appended(&file, &cases[1]).expect("it is a file of cases");
        assert_eq!(both, text_of(dialect, &cases[..2]));
    }
}
