//! The messages of the adapter protocol (`spec/PROTOCOL.md`): requests as they are written, answers as they are read.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::child::shown;
use super::merged::{self, Outcomes};
use crate::dialect::{Dialect, Options};
use crate::event::{Event, normal_form};
use crate::fault::{Fault, Loss};
use crate::input::{Chunk, Kind};
use crate::scan::json::any_within;
use crate::target::Outcome;
use crate::variation::Cuts;

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// Deeper than any event that a case asks for, and far from the end of the stack.
const MAX_DEPTH: usize = 512;

/// What is asked.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub(super) enum Request<'a> {
    Hello { protocol: u64 },
    Run { dialect: &'a str, options: &'a Options, chunks: Items<'a> },
    Sweep { dialect: &'a str, options: &'a Options, atoms: Items<'a>, cuts: &'a [Cuts] },
    Walk { dialect: &'a str, options: &'a Options, atoms: Items<'a> },
    Fork { at: usize, state: &'a str, ends: Vec<usize> },
    Finish { state: &'a str },
    Bye,
}

impl Request<'_> {
    /// The name, as in the protocol.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Run { .. } => "run",
            Self::Sweep { .. } => "sweep",
            Self::Walk { .. } => "walk",
            Self::Fork { .. } => "fork",
            Self::Finish { .. } => "finish",
            Self::Bye => "bye",
        }
    }

    /// The line, without its end.
    pub(super) fn line(&self, id: u64) -> Vec<u8> {
        let body = serde_json::to_vec(self).expect("requests are plain data");
        // `{"cmd":…` with the id put in front.
        [format!("{{\"id\":{id},").as_bytes(), &body[1..]].concat()
    }
}

/// Chunks or atoms, as an adapter takes them.
#[derive(Clone, Debug)]
pub(super) struct Items<'a> {
    pub(super) chunks: Vec<Chunk<'a>>,
    /// Whether text goes as the bytes of its UTF-8.
    pub(super) as_bytes: bool,
}

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for &chunk in &self.chunks {
            match chunk {
                Chunk::Text(text) if self.as_bytes => list.serialize_element(&STANDARD.encode(text))?,
                Chunk::Text(text) => list.serialize_element(text)?,
                Chunk::Bytes(bytes) => list.serialize_element(&STANDARD.encode(bytes))?,
                Chunk::Objects(items) => items.iter().try_for_each(|item| list.serialize_element(item))?,
            }
        }
        list.end()
    }
}

/// How an adapter introduced itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Greeting {
    /// The implementation's name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// What it is written in.
    pub language: Option<String>,
    /// The dialects it implements, as far as they are known here.
    pub dialects: Vec<Dialect>,
    /// Names of dialects that are not known here.
    pub unknown: Vec<String>,
    /// What it takes for these dialects.
    pub accepts: BTreeMap<Dialect, Vec<Kind>>,
    /// What else it can do.
    pub caps: Vec<String>,
}

impl Greeting {
    /// Whether it has this capability.
    pub fn can(&self, cap: &str) -> bool {
        self.caps.iter().any(|known| known == cap)
    }

    /// Reads the answer to `hello`.
    pub(super) fn of(answer: &Map<String, Value>) -> Result<Self, String> {
        match answer.get("protocol").and_then(Value::as_u64) {
            Some(PROTOCOL) => {}
            _ => return Err(format!("the answer to hello has no \"protocol\":{PROTOCOL}")),
        }
        let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
        let words = |name: &str| {
            let items = answer.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            items.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<String>>()
        };
        if answer.get("caps").is_some_and(|caps| !caps.is_array()) {
            return Err("\"caps\" in the answer to hello is no list".to_owned());
        }
        // It stands in lines of reports.
        let line = |text: String| text.replace(|char: char| char.is_control(), " ");
        let named = words("dialects");
        if named.is_empty() {
            return Err("the answer to hello names no \"dialects\"".to_owned());
        }
        let dialects: Vec<Dialect> = named.iter().filter_map(|name| name.parse().ok()).collect();
        let unknown = named.into_iter().filter(|name| name.parse::<Dialect>().is_err()).collect();
        let accepts = dialects.iter().map(|&dialect| Ok((dialect, accepts(answer, dialect)?)));
        Ok(Self {
            name: text("name").map(line).ok_or("the answer to hello has no \"name\"")?,
            version: text("version").map(line),
            language: text("language"),
            accepts: accepts.collect::<Result<_, String>>()?,
            dialects,
            unknown,
            caps: words("caps"),
        })
    }
}

