//! Checks a call's input against the schema of its tool, with errors that a model can act on. What is
//! large, or checked against a schema that an agent wrote, is checked off the threads that serve everybody.

use crate::error::{Error, Result};
use crate::made_tools::Bounded;
use agent::tools;
use jsonschema::Validator;
use protocol::model::{ToolCall, ToolSpec};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Problems named in one answer.
const MOST: usize = 5;
/// Texts in an input, in bytes, that are checked in passing.
const SMALL: usize = 64 * 1024;

/// `made` is the tool's declaration if the agent made it. What is wrong comes back as words.
pub(super) async fn check(
    call: &ToolCall,
    made: Option<&ToolSpec>,
) -> Result<std::result::Result<(), String>> {
    if let Value::String(text) = &call.input {
        let start: String = text.chars().take(80).collect();
        return Ok(Err(format!("The input of {} is not valid JSON: {start}", call.name)));
    }
    if made.is_none() && size(&call.input) <= SMALL {
        return Ok(shipped(call));
    }
    let (call, made) = (call.clone(), made.cloned());
    let checked = tokio::task::spawn_blocking(move || match made {
        Some(made) => own(&call, &made),
        None => shipped(&call),
    });
    checked.await.map_err(Error::internal)
}

/// Against the schema of a tool of ours.
fn shipped(call: &ToolCall) -> std::result::Result<(), String> {
    let Some(validator) = validators().get(call.name.as_str()) else {
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
    if problems.is_empty() { Ok(()) } else { Err(unfit(&call.name, &problems.join("; "))) }
}

/// Against the schema of a tool that the agent made: the first problem is the only one that is looked for.
fn own(call: &ToolCall, made: &ToolSpec) -> std::result::Result<(), String> {
    let bounded = Bounded::of(&made.input_schema)
        .map_err(|why| format!("{} cannot be called: {why} Make the tool again.", call.name))?;
    bounded.check(&call.input).map_err(|problem| unfit(&call.name, &problem))
}

fn unfit(name: &str, problems: &str) -> String {
    format!("The input of {name} does not fit its schema: {problems}")
}

/// How many bytes the texts in it have, and one for each value.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => text.len() + 1,
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(fields) => {
            1 + fields.iter().map(|(name, field)| name.len() + size(field)).sum::<usize>()
        }
    }
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
