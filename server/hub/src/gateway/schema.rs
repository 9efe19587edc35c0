//! Checks a call's input against the schema of its tool, with errors that a model can act on.

use agent::tools;
use jsonschema::Validator;
use protocol::model::{ToolCall, ToolSpec};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Problems named in one answer.
const MOST: usize = 5;

/// `made` is the tool's declaration if the agent made it.
pub(super) fn check(call: &ToolCall, made: Option<&ToolSpec>) -> Result<(), String> {
    if let Value::String(text) = &call.input {
        let start: String = text.chars().take(80).collect();
        return Err(format!("The input of {} is not valid JSON: {start}", call.name));
    }
    let fresh = made.and_then(|made| jsonschema::validator_for(&made.input_schema).ok());
    let Some(validator) = fresh.as_ref().or_else(|| validators().get(call.name.as_str())) else {
        return Err(format!("There is no tool {}.", call.name));
    };
    let problems: Vec<_> = validator
        .iter_errors(&call.input)
        .take(MOST)
        .map(|error| {
            let place = error.instance_path().to_string();
            if place.is_empty() { error.to_string() } else { format!("{place}: {error}") }
        })
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!("The input of {} does not fit its schema: {}", call.name, problems.join("; ")))
}

fn validators() -> &'static HashMap<&'static str, Validator> {
    static VALIDATORS: OnceLock<HashMap<&'static str, Validator>> = OnceLock::new();
    VALIDATORS.get_or_init(|| {
        tools::all()
            .iter()
            .map(|tool| {
                let schema = tool.spec().input_schema;
                (tool.name, jsonschema::validator_for(&schema).expect("the shipped schemas are valid"))
            })
            .collect()
    })
}
