//! Tools that a program declares, and which of them it lets the model call.

use super::api_error::ApiError;
use super::fields;
use protocol::model::{ToolChoice, ToolSpec};
use serde_json::{Value, json};

/// A tool whose parts have names that differ from API to API.
pub(super) fn tool(name: &str, of: &Value, schema: &Value) -> Result<ToolSpec, ApiError> {
    Ok(ToolSpec {
        name: name.to_owned(),
        description: of["description"].as_str().unwrap_or_default().to_owned(),
        input_schema: match schema {
            Value::Object(_) => schema.clone(),
            _ => json!({ "type": "object", "properties": {} }),
        },
        strict: fields::is_true(of, "strict")?,
    })
}

/// Leaves the tools that may be called: others are not told.
pub(super) fn only(tools: Vec<ToolSpec>, names: &[&str]) -> Result<Vec<ToolSpec>, ApiError> {
    if let Some(stranger) = names.iter().find(|name| tools.iter().all(|tool| tool.name != **name)) {
        let what = format!("tool_choice names {stranger}, which is not among the tools.");
        return Err(ApiError::field("tool_choice", what));
    }
    Ok(tools.into_iter().filter(|tool| names.contains(&tool.name.as_str())).collect())
}

/// OpenAI's word on which tools to call.
pub(super) fn chosen(tools: Vec<ToolSpec>, choice: &Value) -> Result<(Vec<ToolSpec>, ToolChoice), ApiError> {
    let (names, choice) = match choice {
        Value::Null => return Ok((tools, ToolChoice::Auto)),
        Value::String(word) => return Ok((tools, mode(word)?)),
        choice => match choice["type"].as_str() {
            Some("function") => (vec![name(choice)], ToolChoice::Required),
            Some("allowed_tools") => {
                // In chat completions they are one level further down.
                let allowed =
                    if choice["allowed_tools"].is_object() { &choice["allowed_tools"] } else { choice };
                let names = fields::list(allowed, "tools")?.iter().map(name).collect();
                (names, mode(allowed["mode"].as_str().unwrap_or("auto"))?)
            }
            kind => {
                let what = format!("There is no tool_choice of the type {} here.", kind.unwrap_or("none"));
                return Err(ApiError::field("tool_choice", what));
            }
        },
    };
    Ok((only(tools, &names)?, choice))
}

fn name(choice: &Value) -> &str {
    choice["function"]["name"].as_str().or(choice["name"].as_str()).unwrap_or_default()
}

fn mode(word: &str) -> Result<ToolChoice, ApiError> {
    match word {
        "none" => Ok(ToolChoice::None),
        "required" => Ok(ToolChoice::Required),
        "auto" => Ok(ToolChoice::Auto),
        word => Err(ApiError::field("tool_choice", format!("There is no tool_choice {word}."))),
    }
}
