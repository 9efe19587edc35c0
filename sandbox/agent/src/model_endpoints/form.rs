//! The form that a program wants its answer in.

use super::api_error::ApiError;
use super::fields;
use protocol::model::{Form, FormSchema};
use serde_json::Value;

/// What the form is called where a program gives it no name.
const NAME: &str = "answer";

/// `response_format` of chat completions, whose schema is one level further down, and `text.format` of
/// Responses.
pub(super) fn openai(format: &Value, field: &str) -> Result<Option<Form>, ApiError> {
    match kind(format, field)? {
        None | Some("text") => Ok(None),
        Some("json_object") => Ok(Some(Form::Json)),
        Some("json_schema") => {
            let of = if format["json_schema"].is_object() { &format["json_schema"] } else { format };
            Ok(Some(Form::Schema(FormSchema {
                name: of["name"].as_str().unwrap_or(NAME).to_owned(),
                description: of["description"].as_str().map(str::to_owned),
                schema: schema(of, field)?,
                strict: fields::is_true(of, "strict")?,
            })))
        }
        Some(kind) => Err(unknown(kind, field)),
    }
}

/// `output_config.format` of Messages, which is always kept to.
pub(super) fn anthropic(format: &Value, field: &str) -> Result<Option<Form>, ApiError> {
    match kind(format, field)? {
        None => Ok(None),
        Some("json_schema") => Ok(Some(Form::Schema(FormSchema {
            name: NAME.to_owned(),
            description: None,
            schema: schema(format, field)?,
            strict: true,
        }))),
        Some(kind) => Err(unknown(kind, field)),
    }
}

fn kind<'a>(format: &'a Value, field: &str) -> Result<Option<&'a str>, ApiError> {
    match format {
        Value::Null => Ok(None),
        Value::Object(_) => {
            let named = format["type"].as_str().ok_or_else(|| {
                ApiError::field(field, format!("{field} says its type: json_schema, for example."))
            });
            named.map(Some)
        }
        _ => Err(ApiError::field(field, format!("{field} has to be an object."))),
    }
}

fn schema(of: &Value, field: &str) -> Result<Value, ApiError> {
    match &of["schema"] {
        schema @ Value::Object(_) => Ok(schema.clone()),
        _ => Err(ApiError::field(field, format!("{field} has no schema: send it as an object."))),
    }
}

fn unknown(kind: &str, field: &str) -> ApiError {
    ApiError::field(field, format!("{field} cannot be of the type {kind} here."))
}
