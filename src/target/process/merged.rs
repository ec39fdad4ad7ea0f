//! Answers to `sweep` and `fork`, of which the outcomes are read without making much of them.
//!
//! An adapter that gives a piece of text for every chunk answers with hundreds of thousands of little events, which come to the same few
//! outcomes once adjacent text is merged. So each outcome is held against the first one while it is read, and only what differs
//! from it is made into values: that costs a fraction of making an object of each event.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize as _;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

/// The outcomes of an answer, of which those that are alike stand only once, as far as that was noticed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcomes {
    /// The different ones, each a list of events with adjacent text merged, or what is instead of one.
    pub(super) different: Vec<Value>,
    /// For each outcome of the answer, which of them it is.
    pub(super) numbers: Vec<usize>,
}

/// Reads an answer, if it is of the plain form that nearly all have: its other fields, and its outcomes. What is not read may still be an
/// answer.
pub(super) fn answer(line: &str) -> Option<(Map<String, Value>, Option<Outcomes>)> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let answer = Answer.deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| answer)
}

/// An object, with `outcomes` apart from its other fields.
struct Answer;

/// A list with an [`Outcome`] each.
struct List;

/// A list of events, held against another one that it may be equal to; or what is instead of a list.
struct Outcome<'a>(&'a [Value]);

/// An event, for the list of them that it continues.
struct Into<'a, 'b>(&'a mut Reading<'b>);

/// A string.
struct Word;

macro_rules! seed {
    ($seed:ty, $value:ty, $method:ident) => {
        impl<'de> DeserializeSeed<'de> for $seed {
            type Value = $value;

            fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<$value, D::Error> {
                reader.$method(self)
            }
        }
    };
}

seed!(Answer, (Map<String, Value>, Option<Outcomes>), deserialize_map);
seed!(List, Outcomes, deserialize_seq);
seed!(Outcome<'_>, Option<Value>, deserialize_any);
seed!(Into<'_, '_>, (), deserialize_map);
seed!(Word, Cow<'de, str>, deserialize_str);

impl<'de> Visitor<'de> for Answer {
    type Value = (Map<String, Value>, Option<Outcomes>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut others, mut outcomes) = (Map::new(), None);
        while let Some(name) = fields.next_key::<String>()? {
            if name == "outcomes" {
                outcomes = Some(fields.next_value_seed(List)?);
            } else {
                others.insert(name, fields.next_value()?);
            }
        }
        Ok((others, outcomes))
    }
}

impl<'de> Visitor<'de> for List {
    type Value = Outcomes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of outcomes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Outcomes, A::Error> {
        let Outcomes { mut different, mut numbers } = Outcomes::default();
        loop {
            let first = different.first().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            match items.next_element_seed(Outcome(first))? {
                None => return Ok(Outcomes { different, numbers }),
                Some(None) => numbers.push(0),
                Some(Some(other)) => {
                    numbers.push(different.len());
                    different.push(other);
                }
            }
        }
    }
}

impl<'de> Visitor<'de> for Outcome<'_> {
    /// Nothing where it is like the other one.
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut reading = Reading { like: self.0, come: 0, text: None, own: None };
        while items.next_element_seed(Into(&mut reading))?.is_some() {}
        Ok(reading.finish())
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        Map::deserialize(MapAccessDeserializer::new(fields)).map(|fields| Some(Value::Object(fields)))
    }
}

/// A list of events as far as it has been read.
struct Reading<'a> {
    /// Another list, which it may turn out to be like.
    like: &'a [Value],
    /// How many events of that one came, without the text that is coming.
    come: usize,
    /// The text of that one that is coming, and how many bytes of it came.
    text: Option<(&'a str, usize)>,
    /// Its own events, once they differ.
    own: Option<Vec<Value>>,
}

impl Reading<'_> {
    /// Takes running text. Empty text means nothing.
    fn text(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if self.own.is_none() {
            let coming = self.text.or_else(|| Some((running_text(self.like.get(self.come)?)?, 0)));
            if let Some((text, at)) = coming.filter(|(text, at)| text[*at..].starts_with(piece)) {
                self.text = Some((text, at + piece.len()));
                return;
            }
        }
        let own = self.own();
        match own.last_mut().filter(|last| running_text(last).is_some()).and_then(|last| last.get_mut("text")) {
            Some(Value::String(text)) => text.push_str(piece),
            _ => own.push(json!({"type": "text", "text": piece})),
        }
    }

    /// Takes any other event.
    fn event(&mut self, event: Value) {
        if self.own.is_none() && self.ends_text() && self.like.get(self.come) == Some(&event) {
            self.come += 1;
        } else {
            self.own().push(event);
        }
    }

    /// Whether the text that is coming may end here; then it is over.
    fn ends_text(&mut self) -> bool {
        let is_whole = self.text.is_none_or(|(text, at)| at == text.len());
        if is_whole {
            self.come += usize::from(self.text.take().is_some());
        }
        is_whole
    }

    /// Its own events: from now on it is not like the other one.
    fn own(&mut self) -> &mut Vec<Value> {
        let Self { like, come, text, own } = self;
        own.get_or_insert_with(|| {
            let begun = text.map(|(text, at)| json!({"type": "text", "text": text[..at]}));
            like[..*come].iter().cloned().chain(begun).collect()
        })
    }

    /// All events, unless they are those of the other one. The first list is like none.
    fn finish(mut self) -> Option<Value> {
        let is_like = self.own.is_none() && self.ends_text() && self.come == self.like.len() && !self.like.is_empty();
        (!is_like).then(|| std::mem::take(self.own()).into())
    }
}

