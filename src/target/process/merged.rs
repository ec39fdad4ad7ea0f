//! Answers to `sweep`, read with adjacent text of their outcomes merged at once.
//!
//! An adapter that gives a piece of text for every chunk answers with hundreds of thousands of little events, which are merged
//! before they are compared. To merge them while they are read costs a fraction of making an object of each first.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize as _;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads an answer, if it is of the plain form that nearly all have. What is not read may still be an answer.
pub(super) fn answer(line: &str) -> Option<Map<String, Value>> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let answer = Answer.deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| answer)
}

/// An object, with `outcomes` as [`Outcomes`].
struct Answer;

/// A list with an [`Outcome`] each.
struct Outcomes;

/// A list of events, or what is instead of one.
struct Outcome;

/// An event, for a list of them that it joins.
struct Into<'a>(&'a mut Vec<Value>);

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

seed!(Answer, Map<String, Value>, deserialize_map);
seed!(Outcomes, Value, deserialize_seq);
seed!(Outcome, Value, deserialize_any);
seed!(Into<'_>, (), deserialize_map);
seed!(Word, Cow<'de, str>, deserialize_str);

impl<'de> Visitor<'de> for Answer {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut answer = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let value =
                if name == "outcomes" { fields.next_value_seed(Outcomes)? } else { fields.next_value::<Value>()? };
            answer.insert(name, value);
        }
        Ok(answer)
    }
}

impl<'de> Visitor<'de> for Outcomes {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of outcomes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut outcomes = Vec::new();
        while let Some(outcome) = items.next_element_seed(Outcome)? {
            outcomes.push(outcome);
        }
        Ok(outcomes.into())
    }
}

impl<'de> Visitor<'de> for Outcome {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut events = Vec::new();
        while items.next_element_seed(Into(&mut events))?.is_some() {}
        Ok(events.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Value, A::Error> {
        Map::deserialize(MapAccessDeserializer::new(fields)).map(Value::Object)
    }
}

impl<'de> Visitor<'de> for Into<'_> {
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
                let third = fields.next_key::<String>()?;
                if third.is_none()
                    && let Some(before) = self.0.last_mut().and_then(running_text)
                {
                    before.push_str(&text);
                    return Ok(());
                }
                event.insert("text".to_owned(), text.as_ref().into());
                if let Some(third) = third {
                    event.insert(third, fields.next_value()?);
                }
            } else if let Some(second) = second {
                event.insert(second.into_owned(), fields.next_value()?);
            }
            event.entry("type").or_insert_with(|| kind.as_ref().into());
        }
        while let Some((name, value)) = fields.next_entry()? {
            event.insert(name, value);
        }
        self.0.push(event.into());
        Ok(())
    }
}

/// The text of an event that is running text and nothing more.
fn running_text(event: &mut Value) -> Option<&mut String> {
    let fields = event.as_object_mut()?;
    let is_text = fields.len() == 2 && fields.get("type").is_some_and(|kind| kind == "text");
    match fields.get_mut("text").filter(|_| is_text) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
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

    /// The outcomes of an answer, each in normal form.
    fn normal(answer: &Map<String, Value>) -> Vec<Vec<Event>> {
        let outcomes = answer["outcomes"].as_array().expect("a list").iter();
        let events = |list: &Value| -> Vec<Event> {
            let items = list.as_array().cloned().unwrap_or_default();
            items.into_iter().map(|item| Event::try_from(item).expect("an event")).collect()
        };
        outcomes.map(|list| normal_form(events(list))).collect()
    }

    #[test]
    fn what_is_merged_is_what_the_normal_form_merges() {
        for (line, events) in [
            (
                r#"{"id":1,"outcomes":[[{"type":"text","text":"a"},{"type":"text","text":"\u00e9"},{"type":"text","text":""}]]}"#,
                1,
            ),
            (r#"{"outcomes":[[{"type":"text","text":"a"},{"type":"x"},{"type":"text","text":"b"}],[]]}"#, 3),
            (r#"{"outcomes":[[{"type":"text","text":"a","more":1},{"type":"text","text":"b"}]]}"#, 2),
            (r#"{"outcomes":[[{"type":"text","text":"a"},{"type":"text","text":"b","text":"c","type":"d"}]]}"#, 2),
            (r#"{"outcomes":[[{"type":"text"},{"type":"text","token":"b"},{"type":"token","token":"a"}]]}"#, 3),
            (r#"{"outcomes":[[{"type":"text","text":"a"},{"type":"x","type":"text","text":"b"}]]}"#, 1),
        ] {
            let merged = answer(line).expect("it is read");
            let plain: Map<String, Value> = serde_json::from_str(line).expect("JSON");
            assert_eq!(normal(&merged), normal(&plain), "{line}");
            assert_eq!(normal(&merged)[0].len(), events, "{line}");
            assert_eq!(merged.keys().collect::<Vec<_>>(), plain.keys().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_read_without_outcomes_is_what_it_says() {
        for line in [r#"{"id":1,"out":[[{"type":"text","text":"a"},{"type":"text","text":"b"}],[]],"id":2}"#, "{}"] {
            assert_eq!(answer(line).map(Value::from), serde_json::from_str(line).ok(), "{line}");
        }
        for line in ["[]", "{} {}", r#"{"outcomes":1}"#, r#"{"outcomes":[[{"text":"a","type":"text"}]]}"#, "{"] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