fn accepts(answer: &Map<String, Value>, dialect: Dialect) -> Result<Vec<Kind>, String> {
    let kind = |value: &Value| match value.as_str() {
        Some("text") => Ok(Kind::Text),
        Some("bytes") => Ok(Kind::Bytes),
        Some("objects") => Ok(Kind::Objects),
        _ => Err(format!("\"accepts\" is text, bytes or objects, not {value}")),
    };
    let own = match answer.get("accepts") {
        Some(Value::Object(map)) => map.get(dialect.name()),
        other => other,
    };
    match own {
        None => Ok(vec![dialect.kind(&Options::default())]),
        Some(Value::Array(kinds)) => kinds.iter().map(kind).collect(),
        Some(one) => kind(one).map(|one| vec![one]),
    }
}

/// What is wrong with an answer.
pub(super) type Wrong = (Loss, String);

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// Its fields, but for `outcomes` where that is a list.
    pub(super) fields: Map<String, Value>,
    outcomes: Option<Outcomes>,
}

impl Answer {
    fn of(mut fields: Map<String, Value>) -> Self {
        let outcomes = match fields.get_mut("outcomes") {
            Some(Value::Array(list)) => {
                let different = std::mem::take(list);
                fields.remove("outcomes");
                Some(Outcomes { numbers: (0..different.len()).collect(), different })
            }
            _ => None,
        };
        Self { fields, outcomes }
    }

    /// The whole object.
    pub(super) fn object(&self) -> Map<String, Value> {
        let mut object = self.fields.clone();
        if let Some(Outcomes { different, numbers }) = &self.outcomes {
            let list = numbers.iter().map(|&number| different[number].clone());
            object.insert("outcomes".to_owned(), list.collect());
        }
        object
    }
}

/// Reads a line as the answer to the request of this id.
pub(super) fn read(line: &[u8], id: u64) -> Result<Answer, Wrong> {
    let text = str::from_utf8(line)
        .map_err(|error| (Loss::InvalidUtf8, format!("byte {} of the line {}", error.valid_up_to(), shown(line))))?;
    let garbage = |why: &str| (Loss::Garbage, format!("{why}: {}", shown(line)));
    let answer = merged::answer(text).map(|(fields, outcomes)| Answer { fields, outcomes }).or_else(|| {
        // JavaScript can write half a pair, which no Unicode text holds.
        let value = any_within(line, MAX_DEPTH).or_else(|| any_within(&without_half_pairs(line), MAX_DEPTH));
        if let Some(Value::Object(fields)) = value { Some(Answer::of(fields)) } else { None }
    });
    let Some(answer) = answer else { return Err(garbage("not a JSON object")) };
    match answer.fields.get("id") {
        Some(found) if found.as_u64() == Some(id) => Ok(answer),
        Some(Value::Null) => Err(garbage("it could not read a request")),
        Some(found) => Err((Loss::WrongId, format!("{found} instead of {id} in {}", shown(line)))),
        None => Err(garbage("an answer without an id")),
    }
}

