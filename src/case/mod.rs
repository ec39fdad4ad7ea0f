//! Case files: inputs, the events they must produce, and the rules they show.
//!
//! The format is described in `spec/README.md` and by `spec/schema/cases.schema.json`. Loading refuses what the schema
//! refuses, and more (duplicate keys and names, unknown rules, settings a dialect does not understand); an error names file,
//! case and place.

mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

pub use self::write::text_of;
pub(crate) use self::write::{text_appended, text_with};
use crate::dialect::{Dialect, Options};
use crate::event::Event;
use crate::input::{Input, Kind, from_base64};
use crate::level::Level;
use crate::{spec, strict_json};

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// Where it stands, as it was given.
    pub file: String,
    /// Its dialect's name and its own: `inline-tag/near-miss-is-text`.
    pub id: String,
    /// Its dialect.
    #[serde(skip)]
    pub dialect: Dialect,
    /// The rules it shows.
    pub rules: Vec<String>,
    /// How much a failure weighs.
    pub level: Level,
    /// What the name does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// A public bug of this kind, or a place in the source document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The dialect's settings.
    pub options: Options,
    /// The input, in the pieces in which the file has it.
    pub input: Pieces,
    /// Which of the pieces may be repeated any number of times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grow: Option<usize>,
    /// What must come out, in normal form.
    pub events: Vec<Event>,
}

impl Case {
    /// The whole input.
    pub fn whole(&self) -> Input {
        Input::joined(&self.input.0)
    }

    /// The input with its growing piece repeated so often; nothing where the case has none.
    pub fn grown(&self, times: usize) -> Option<Input> {
        let grow = self.grow?;
        let repeated = |(at, piece)| std::iter::repeat_n(piece, if at == grow { times } else { 1 });
        Some(Input::joined(self.input.0.iter().enumerate().flat_map(repeated)))
    }
}

/// An input in pieces of one kind: strings, bytes, or one value each.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces(pub Vec<Input>);

/// Strings as a list, bytes together, values as a list.
impl Serialize for Pieces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.first() {
            Some(Input::Text(_)) => self.0.serialize(serializer),
            _ => Input::joined(&self.0).serialize(serializer),
        }
    }
}

/// A file of cases.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseFile {
    /// Its cases, in order.
    pub cases: Vec<Case>,
    /// What a fuzzer knows of them, where one wrote the file ([`crate::finding`]).
    pub finding: Option<Value>,
}

