//! Lists of models as servers send them: an object with a list of objects with names.

use super::errors::not_this_kind;
use protocol::model::ModelFailure;
use protocol::words;
use serde_json::Value;
use std::cmp::Ordering;

const COUNT_LIMIT: usize = 5000;
const NAME_LIMIT: usize = 200;

/// Parts of names of models that do not hold conversations.
const NOT_FOR_TALK: [&str; 13] = [
    "embed",
    "whisper",
    "tts",
    "dall-e",
    "moderation",
    "transcribe",
    "image",
    "realtime",
    "audio",
    "rerank",
    "sora",
    "babbage",
    "davinci",
];

/// Where the names are.
pub(super) struct Shape {
    pub(super) list: &'static str,
    pub(super) name: &'static str,
    /// What stands before each name.
    pub(super) prefix: &'static str,
    /// Whether a model of the list can hold a conversation at all.
    pub(super) is_for_talk: fn(&Value) -> bool,
}

/// `{"data":[{"id":…}]}`, as most do it.
pub(super) const OPENAI: Shape = Shape { list: "data", name: "id", prefix: "", is_for_talk: |_| true };

pub(super) fn decode(body: &[u8], shape: &Shape) -> Result<Vec<String>, ModelFailure> {
    let not_a_list =
        || not_this_kind(words!("The server answered, but not with a list of models of this kind."));
    let value: Value = serde_json::from_slice(body).map_err(|_| not_a_list())?;
    let list = match (&value, value.get(shape.list)) {
        (Value::Array(list), _) | (_, Some(Value::Array(list))) => list.as_slice(),
        // A server without models.
        (_, Some(Value::Null)) if value["object"] == "list" => &[],
        _ => return Err(not_a_list()),
    };
    let mut models = Vec::new();
    for model in list.iter().take(COUNT_LIMIT) {
        let id = model.get(shape.name).and_then(Value::as_str);
        let id = id.ok_or_else(not_a_list)?;
        let id = id.strip_prefix(shape.prefix).unwrap_or(id);
        let is_name = !id.is_empty() && id.len() <= NAME_LIMIT && !id.contains(char::is_control);
        if is_name && (shape.is_for_talk)(model) {
            models.push(id.to_owned());
        }
    }
    models.sort_by(|a, b| order(a, b));
    models.dedup();
    Ok(models)
}

/// Models for conversations first; by family, and the higher version first.
fn order(a: &str, b: &str) -> Ordering {
    let (low_a, low_b) = (a.to_lowercase(), b.to_lowercase());
    let is_aside = |name: &str| NOT_FOR_TALK.iter().any(|part| name.contains(part));
    is_aside(&low_a).cmp(&is_aside(&low_b)).then_with(|| versions_down(&low_a, &low_b)).then_with(|| a.cmp(b))
}

fn versions_down(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    while !a.is_empty() && !b.is_empty() {
        let (part_a, rest_a) = split_part(a);
        let (part_b, rest_b) = split_part(b);
        let is_number = |part: &str| part.starts_with(|char: char| char.is_ascii_digit());
        let order = match (is_number(part_a), is_number(part_b)) {
            (true, true) => compare_numbers(part_b, part_a),
            _ => part_a.cmp(part_b),
        };
        if order.is_ne() {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.len().cmp(&b.len())
}

/// The leading run of digits or of anything else, and the rest.
fn split_part(text: &str) -> (&str, &str) {
    let is_digit = text.starts_with(|char: char| char.is_ascii_digit());
    let end = text.find(|char: char| char.is_ascii_digit() != is_digit);
    text.split_at(end.unwrap_or(text.len()))
}

fn compare_numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}
