//! Reading a request: fields, and files within them, with words for what does not fit.

use super::trouble::{Trouble, TroubleKind};
use protocol::model::{Effort, Media, ToolChoice, ToolSpec};
use serde_json::{Value, json};

pub(super) fn object(body: &[u8]) -> Result<Value, Trouble> {
    match serde_json::from_slice(body) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(Trouble::new(TroubleKind::BadRequest, "The body is not a JSON object.")),
        Err(error) => {
            Err(Trouble::new(TroubleKind::BadRequest, format!("The body is not valid JSON: {error}.")))
        }
    }
}

pub(super) fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str, Trouble> {
    value[field].as_str().ok_or_else(|| Trouble::field(field, format!("{field} has to be a text.")))
}

pub(super) fn list<'a>(value: &'a Value, field: &str) -> Result<&'a [Value], Trouble> {
    match &value[field] {
        Value::Array(items) => Ok(items),
        _ => Err(Trouble::field(field, format!("{field} has to be a list."))),
    }
}

/// A list that may be left out.
pub(super) fn list_or_none<'a>(value: &'a Value, field: &str) -> Result<&'a [Value], Trouble> {
    if value[field].is_null() { Ok(&[]) } else { list(value, field) }
}

pub(super) fn is_true(value: &Value, field: &str) -> Result<bool, Trouble> {
    match &value[field] {
        Value::Null => Ok(false),
        Value::Bool(yes) => Ok(*yes),
        _ => Err(Trouble::field(field, format!("{field} has to be true or false."))),
    }
}

/// How many tokens the reply may have: the first of these fields that is there; 0 where none is.
pub(super) fn most_tokens(value: &Value, fields: &[&str]) -> Result<u32, Trouble> {
    let Some(field) = fields.iter().find(|field| !value[**field].is_null()) else { return Ok(0) };
    let tokens = value[*field].as_u64().filter(|tokens| *tokens > 0);
    let tokens = tokens.ok_or_else(|| Trouble::field(field, format!("{field} has to be 1 or more.")))?;
    Ok(u32::try_from(tokens).unwrap_or(u32::MAX))
}

/// The model, and a refusal of what no provider here does.
pub(super) fn model(value: &Value) -> Result<String, Trouble> {
    let model = text(value, "model")?.trim();
    if model.is_empty() {
        return Err(Trouble::field("model", "Name a model. GET /v1/models lists them."));
    }
    if value["n"].as_u64().is_some_and(|count| count > 1) {
        return Err(Trouble::field("n", "One answer at a time: leave n out, and ask again for another one."));
    }
    Ok(model.to_owned())
}

/// How much to think, in OpenAI's words.
pub(super) fn effort(value: &Value) -> Option<Effort> {
    match value.as_str()? {
        "none" => Some(Effort::Off),
        "minimal" | "low" => Some(Effort::Low),
        "medium" => Some(Effort::Medium),
        "high" | "xhigh" | "max" => Some(Effort::High),
        _ => None,
    }
}

pub(super) fn tool(name: &str, description: &Value, schema: &Value) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.as_str().unwrap_or_default().to_owned(),
        input_schema: match schema {
            Value::Object(_) => schema.clone(),
            _ => json!({ "type": "object", "properties": {} }),
        },
    }
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

/// A file from a `data:` address.
pub(super) fn media(field: &str, url: &str, name: Option<&str>) -> Result<Media, Trouble> {
    let parts = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let Some((mime, data)) = parts else {
        let what = "Send files as data: addresses in base64. Other addresses are not fetched from here.";
        return Err(Trouble::field(field, what));
    };
    let mime = mime.split(';').next().unwrap_or_default().to_owned();
    Ok(Media { mime, data: data.to_owned(), name: name.map(str::to_owned) })
}

/// What stands in the system text where a program wants an answer in JSON: no wire has it alike.
pub(super) fn json_wanted(format: &Value) -> Option<String> {
    let schema = match format["type"].as_str()? {
        "json_object" => None,
        "json_schema" => Some(format.pointer("/json_schema/schema").unwrap_or(&format["schema"]))
            .filter(|schema| schema.is_object()),
        _ => return None,
    };
    let mut words =
        "Answer with one JSON value and nothing else: no words around it, no code fence.".to_owned();
    if let Some(schema) = schema {
        words.push_str(" It has to be valid against this JSON Schema:\n");
        words.push_str(&schema.to_string());
    }
    Some(words)
}

/// Leaves the one tool that has to be called.
pub(super) fn only(tools: Vec<ToolSpec>, name: &str) -> Result<(Vec<ToolSpec>, ToolChoice), Trouble> {
    let tools: Vec<ToolSpec> = tools.into_iter().filter(|tool| tool.name == name).collect();
    if tools.is_empty() {
        return Err(Trouble::field(
            "tool_choice",
            format!("tool_choice names {name}, which is not among the tools."),
        ));
    }
    Ok((tools, ToolChoice::Required))
}

/// OpenAI's word on which tools to call. One that has to be called is the only one that is told.
pub(super) fn chosen(tools: Vec<ToolSpec>, choice: &Value) -> Result<(Vec<ToolSpec>, ToolChoice), Trouble> {
    match choice {
        Value::String(word) => match word.as_str() {
            "none" => Ok((tools, ToolChoice::None)),
            "required" => Ok((tools, ToolChoice::Required)),
            "auto" => Ok((tools, ToolChoice::Auto)),
            word => Err(Trouble::field("tool_choice", format!("There is no tool_choice {word}."))),
        },
        Value::Object(_) => {
            let name = choice["function"]["name"].as_str().or(choice["name"].as_str()).unwrap_or_default();
            only(tools, name)
        }
        _ => Ok((tools, ToolChoice::Auto)),
    }
}