impl<'de> Visitor<'de> for Into<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut event = Map::new();
        if let Some(first) = fields.next_key_seed(Word)? {
            // What begins otherwise is an event too, but none that is merged here.
            if first != "type" {
                return Err(A::Error::custom("the type is not the first field"));
            }
            let kind = fields.next_value_seed(Word)?;
            let second = fields.next_key_seed(Word)?;
            if kind == "text" && second.as_deref() == Some("text") {
                let text = fields.next_value_seed(Word)?;
                let Some(third) = fields.next_key::<String>()? else {
                    self.0.text(&text);
                    return Ok(());
                };
                event.insert("text".to_owned(), text.as_ref().into());
                event.insert(third, fields.next_value()?);
            } else if let Some(second) = second {
                event.insert(second.into_owned(), fields.next_value()?);
            }
            event.entry("type").or_insert_with(|| kind.as_ref().into());
        }
        while let Some((name, value)) = fields.next_entry()? {
            event.insert(name, value);
        }
        let event = Value::Object(event);
        match running_text(&event) {
            Some(text) => self.0.text(text),
            None => self.0.event(event),
        }
        Ok(())
    }
}

/// The text of an event that is running text and nothing more.
fn running_text(event: &Value) -> Option<&str> {
    let fields = event.as_object()?;
    let is_text = fields.len() == 2 && fields.get("type").is_some_and(|kind| kind == "text");
    fields.get("text").filter(|_| is_text)?.as_str()
}

impl<'de> Visitor<'de> for Word {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, normal_form};

    /// All outcomes, each in normal form.
    fn normal(outcomes: &[Value]) -> Vec<Vec<Event>> {
        let events = |list: &Value| -> Vec<Event> {
            let items = list.as_array().cloned().unwrap_or_default();
            items.into_iter().map(|item| Event::try_from(item).expect("an event")).collect()
        };
        outcomes.iter().map(|list| normal_form(events(list))).collect()
    }

    /// What is read of a list of outcomes, each in its place; after how many there are that differ is looked at.
    fn read(list: &str, different: usize) -> Vec<Vec<Event>> {
        let (_, outcomes) = answer(&format!("{{\"outcomes\":{list}}}")).expect("it is read");
        let outcomes = outcomes.expect("there are some");
        assert_eq!(outcomes.different.len(), different, "{list}");
        let each: Vec<Value> = outcomes.numbers.iter().map(|&number| outcomes.different[number].clone()).collect();
        normal(&each)
    }

    #[test]
    fn what_is_merged_is_what_the_normal_form_merges() {
        for list in [
            r#"[[{"type":"text","text":"a"},{"type":"text","text":"\u00e9"},{"type":"text","text":""}]]"#,
            r#"[[{"type":"text","text":"a"},{"type":"x"},{"type":"text","text":"b"}],[]]"#,
            r#"[[{"type":"text","text":"a","more":1},{"type":"text","text":"b"}]]"#,
            r#"[[{"type":"text","text":"a"},{"type":"text","text":"b","text":"c","type":"d"}]]"#,
            r#"[[{"type":"text"},{"type":"text","token":"b"},{"type":"token","token":"a"}]]"#,
            r#"[[{"type":"text","text":"a"},{"type":"x","type":"text","text":"b"}]]"#,
        ] {
            let plain: Vec<Value> = serde_json::from_str(list).expect("JSON");
            assert_eq!(read(list, plain.len()), normal(&plain), "{list}");
        }
    }

    #[test]
    fn what_is_like_the_first_stands_once() {
        let first = r#"[{"type":"text","text":"ab"},{"type":"x","n":1},{"type":"text","text":"c"}]"#;
        let (a, ab) = (r#"{"type":"text","text":"a"}"#, r#"{"type":"text","text":"ab"}"#);
        let (b, c) = (r#"{"type":"text","text":"b"}"#, r#"{"type":"text","text":"c"}"#);
        let (x, y) = (r#"{"type":"x","n":1}"#, r#"{"type":"x","n":2}"#);
        let same = [vec![ab, x, c], vec![a, b, x, c], vec![a, r#"{"type":"text","text":""}"#, b, x, c]];
        let others = [
            vec![ab, x],
            vec![ab, x, c, c],
            vec![ab, x, c, x],
            vec![a, x, c],
            vec![a, b, b, x, c],
            vec![ab, y, c],
            vec![x, ab, c],
            vec![ab],
            vec![a],
            vec![],
            vec![c, x, ab],
        ];
        for (events, differs) in same.iter().map(|events| (events, 0)).chain(others.iter().map(|events| (events, 1))) {
            let list = format!("[{first},[{}]]", events.join(","));
            let plain: Vec<Value> = serde_json::from_str(&list).expect("JSON");
            assert_eq!(read(&list, 1 + differs), normal(&plain), "{list}");
        }
    }

    #[test]
    fn what_is_read_without_outcomes_is_what_it_says() {
        for line in [r#"{"id":1,"out":[[{"type":"text","text":"a"},{"type":"text","text":"b"}],[]],"id":2}"#, "{}"] {
            let (fields, outcomes) = answer(line).expect("it is read");
            assert_eq!((Some(Value::from(fields)), outcomes), (serde_json::from_str(line).ok(), None), "{line}");
        }
        for line in ["[]", "{} {}", r#"{"outcomes":1}"#, r#"{"outcomes":[[{"text":"a","type":"text"}]]}"#, "{"] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
