//! One property of a form's schema: the field that a person sees, and what their answer means to the server.

use super::super::visible::visible;
use protocol::question::{Answer, Field, QuestionOption, TextFormat, Wanted};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Characters of a name, of a label and an option, and of what is said of a field.
const NAME: usize = 100;
const LABEL: usize = 100;
const WORDS: usize = 300;
const OPTIONS: usize = 50;
const YES: &str = "Yes";
const NO: &str = "No";

pub(super) struct Property {
    pub(super) field: Field,
    pub(super) meaning: Meaning,
}

/// What an answer is to the server.
#[derive(Debug)]
pub(super) enum Meaning {
    /// What was entered.
    Itself,
    /// What the label stands for.
    One(Labels),
    /// What each of the labels stands for.
    Several(Labels),
}

/// Labels, and what they stand for.
type Labels = Vec<(String, Value)>;

impl Property {
    /// What is wrong comes back as words for the server.
    pub(super) fn read(name: &str, schema: &Value, required: bool) -> Result<Self, String> {
        let unknown = || format!("The field {} is of no kind that is known here.", visible(name, NAME));
        if name.is_empty() || name.chars().count() > NAME {
            return Err(format!("The name of a field has 1 to {NAME} characters."));
        }
        let schema = schema.as_object().ok_or_else(unknown)?;
        let (wanted, meaning) = wanted(schema).ok_or_else(unknown)?;
        let suggested = schema.get("default").and_then(|value| meaning.answer(&wanted, value));
        let title = one_line(text(schema, "title"), LABEL);
        let description = visible(text(schema, "description").trim(), WORDS);
        let field = Field {
            name: name.to_owned(),
            label: if title.is_empty() { one_line(name, NAME) } else { title },
            description: (!description.is_empty()).then_some(description),
            wanted,
            required,
            suggested,
        };
        Ok(Self { field, meaning })
    }
}

/// `None`: no person could be asked that.
fn wanted(schema: &Map<String, Value>) -> Option<(Wanted, Meaning)> {
    let size =
        |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|size| u32::try_from(size).ok());
    let number = |name: &str| schema.get(name).and_then(Value::as_number).cloned();
    Some(match schema.get("type")?.as_str()? {
        "string" if schema.contains_key("enum") || schema.contains_key("oneOf") => {
            let labels = labels(schema, "oneOf")?;
            (Wanted::Choice { options: options(&labels), other: false }, Meaning::One(labels))
        }
        "string" => {
            let format = match text(schema, "format") {
                "date" => return Some((Wanted::Date, Meaning::Itself)),
                "date-time" => Some(TextFormat::DateTime),
                "email" => Some(TextFormat::Email),
                "uri" => Some(TextFormat::Uri),
                // What it means the server knows, and says what does not fit.
                _ => None,
            };
            (Wanted::Text { least: size("minLength"), most: size("maxLength"), format }, Meaning::Itself)
        }
        kind @ ("number" | "integer") => {
            let (least, most) = (number("minimum"), number("maximum"));
            (Wanted::Number { least, most, whole: kind == "integer" }, Meaning::Itself)
        }
        "boolean" => {
            let labels = vec![(YES.to_owned(), true.into()), (NO.to_owned(), false.into())];
            (Wanted::Choice { options: options(&labels), other: false }, Meaning::One(labels))
        }
        "array" => {
            let labels = labels(schema.get("items")?.as_object()?, "anyOf")?;
            let all = u32::try_from(labels.len()).unwrap_or(u32::MAX);
            let (least, most) = (size("minItems").unwrap_or(0), size("maxItems").unwrap_or(all).min(all));
            let options = options(&labels);
            (Wanted::Several { options, other: false, least, most }, Meaning::Several(labels))
        }
        _ => return None,
    })
}

/// The values that may be chosen, by what they are called. `None`: they could not be told apart.
fn labels(schema: &Map<String, Value>, titled: &str) -> Option<Labels> {
    let values: Vec<(&str, &str)> = match (schema.get(titled), schema.get("enum")) {
        (Some(titled), _) => titled
            .as_array()?
            .iter()
            .map(|one| {
                let value = one.get("const")?.as_str()?;
                Some((one.get("title").and_then(Value::as_str).unwrap_or(value), value))
            })
            .collect::<Option<_>>()?,
        (None, Some(values)) => {
            let names = schema.get("enumNames").and_then(Value::as_array);
            let name = |at: usize| names.and_then(|names| names.get(at)).and_then(Value::as_str);
            values
                .as_array()?
                .iter()
                .enumerate()
                .map(|(at, value)| value.as_str().map(|value| (name(at).unwrap_or(value), value)))
                .collect::<Option<_>>()?
        }
        (None, None) => return None,
    };
    let labels: Labels =
        values.into_iter().map(|(label, value)| (one_line(label, LABEL), value.into())).collect();
    let apart: BTreeSet<&str> = labels.iter().map(|(label, _)| label.as_str()).collect();
    let are_good =
        apart.len() == labels.len() && !apart.contains("") && (1..=OPTIONS).contains(&labels.len());
    are_good.then_some(labels)
}

fn options(labels: &Labels) -> Vec<QuestionOption> {
    labels.iter().map(|(label, _)| QuestionOption { label: label.clone(), description: None }).collect()
}