/// A case file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub struct CaseError {
    file: String,
    case: Option<String>,
    problem: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(case) = &self.case {
            write!(f, "{case}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl CaseFile {
    /// Reads the cases of a file's content; `file` is what errors call it.
    pub fn parse(file: &str, content: &str) -> Result<Self, CaseError> {
        let error = |problem: String| CaseError { file: file.to_owned(), case: None, problem };
        let value = strict_json::parse(content, "a JSON file of cases").map_err(error)?;
        let fields = Fields::of(&value, &["$schema", "dialect", "finding", "cases"]).map_err(error)?;
        fields.string("$schema").map_err(error)?;
        let dialect: Dialect = fields
            .string("dialect")
            .and_then(|name| name.ok_or_else(|| "field \"dialect\" is missing".to_owned()))
            .and_then(|name| name.parse().map_err(|unknown| format!("field \"dialect\": {unknown}")))
            .map_err(error)?;
        let cases = match fields.0.get("cases") {
            Some(Value::Array(cases)) if !cases.is_empty() => cases,
            _ => {
                return Err(error("field \"cases\" must be a list with at least one case".to_owned()));
            }
        };
        let named = |(at, value): (usize, &Value)| {
            case(file, dialect, value).map_err(|problem| CaseError {
                file: file.to_owned(),
                case: Some(match value.get("name").and_then(Value::as_str) {
                    Some(name) => format!("case {name:?}"),
                    None => format!("case number {}", at + 1),
                }),
                problem,
            })
        };
        let finding = match fields.0.get("finding") {
            Some(other) if !other.is_object() => {
                return Err(error(format!("field \"finding\" must be an object, not {}", short(other))));
            }
            finding => finding.cloned(),
        };
        Ok(Self { cases: cases.iter().enumerate().map(named).collect::<Result<_, _>>()?, finding })
    }

    /// Reads a case file from disk.
    pub fn read(path: &Path) -> Result<Self, CaseError> {
        let file = path.display().to_string();
        let error = |problem: String| CaseError { file: file.clone(), case: None, problem };
        let bytes = fs::read(path).map_err(|problem| error(format!("cannot be read: {problem}")))?;
        let content = String::from_utf8(bytes).map_err(|problem| {
            let before = &problem.as_bytes()[..problem.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            error(format!("not UTF-8 at line {line}, byte {} of the file", before.len()))
        })?;
        Self::parse(&file, &content)
    }
}

/// Reads the cases of these files and, for folders, of the `.json` files in them.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Case>, CaseError> {
    let mut cases = Vec::new();
    for path in paths {
        for file in files_of(path)? {
            cases.extend(CaseFile::read(&file)?.cases);
        }
    }
    refuse_duplicates(&cases)?;
    Ok(cases)
}

fn files_of(path: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let error = |problem: String| CaseError { file: path.display().to_string(), case: None, problem };
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|problem| error(format!("cannot be read: {problem}")))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    if files.is_empty() { Err(error("no .json file in this folder".to_owned())) } else { Ok(files) }
}

/// Refuses two cases with the same id.
pub(crate) fn refuse_duplicates(cases: &[Case]) -> Result<(), CaseError> {
    let mut first: HashMap<&str, &str> = HashMap::new();
    for case in cases {
        if let Some(file) = first.insert(&case.id, &case.file) {
            let problem = format!("the name is already used in {file}");
            return Err(CaseError { file: case.file.clone(), case: Some(format!("case {:?}", case.id)), problem });
        }
    }
    Ok(())
}

const FIELDS: &[&str] = &["name", "rules", "level", "why", "origin", "options", "input", "grow", "events"];

fn case(file: &str, dialect: Dialect, value: &Value) -> Result<Case, String> {
    let fields = Fields::of(value, FIELDS)?;
    let name = fields.string("name")?.ok_or("field \"name\" is missing")?;
    if !is_kebab_case(&name) {
        return Err("field \"name\" must be lower-case words of a to z and 0 to 9 with hyphens between".to_owned());
    }
    let level = match fields.string("level")? {
        None => Level::Must,
        Some(name) => {
            Level::named(&name).ok_or(format!("field \"level\" must be must, should or may, not {name:?}"))?
        }
    };
    let options = fields.options()?;
    dialect.check_options(&options).map_err(|error| error.to_string())?;
    let input = fields.input(dialect.kind(&options))?;
    Ok(Case {
        file: file.to_owned(),
        id: format!("{dialect}/{name}"),
        dialect,
        rules: fields.rules(dialect)?,
        level,
        why: fields.string("why")?,
        origin: fields.string("origin")?,
        options,
        grow: fields.grow(input.0.len())?,
        input,
        events: fields.events(dialect)?,
    })
}

/// A value for a message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn is_kebab_case(name: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
    name.split('-').all(word)
}

