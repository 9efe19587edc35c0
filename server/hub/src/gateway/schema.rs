//! Checks a call's input against the schema of its tool, with errors that a model can act on. What is
//! large is checked off the threads that serve everybody, and against a schema that an agent or another server
//! wrote the engine checks it.

use super::Caller;
use crate::engine::Unfit;
use crate::error::{Error, Result};
use agent::tools::{self, ResolvedCall};
use jsonschema::Validator;
use protocol::model::ToolSpec;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Problems named in one answer.
const MAX_SCHEMA_ERRORS: usize = 5;
/// Texts in an input, in bytes, that are checked in passing.
const SMALL: usize = 64 * 1024;

/// `made` is the tool's declaration if the agent made it, or another server did. What is wrong comes back as words.
pub(super) async fn check(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    made: Option<&ToolSpec>,
) -> Result<std::result::Result<(), String>> {
    if let Value::String(text) = call.input() {
        let start: String = text.chars().take(80).collect();
        return Ok(Err(format!("The input of {} is not valid JSON: {start}", call.name())));
    }
    if let Some(made) = made {
        return own(caller, call, made).await;
    }
    if size(call.input()) <= SMALL {
        return Ok(shipped(call));
    }
    let call = call.clone();
    tokio::task::spawn_blocking(move || shipped(&call)).await.map_err(Error::internal)
}

/// Against the schema of a tool of ours.
fn shipped(call: &ResolvedCall) -> std::result::Result<(), String> {
    let Some(validator) = validators().get(call.name()) else {
        return Err(format!("There is no tool {}.", call.name()));
    };
    let problems: Vec<_> = validator
        .iter_errors(call.input())
        .take(MAX_SCHEMA_ERRORS)
        .map(|error| {
            let place = error.instance_path().to_string();
            if place.is_empty() { error.to_string() } else { format!("{place}: {error}") }
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(unfit(call.name(), &problems.join("; "))) }
}

/// Against the schema of a tool that is not ours: the first problem is the only one that is looked for.
async fn own(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    made: &ToolSpec,
) -> Result<std::result::Result<(), String>> {
    let fit = caller.hub.made_tools().fits(caller.owner, &made.input_schema, Some(call.input())).await?;
    Ok(fit.map_err(|unfit_by| match unfit_by {
        Unfit::Schema(why) => format!("{} cannot be called: {why} Make the tool again.", call.name()),
        Unfit::Input(problem) => unfit(call.name(), &problem),
    }))
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