impl Meaning {
    pub(super) fn of(&self, answer: &Answer) -> Option<Value> {
        let stands_for = |labels: &Labels, label: &String| {
            labels.iter().find(|(known, _)| known == label).map(|(_, value)| value.clone())
        };
        match (self, answer) {
            (Self::Itself, Answer::Text { text }) => Some(text.clone().into()),
            (Self::Itself, Answer::Date { date }) => Some(date.clone().into()),
            (Self::Itself, Answer::Number { number }) => Some(number.clone().into()),
            (Self::One(known), Answer::Chosen { labels, .. }) => stands_for(known, labels.first()?),
            (Self::Several(known), Answer::Chosen { labels, .. }) => {
                labels.iter().map(|label| stands_for(known, label)).collect()
            }
            (Self::Itself | Self::One(_) | Self::Several(_), _) => None,
        }
    }

    /// What the server would have there, as a person would have said it. `None`: it does not fit.
    fn answer(&self, wanted: &Wanted, value: &Value) -> Option<Answer> {
        let label = |labels: &Labels, value: &Value| {
            labels.iter().find(|(_, known)| known == value).map(|(label, _)| label.clone())
        };
        let labels = match (self, value) {
            (Self::One(known), value) => vec![label(known, value)?],
            (Self::Several(known), Value::Array(values)) => {
                values.iter().map(|value| label(known, value)).collect::<Option<_>>()?
            }
            (Self::Several(_), _) => return None,
            (Self::Itself, value) => return itself(wanted, value),
        };
        Some(Answer::Chosen { labels, other: None })
    }
}

fn itself(wanted: &Wanted, value: &Value) -> Option<Answer> {
    match (wanted, value) {
        (Wanted::Number { .. }, Value::Number(number)) => Some(Answer::Number { number: number.clone() }),
        (Wanted::Text { .. }, Value::String(text)) => Some(Answer::Text { text: visible(text, WORDS) }),
        (Wanted::Date, Value::String(date)) => Some(Answer::Date { date: one_line(date, LABEL) }),
        _ => None,
    }
}

fn text<'a>(schema: &'a Map<String, Value>, name: &str) -> &'a str {
    schema.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    visible(&line, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Number, json};

    #[test]
    fn each_kind_of_property_becomes_a_kind_of_answer() {
        let words = |format| Wanted::Text { least: None, most: None, format };
        let choice = |labels: &[&str]| Wanted::Choice { options: of(labels), other: false };
        let several = |least, most| Wanted::Several { options: of(&["a", "b"]), other: false, least, most };
        for (schema, expected) in [
            (json!({ "type": "string" }), Some(words(None))),
            (json!({ "type": "string", "format": "email" }), Some(words(Some(TextFormat::Email)))),
            (json!({ "type": "string", "format": "uri" }), Some(words(Some(TextFormat::Uri)))),
            (json!({ "type": "string", "format": "date-time" }), Some(words(Some(TextFormat::DateTime)))),
            (json!({ "type": "string", "format": "password" }), Some(words(None))),
            (json!({ "type": "string", "format": "date" }), Some(Wanted::Date)),
            (
                json!({ "type": "string", "minLength": 2, "maxLength": 9 }),
                Some(Wanted::Text { least: Some(2), most: Some(9), format: None }),
            ),
            (
                json!({ "type": "integer", "minimum": 1 }),
                Some(Wanted::Number { least: Some(1.into()), most: None, whole: true }),
            ),
            (
                json!({ "type": "number", "maximum": 1.5 }),
                Some(Wanted::Number { least: None, most: Number::from_f64(1.5), whole: false }),
            ),
            (json!({ "type": "boolean" }), Some(choice(&["Yes", "No"]))),
            (json!({ "type": "string", "enum": ["a", "b"] }), Some(choice(&["a", "b"]))),
            (
                json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] }),
                Some(choice(&["A", "B"])),
            ),
            (
                json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A\n one" }] }),
                Some(choice(&["A one"])),
            ),
            (json!({ "type": "array", "items": { "enum": ["a", "b"] } }), Some(several(0, 2))),
            (
                json!({ "type": "array", "minItems": 1, "maxItems": 9, "items": { "anyOf": [{ "const": "a" }, { "const": "b" }] } }),
                Some(several(1, 2)),
            ),
            (json!({ "type": "string", "enum": ["a", "a"] }), None),
            (json!({ "type": "string", "enum": [] }), None),
            (json!({ "type": "string", "enum": [1] }), None),
            (json!({ "type": "array", "items": { "type": "string" } }), None),
            (json!({ "type": "object" }), None),
            (json!({ "type": ["string", "null"] }), None),
            (json!({}), None),
        ] {
            let read = Property::read("a", &schema, false).ok().map(|read| read.field.wanted);
            assert_eq!(read, expected, "{schema}");
        }
    }

    #[test]
    fn what_a_server_would_have_is_suggested_where_it_fits() {
        let chosen = |label: &str| Some(Answer::Chosen { labels: vec![label.to_owned()], other: None });
        for (schema, expected) in [
            (json!({ "type": "integer", "default": 3 }), Some(Answer::Number { number: 3.into() })),
            (json!({ "type": "string", "default": "a" }), Some(Answer::Text { text: "a".to_owned() })),
            (json!({ "type": "boolean", "default": false }), chosen("No")),
            (json!({ "type": "string", "enum": ["a"], "enumNames": ["A"], "default": "a" }), chosen("A")),
            (json!({ "type": "array", "items": { "enum": ["a"] }, "default": ["a"] }), chosen("a")),
            (json!({ "type": "string", "enum": ["a"], "default": "b" }), None),
            (json!({ "type": "integer", "default": "3" }), None),
        ] {
            let read = Property::read("a", &schema, false).unwrap();
            assert_eq!(read.field.suggested, expected, "{schema}");
        }
    }

    fn of(labels: &[&str]) -> Vec<QuestionOption> {
        let option = |&label: &&str| QuestionOption { label: label.to_owned(), description: None };
        labels.iter().map(option).collect()
    }
}
