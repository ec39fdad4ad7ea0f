//! What belongs together in an input: calls, lines, members of objects, strings, words.

use std::ops::Range;

use crate::input::Input;

/// Stretches of atoms that can be taken out as a whole; items are whole by themselves.
pub(super) fn spans(input: &Input) -> Vec<Range<usize>> {
    let chars: Vec<char> = match input {
        Input::Text(text) => text.chars().collect(),
        Input::Bytes(bytes) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        Input::Objects(_) => return Vec::new(),
    };
    let mut spans = lines(&chars);
    spans.extend(marked(&chars, "<tool_call", "</tool_call>"));
    spans.extend(marked(&chars, "```", "\n```"));
    spans.extend(marked(&chars, "~~~", "\n~~~"));
    spans.extend(bracketed(&chars));
    spans.retain(|span| span.len() > 1);
    spans
}

/// Lines, and runs of lines up to a blank one.
fn lines(chars: &[char]) -> Vec<Range<usize>> {
    let (mut spans, mut line, mut block) = (Vec::new(), 0, 0);
    for (at, &char) in chars.iter().enumerate() {
        let is_end = char == '\n' || char == '\r' && chars.get(at + 1) != Some(&'\n');
        if is_end {
            let is_blank = chars[line..=at].iter().all(|char| char.is_whitespace());
            spans.push(line..at + 1);
            line = at + 1;
            if is_blank {
                spans.push(block..at + 1);
                block = at + 1;
            }
        }
    }
    spans.extend([line..chars.len(), block..chars.len()]);
    spans
}

/// From each opening mark to the next closing one.
fn marked(chars: &[char], open: &str, close: &str) -> Vec<Range<usize>> {
    let (open, close): (Vec<char>, Vec<char>) = (open.chars().collect(), close.chars().collect());
    let starts = (0..chars.len()).filter(|&at| chars[at..].starts_with(&open));
    let end = |start: usize| {
        let from = start + open.len();
        (from..chars.len()).find(|&at| chars[at..].starts_with(&close)).map(|at| at + close.len())
    };
    starts.filter_map(|start| Some(start..end(start)?)).collect()
}

/// Brackets with what is in them, each member with its comma, strings, and all of it with what leads up to it: a key, a comma, an
/// attribute's name.
fn bracketed(chars: &[char]) -> Vec<Range<usize>> {
    let (mut spans, mut members, mut string) = (Vec::new(), Vec::new(), None);
    // Where a bracket opens, and where its latest member begins.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut escaped = false;
    for (at, &char) in chars.iter().enumerate() {
        match (char, string) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            ('"', Some(start)) => {
                string = None;
                spans.push(start..at + 1);
            }
            (_, Some(_)) => {}
            ('"', None) => string = Some(at),
            ('{' | '[', None) => open.push((at, at + 1)),
            (',', None) => {
                if let Some((_, member)) = open.last_mut() {
                    members.push(*member..at + 1);
                    *member = at + 1;
                }
            }
            ('}' | ']', None) => {
                if let Some((start, member)) = open.pop() {
                    spans.push(start..at + 1);
                    spans.push(start + 1..at);
                    // The last one has its comma before it.
                    members.push(member.max(start + 2) - 1..at);
                }
            }
            _ => {}
        }
    }
    let attributes: Vec<Range<usize>> = spans.iter().map(|span| attribute(chars, span.start)..span.end).collect();
    let leads: Vec<Range<usize>> = spans.iter().map(|span| lead(chars, span.start)..span.end).collect();
    let trails: Vec<Range<usize>> = leads.iter().map(|span| span.start..trail(chars, span.end)).collect();
    spans.extend(leads);
    spans.extend(trails);
    spans.extend(attributes);
    spans.extend(members);
    spans.dedup();
    spans
}

/// Where what leads up to a value begins.
fn lead(chars: &[char], value: usize) -> usize {
    let is_lead = |char: &char| char.is_alphanumeric() || "\":,= _".contains(*char);
    value - chars[..value].iter().rev().take_while(|char| is_lead(char)).count()
}

/// Where the attribute begins whose value this is, with the blanks before it.
fn attribute(chars: &[char], value: usize) -> usize {
    let name = |char: &char| char.is_alphanumeric() || "=_".contains(*char);
    let start = value - chars[..value].iter().rev().take_while(|char| name(char)).count();
    start - chars[..start].iter().rev().take_while(|char| char.is_whitespace()).count()
}

/// Where what follows a value ends.
fn trail(chars: &[char], value: usize) -> usize {
    value + chars[value..].iter().take_while(|char| ", ".contains(**char)).count()
}
