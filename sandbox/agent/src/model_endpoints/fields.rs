//! Reading a request: fields, and files within them, with words for what does not fit.

use super::api_error::{ApiError, ApiErrorKind};
use protocol::model::{Effort, Sampling, Verbosity};
use serde_json::{Map, Value, json};

pub(super) fn object(body: &[u8]) -> Result<Value, ApiError> {
    match serde_json::from_slice(body) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(ApiError::new(ApiErrorKind::BadRequest, "The body is not a JSON object.")),
        Err(error) => {
            Err(ApiError::new(ApiErrorKind::BadRequest, format!("The body is not valid JSON: {error}.")))
        }
    }
}

pub(super) fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str, ApiError> {
    value[field].as_str().ok_or_else(|| ApiError::field(field, format!("{field} has to be a text.")))
}

pub(super) fn list<'a>(value: &'a Value, field: &str) -> Result<&'a [Value], ApiError> {
    match &value[field] {
        Value::Array(items) => Ok(items),
        _ => Err(ApiError::field(field, format!("{field} has to be a list."))),
    }
}

/// A list that may be left out.
pub(super) fn list_or_none<'a>(value: &'a Value, field: &str) -> Result<&'a [Value], ApiError> {
    if value[field].is_null() { Ok(&[]) } else { list(value, field) }
}

pub(super) fn is_true(value: &Value, field: &str) -> Result<bool, ApiError> {
    match &value[field] {
        Value::Null => Ok(false),
        Value::Bool(yes) => Ok(*yes),
        _ => Err(ApiError::field(field, format!("{field} has to be true or false."))),
    }
}

/// How many tokens the reply may have: the first of these fields that is there; 0 where none is.
pub(super) fn most_tokens(value: &Value, fields: &[&str]) -> Result<u32, ApiError> {
    let Some(field) = fields.iter().find(|field| !value[**field].is_null()) else { return Ok(0) };
    let tokens = value[*field].as_u64().filter(|tokens| *tokens > 0);
    let tokens = tokens.ok_or_else(|| ApiError::field(field, format!("{field} has to be 1 or more.")))?;
    Ok(u32::try_from(tokens).unwrap_or(u32::MAX))
}

pub(super) fn model(value: &Value) -> Result<String, ApiError> {
    let model = text(value, "model")?.trim();
    if model.is_empty() {
        return Err(ApiError::field("model", "Name a model. GET /v1/models lists them."));
    }
    Ok(model.to_owned())
}

/// Whether the value is as good as left out.
pub(super) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(yes) => !yes,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// One of the words, or none.
pub(super) fn word<T>(
    value: &Value,
    field: &str,
    of: impl Fn(&str) -> Option<T>,
    words: &str,
) -> Result<Option<T>, ApiError> {
    match value {
        Value::Null => Ok(None),
        value => match value.as_str().and_then(of) {
            Some(meant) => Ok(Some(meant)),
            None => Err(ApiError::field(field, format!("{field} is one of {words}."))),
        },
    }
}

/// What is said of sampling; the texts that end the reply are in the field `stop`. A penalty of nothing is
/// none, and some clients always send it.
pub(super) fn sampling(value: &Value, stop: &str) -> Result<Sampling, ApiError> {
    let number = |field: &str| match &value[field] {
        Value::Null => Ok(None),
        Value::Number(number) => Ok(number.as_f64()),
        _ => Err(ApiError::field(field, format!("{field} has to be a number."))),
    };
    let penalty = |field: &str| number(field).map(|penalty| penalty.filter(|penalty| *penalty != 0.0));
    let whole = |field: &str| match &value[field] {
        Value::Null => Ok(None),
        number => match number.as_i64() {
            Some(number) => Ok(Some(number)),
            None => Err(ApiError::field(field, format!("{field} has to be a whole number."))),
        },
    };
    let top_k = whole("top_k")?.filter(|count| *count > 0);
    Ok(Sampling {
        temperature: number("temperature")?,
        top_p: number("top_p")?,
        top_k: top_k.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
        presence_penalty: penalty("presence_penalty")?,
        frequency_penalty: penalty("frequency_penalty")?,
        logit_bias: match &value["logit_bias"] {
            Value::Null => Map::new(),
            Value::Object(bias) => bias.clone(),
            _ => return Err(ApiError::field("logit_bias", "logit_bias has to be an object.")),
        },
        seed: whole("seed")?,
        stop: texts(value, stop)?,
        verbosity: None,
        form: None,
        one_call: false,
        extra: Map::new(),
    })
}

/// A text, or several.
fn texts(value: &Value, field: &str) -> Result<Vec<String>, ApiError> {
    let wrong = || ApiError::field(field, format!("{field} is a text or a list of texts."));
    match &value[field] {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Array(texts) => {
            texts.iter().map(|text| text.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        _ => Err(wrong()),
    }
}

pub(super) fn verbosity(value: &Value, field: &str) -> Result<Option<Verbosity>, ApiError> {
    let meant = |word: &str| match word {
        "low" => Some(Verbosity::Low),
        "medium" => Some(Verbosity::Medium),
        "high" => Some(Verbosity::High),
        _ => None,
    };
    // What models do anyway.
    Ok(word(value, field, meant, "low, medium and high")?.filter(|verbosity| *verbosity != Verbosity::Medium))
}

/// How much to think, in the words of both makers.
pub(super) fn effort(value: &Value, field: &str) -> Result<Option<Effort>, ApiError> {
    let meant = |word: &str| match word {
        "none" => Some(Effort::Off),
        "minimal" | "low" => Some(Effort::Low),
        "medium" => Some(Effort::Medium),
        "high" | "xhigh" | "max" => Some(Effort::High),
        _ => None,
    };
    word(value, field, meant, "none, minimal, low, medium, high, xhigh and max")
}

/// Arguments as a model said them: raw text stays raw.
pub(super) fn arguments(raw: &str) -> Value {
    if raw.trim().is_empty() {
        return json!({});
    }
    match serde_json::from_str(raw) {
        Ok(Value::Object(input)) => Value::Object(input),
        Ok(_) | Err(_) => Value::String(raw.to_owned()),
    }
}

/// The same as text.
pub(super) fn arguments_text(input: &Value) -> String {
    match input {
        Value::String(raw) => raw.clone(),
        other => other.to_string(),
    }
}