/// The same with U+FFFD for `\uXXXX` escapes of surrogates that have no partner.
fn without_half_pairs(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((&byte, after)) = rest.split_first() {
        let taken = match (byte, after.first()) {
            (b'\\', Some(b'u')) => match (escape(rest), escape(rest.get(6..).unwrap_or_default())) {
                (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
                (Some(0xd800..=0xdfff), _) => {
                    out.extend_from_slice(b"\\ufffd");
                    rest = &rest[6..];
                    continue;
                }
                _ => 2,
            },
            (b'\\', Some(_)) => 2,
            _ => 1,
        };
        out.extend_from_slice(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// The code unit of a `\uXXXX` that stands at the start.
fn escape(text: &[u8]) -> Option<u16> {
    let digits = str::from_utf8(text.strip_prefix(b"\\u")?.get(..4)?).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

/// The fault that an answer tells of, if it does.
pub(super) fn refusal(fields: &Map<String, Value>) -> Option<Fault> {
    let text = |name: &str| fields.get(name).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
    if let Some(what) = text("unsupported") {
        return Some(Fault::Unsupported { what, reason: text("reason").unwrap_or_default() });
    }
    text("error").map(|message| Fault::Raised { message, trace: text("trace") })
}

/// The lists of an answer to `run` or `finish`, of which there must be so many.
pub(super) fn ran(answer: &mut Answer, lists: usize) -> Result<Vec<Vec<Event>>, Wrong> {
    let Some(Value::Array(out)) = answer.fields.remove("out") else {
        return Err((Loss::Garbage, "an answer without \"out\", a list of lists".to_owned()));
    };
    if out.len() != lists {
        let detail =
            format!("{} lists in \"out\" instead of {lists}: one for each chunk and one for the end", out.len());
        return Err((Loss::WrongCount, detail));
    }
    out.into_iter().map(events).collect()
}

/// The outcomes and the runs of an answer to `sweep`.
pub(super) fn swept(answer: &mut Answer, runs: usize) -> Result<(Vec<Outcome>, Vec<usize>), Wrong> {
    let (outcomes, places) = outcomes(answer)?;
    let Some(Value::Array(numbers)) = answer.fields.remove("runs") else {
        return Err((Loss::Garbage, "an answer without \"runs\", a list of numbers".to_owned()));
    };
    if numbers.len() != runs {
        return Err((Loss::WrongCount, format!("{} \"runs\" for {runs} lists of cuts", numbers.len())));
    }
    let numbers = numbers.iter().map(|number| place(number, &places)).collect::<Result<_, _>>()?;
    Ok((outcomes, numbers))
}

/// The fingerprint in an answer to `walk`.
pub(super) fn walking(answer: &mut Answer) -> Result<String, Wrong> {
    match answer.fields.remove("state") {
        Some(Value::String(state)) => Ok(state),
        _ => Err((Loss::Garbage, "an answer without \"state\", a string".to_owned())),
    }
}

/// What an answer to `fork` says of so many ends.
pub(super) fn forked(answer: &mut Answer, ends: usize) -> Result<Vec<(Outcome, String)>, Wrong> {
    let (outcomes, places) = outcomes(answer)?;
    let Some(Value::Array(steps)) = answer.fields.remove("steps") else {
        return Err((Loss::Garbage, "an answer without \"steps\", a list of pairs".to_owned()));
    };
    if steps.len() != ends {
        return Err((Loss::WrongCount, format!("{} \"steps\" for {ends} ends", steps.len())));
    }
    let step = |step: &Value| match step.as_array().map(Vec::as_slice) {
        Some([number, Value::String(state)]) => Ok((outcomes[place(number, &places)?].clone(), state.clone())),
        _ => Err((Loss::Garbage, format!("{step} is no pair of a number and a fingerprint"))),
    };
    steps.iter().map(step).collect()
}

/// The different outcomes, and which of them each one of the answer is.
fn outcomes(answer: &mut Answer) -> Result<(Vec<Outcome>, Vec<usize>), Wrong> {
    let Some(Outcomes { different, numbers }) = answer.outcomes.take() else {
        return Err((Loss::Garbage, "an answer without \"outcomes\", a list".to_owned()));
    };
    Ok((different.into_iter().map(outcome).collect::<Result<_, _>>()?, numbers))
}

fn outcome(value: Value) -> Result<Outcome, Wrong> {
    match value {
        Value::Object(fields) => {
            let detail = || "an outcome is a list of events or an error".to_owned();
            refusal(&fields).map(Err).ok_or_else(|| (Loss::Garbage, detail()))
        }
        list => events(list).map(Ok),
    }
}

fn place(number: &Value, places: &[usize]) -> Result<usize, Wrong> {
    let index = number.as_u64().and_then(|index| usize::try_from(index).ok());
    let place = index.and_then(|index| places.get(index)).copied();
    place.ok_or_else(|| (Loss::WrongCount, format!("{number} is none of {} outcomes", places.len())))
}

fn events(list: Value) -> Result<Vec<Event>, Wrong> {
    let Value::Array(items) = list else {
        return Err((Loss::Garbage, format!("{} is no list of events", shown(list.to_string().as_bytes()))));
    };
    let event = |item: Value| Event::try_from(item).map_err(|error| (Loss::Garbage, error.to_string()));
    items.into_iter().map(event).collect()
}

/// Reads a line as the answer to each kind of request, for whoever wants to know whether anything an adapter says can do harm; what
/// is wrong with the reading, not with the line.
pub fn understand(line: &[u8]) -> Result<(), String> {
    const ID: u64 = 1;
    let plain = serde_json::from_slice::<Value>(line).ok().filter(|value| value.get("id") == Some(&ID.into()));
    let answer = match (read(line, ID), plain) {
        (Ok(answer), Some(Value::Object(plain))) if said(answer.clone()) != said(Answer::of(plain.clone())) => {
            return Err(format!("{} is read as {answer:?}", shown(line)));
        }
        // Half a pair, for one, is nothing to other readers.
        (Ok(answer), _) => answer,
        (Err(wrong), Some(_)) if line.len() < MAX_DEPTH => {
            return Err(format!("{} is refused: {wrong:?}", shown(line)));
        }
        (Err(_), _) => return Ok(()),
    };
    let asked = |name: &str| answer.fields.get(name).and_then(Value::as_array).map_or(0, Vec::len);
    // Refusals are for those who ask on; here it is enough that they can be told.
    let _ = (refusal(&answer.fields), Greeting::of(&answer.fields), walking(&mut answer.clone()));
    for count in [asked("out"), asked("out") + 1] {
        if ran(&mut answer.clone(), count).is_ok_and(|lists| lists.len() != count || count != asked("out")) {
            return Err(format!("{} gives {count} lists", shown(line)));
        }
    }
    let (runs, steps) = (asked("runs"), asked("steps"));
    if let Ok((outcomes, found)) = swept(&mut answer.clone(), runs)
        && (found.len() != runs || found.iter().any(|&run| run >= outcomes.len()))
    {
        return Err(format!("{} gives the runs {found:?} of {} outcomes", shown(line), outcomes.len()));
    }
    if forked(&mut answer.clone(), steps).is_ok_and(|found| found.len() != steps) {
        return Err(format!("{} gives other than {steps} steps", shown(line)));
    }
    Ok(())
}

/// What an answer says, and its outcomes in normal form, if they are good ones.
fn said(mut answer: Answer) -> (Map<String, Value>, Option<Vec<Outcome>>) {
    let found = outcomes(&mut answer).ok();
    let normal = |outcome: &Outcome| outcome.clone().map(normal_form);
    let each = |(found, numbers): (Vec<Outcome>, Vec<usize>)| {
        numbers.into_iter().map(|number| normal(&found[number])).collect()
    };
    (answer.fields, found.map(each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_pair_is_replaced_and_nothing_else() {
        let replaced = |text: &str| String::from_utf8(without_half_pairs(text.as_bytes())).expect("still UTF-8");
        assert_eq!(replaced(r#""a\ud83d b""#), r#""a\ufffd b""#);
        assert_eq!(replaced(r#""\ud83d\ude00 \\ud83d \n\u00e9é""#), r#""\ud83d\ude00 \\ud83d \n\u00e9é""#);
        assert_eq!(replaced(r#""\ude00\ud83d""#), r#""\ufffd\ufffd""#);
        assert_eq!(replaced(r#""\ud8"#), r#""\ud8"#);
    }

    #[test]
    fn a_request_begins_with_its_id() {
        let line = Request::Hello { protocol: PROTOCOL }.line(7);
        assert_eq!(line, br#"{"id":7,"cmd":"hello","protocol":1}"#);
    }
}
