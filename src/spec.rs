//! The specification that is embedded in this crate: everything under `spec/`.

use std::sync::LazyLock;

use crate::case::{Case, CaseError, CaseFile, refuse_duplicates};
use crate::dialect::Dialect;
use crate::rule::{Rule, rules_in};

/// Every file under `spec/`: its path there, and its content.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/spec_files.rs"));

static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| Dialect::ALL.into_iter().flat_map(|dialect| rules_in(dialect, document(dialect))).collect());

/// The rules of all dialects, in the order of the documents.
pub fn rules() -> &'static [Rule] {
    &RULES
}

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().iter().find(|rule| rule.id == id)
}

/// The content of a file under `spec/`.
pub fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == path).map(|(_, content)| *content)
}

/// The document with a dialect's rules.
pub fn document(dialect: Dialect) -> &'static str {
    file(&format!("{dialect}/README.md")).unwrap_or_default()
}

/// The embedded case files of a dialect, in order of their names.
pub fn case_files(dialect: Dialect) -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = format!("{dialect}/cases/");
    FILES.iter().copied().filter(move |(file, _)| file.starts_with(&folder))
}

/// The embedded cases of all dialects.
///
/// An error is a fault of this crate, which its own tests rule out.
pub fn cases() -> Result<Vec<Case>, CaseError> {
    let mut cases = Vec::new();
    for dialect in Dialect::ALL {
        for (path, content) in case_files(dialect) {
            cases.extend(CaseFile::parse(&format!("spec/{path}"), content)?.cases);
        }
    }
    refuse_duplicates(&cases)?;
    Ok(cases)
}
