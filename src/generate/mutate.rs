//! Inputs with something wrong in them: pieces lost, doubled, replaced or put in, and noise that is dense in what parsers look for.

use serde_json::{Value, json};

use super::Draw;
use super::tokens::{fields, tokens};
use crate::dialect::Dialect;
use crate::input::Input;

/// Changes a few places of an input.
pub(super) fn mutate(dialect: Dialect, input: &mut Input, draw: &mut Draw<'_>) {
    for _ in 0..1 + draw.few(3) {
        match input {
            Input::Text(text) => *text = mutated_text(dialect, text, draw),
            Input::Bytes(bytes) => mutate_bytes(dialect, bytes, draw),
            Input::Objects(items) => mutate_items(items, draw),
        }
    }
}

/// Nothing but tokens of the dialect.
pub(super) fn noise(dialect: Dialect, draw: &mut Draw<'_>) -> Vec<u8> {
    let count = 1 + draw.few(24);
    (0..count).flat_map(|_| draw.pick(tokens(dialect)).as_bytes().to_vec()).collect()
}

/// A part of a text between characters, at most so long.
fn part(text: &str, most: usize, draw: &mut Draw<'_>) -> (usize, usize) {
    let start = text.floor_char_boundary(draw.below(text.len() + 1));
    let end = text.ceil_char_boundary((start + draw.few(most)).min(text.len()));
    (start, end)
}

fn mutated_text(dialect: Dialect, text: &str, draw: &mut Draw<'_>) -> String {
    let (start, end) = part(text, 24, draw);
    let (before, found, after) = (&text[..start], &text[start..end], &text[end..]);
    let token = draw.pick(tokens(dialect));
    match draw.below(6) {
        0 => [before, after].concat(),
        1 => [before, found, found, after].concat(),
        2 => [before, token, after].concat(),
        3 | 4 => [before, token, found, after].concat(),
        _ => {
            let (from, to) = part(text, 64, draw);
            [before, &text[from..to], after].concat()
        }
    }
}

fn mutate_bytes(dialect: Dialect, bytes: &mut Vec<u8>, draw: &mut Draw<'_>) {
    let start = draw.below(bytes.len() + 1);
    let end = (start + draw.few(24)).min(bytes.len());
    let found = bytes[start..end].to_vec();
    let token = draw.pick(tokens(dialect)).as_bytes();
    match draw.below(7) {
        0 => drop(bytes.drain(start..end)),
        1 => drop(bytes.splice(start..start, found)),
        2 => drop(bytes.splice(start..end, token.iter().copied())),
        3 | 4 => drop(bytes.splice(start..start, token.iter().copied())),
        5 => {
            let byte = [0x80, 0xc3, 0xf0, 0xfe, 0, b'\r', b'\n', draw.below(255) as u8][draw.below(8)];
            bytes.insert(start, byte);
        }
        _ => {
            let from = draw.below(bytes.len() + 1);
            let to = (from + draw.few(64)).min(bytes.len());
            let other = bytes[from..to].to_vec();
            bytes.splice(start..end, other);
        }
    }
}

fn mutate_items(items: &mut Vec<Value>, draw: &mut Draw<'_>) {
    let at = draw.below(items.len().max(1));
    let Some(item) = items.get(at).cloned() else { return items.push(odd(draw)) };
    let other = draw.below(items.len());
    match draw.below(7) {
        0 => drop(items.remove(at)),
        1 => items.insert(other, item),
        2 => items.swap(at, other),
        3 => items[at] = odd(draw),
        _ => mutate_fields(&mut items[at], draw),
    }
}

/// Takes a field out, gives it another value, or another item's name.
fn mutate_fields(item: &mut Value, draw: &mut Draw<'_>) {
    let Some(object) = item.as_object_mut().filter(|object| !object.is_empty()) else { return *item = odd(draw) };
    let names: Vec<String> = object.keys().cloned().collect();
    let name = &names[draw.below(names.len())];
    match draw.below(4) {
        0 => drop(object.remove(name)),
        1 => {
            let value = object.remove(name).unwrap_or_default();
            object.insert(draw.pick(fields()).to_owned(), value);
        }
        2 => drop(object.insert(draw.pick(fields()).to_owned(), odd(draw))),
        _ => drop(object.insert(name.clone(), odd(draw))),
    }
}

fn odd(draw: &mut Draw<'_>) -> Value {
    let odd = [
        json!(null),
        json!(true),
        json!(false),
        json!(1),
        json!(1.0),
        json!(""),
        json!("a"),
        json!([]),
        json!({"k": [1]}),
        json!({}),
        json!("running"),
        json!("start"),
    ];
    odd[draw.below(odd.len())].clone()
}
