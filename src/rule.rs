//! The numbered rules of the dialects, read from `spec/<dialect>/README.md`.
//!
//! A rule is a heading `### T3 Title` and the paragraph under it, whose first bold word (**must**, **should** or **may**, with or
//! without “not”) is its level. The documents are the source; nothing is written twice.

use crate::dialect::Dialect;
use crate::level::Level;

/// A numbered rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id, such as `T3`; never used again.
    pub id: String,
    /// The dialect it belongs to.
    pub dialect: Dialect,
    /// Its title.
    pub title: String,
    /// Its level.
    pub level: Level,
    /// The normative paragraph, on one line, without emphasis and links.
    pub sentence: String,
    /// What stands under the paragraph: the source, the reason, the cases.
    pub notes: String,
}

/// Reads the rules out of a dialect's document.
pub fn rules_in(dialect: Dialect, document: &str) -> Vec<Rule> {
    document.split("\n### ").skip(1).filter_map(|section| rule(dialect, section)).collect()
}

fn rule(dialect: Dialect, section: &str) -> Option<Rule> {
    let section = section.split("\n## ").next()?;
    let (heading, body) = section.split_once('\n')?;
    let (id, title) = heading.split_once(' ')?;
    let (paragraph, notes) = body.trim().split_once("\n\n").unwrap_or((body.trim(), ""));
    let level = paragraph.split("**").nth(1)?.split(' ').next().and_then(Level::named)?;
    Some(Rule {
        id: id.to_owned(),
        dialect,
        title: title.to_owned(),
        level,
        sentence: without_links(&paragraph.replace("**", "").replace('\n', " ")),
        notes: notes.to_owned(),
    })
}

/// `[text](target)` is only its text where nobody can follow it.
fn without_links(paragraph: &str) -> String {
    let mut parts = paragraph.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("](").and_then(|(text, rest)| Some((text, rest.split_once(')')?.1))) {
            Some((text, rest)) => plain.extend([text, rest]),
            None => plain.extend(["[", part]),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn only_links_are_taken_out() {
        assert_eq!(without_links("a [`b`](b/) c, [DONE], x[1](2) [d"), "a `b` c, [DONE], x1 [d");
    }
}