/// The fields of an object, with errors that say what was expected.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn of(value: &'a Value, known: &[&str]) -> Result<Self, String> {
        let Value::Object(fields) = value else {
            return Err(format!("expected an object, found {}", short(value)));
        };
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(format!("unknown field {name:?}; there are {}", known.join(", "))),
            None => Ok(Self(fields)),
        }
    }

    fn string(&self, name: &str) -> Result<Option<String>, String> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            Some(other) => Err(format!("field {name:?} must be a string that is not empty, not {other}")),
        }
    }

    fn strings(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        let problem = || format!("field {name:?} must be a list of strings that is not empty");
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let items = value.as_array().filter(|items| !items.is_empty()).ok_or_else(problem)?;
        let texts: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
        texts.map(Some).ok_or_else(problem)
    }

    fn rules(&self, dialect: Dialect) -> Result<Vec<String>, String> {
        let rules = self.strings("rules")?.unwrap_or_default();
        for (at, id) in rules.iter().enumerate() {
            if spec::rule(id).is_none_or(|rule| rule.dialect != dialect) {
                return Err(format!("field \"rules\": {dialect} has no rule {id:?}; see `anysplit rules`"));
            }
            if rules[..at].contains(id) {
                return Err(format!("field \"rules\" names {id:?} twice"));
            }
        }
        Ok(rules)
    }

    fn options(&self) -> Result<Options, String> {
        match self.0.get("options") {
            None => Ok(Options::default()),
            Some(Value::Object(options)) => Ok(Options(options.clone())),
            Some(other) => Err(format!("field \"options\" must be an object, not {}", short(other))),
        }
    }

    fn input(&self, kind: Kind) -> Result<Pieces, String> {
        let value = self.0.get("input").ok_or("field \"input\" is missing")?;
        match (kind, value) {
            (Kind::Objects, Value::Array(items)) => {
                let pieces: Vec<Input> = items.iter().map(|item| Input::Objects(vec![item.clone()])).collect();
                Ok(Pieces(if pieces.is_empty() { vec![Input::Objects(Vec::new())] } else { pieces }))
            }
            (Kind::Objects, _) => Err("field \"input\" must be a list of items".to_owned()),
            (Kind::Bytes, Value::Object(fields)) => {
                let bytes =
                    fields.get("bytes").filter(|_| fields.len() == 1).and_then(Value::as_str).and_then(from_base64);
                let bytes = bytes.ok_or("field \"input\": expected {\"bytes\": \"…\"} with base64")?;
                Ok(Pieces(vec![Input::Bytes(bytes)]))
            }
            (Kind::Text, _) => self.texts("must be a string or a list of strings", Input::Text),
            (Kind::Bytes, _) => {
                let problem = "must be a string, a list of strings, or {\"bytes\": \"…\"} with base64";
                self.texts(problem, |text| Input::Bytes(text.into_bytes()))
            }
        }
    }

    fn texts(&self, problem: &str, piece: impl Fn(String) -> Input) -> Result<Pieces, String> {
        let texts = match self.0.get("input") {
            Some(Value::String(text)) => vec![text.clone()],
            _ => self
                .strings("input")
                .map(Option::unwrap_or_default)
                .map_err(|_| format!("field \"input\" {problem}"))?,
        };
        Ok(Pieces(texts.into_iter().map(piece).collect()))
    }

    fn grow(&self, pieces: usize) -> Result<Option<usize>, String> {
        let Some(value) = self.0.get("grow") else { return Ok(None) };
        let index = value.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|&index| index < pieces);
        let is_list = self.0.get("input").is_some_and(Value::is_array);
        index
            .filter(|_| is_list)
            .map(Some)
            .ok_or("field \"grow\" must be the index of an element of an \"input\" list".to_owned())
    }

    fn events(&self, dialect: Dialect) -> Result<Vec<Event>, String> {
        let Some(Value::Array(items)) = self.0.get("events") else {
            return Err("field \"events\" must be a list".to_owned());
        };
        let event = |(at, item): (usize, &Value)| {
            Event::try_from(item.clone()).map_err(|error| format!("event number {}: {error}", at + 1))
        };
        let events = items.iter().enumerate().map(event).collect::<Result<Vec<_>, _>>()?;
        if dialect.form().normal(events.clone()) != events {
            return Err("field \"events\" is not in normal form: merge adjacent text, leave out empty text and repeated snapshots".to_owned());
        }
        Ok(events)
    }
}
