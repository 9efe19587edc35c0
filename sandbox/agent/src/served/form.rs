//! The form that a program wants its answer in.

use super::fields;
use super::trouble::Trouble;
use protocol::model::{Form, FormSchema};
use serde_json::Value;

/// What the form is called where a program gives it no name.
const NAME: &str = "answer";

/// `response_format` of chat completions, whose schema is one level further down, and `text.format` of
/// Responses.
pub(super) fn openai(format: &Value, field: &str) -> Result<Option<Form>, Trouble> {
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
pub(super) fn anthropic(format: &Value, field: &str) -> Result<Option<Form>, Trouble> {
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

fn kind<'a>(format: &'a Value, field: &str) -> Result<Option<&'a str>, Trouble> {
    match format {
        Value::Null => Ok(None),
        Value::Object(_) => {
            let named = format["type"].as_str().ok_or_else(|| {
                Trouble::field(field, format!("{field} says its type: json_schema, for example."))
            });
            named.map(Some)
        }
        _ => Err(Trouble::field(field, format!("{field} has to be an object."))),
    }
}

fn schema(of: &Value, field: &str) -> Result<Value, Trouble> {
    match &of["schema"] {
        schema @ Value::Object(_) => Ok(schema.clone()),
        _ => Err(Trouble::field(field, format!("{field} has no schema: send it as an object."))),
    }
}

fn unknown(kind: &str, field: &str) -> Trouble {
    Trouble::field(field, format!("{field} cannot be of the type {kind} here."))
}
