//! `calc`: an expression, reckoned by the engine.

use super::ToolError;
use crate::engine::Expression;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};
use std::time::Duration;

const CALC_TIMEOUT: Duration = Duration::from_secs(2);
/// Characters of a result.
const LONGEST: usize = 2000;

pub(super) async fn calculate(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = call.input().get("expression").and_then(Value::as_str).unwrap_or_default().to_owned();
    let result = reckon(caller, text).await?;
    Ok(json!({ "result": result }).to_string())
}

/// What the expression comes to.
pub(super) async fn reckon(caller: &Caller<'_>, text: String) -> Result<String, ToolError> {
    let engine = caller.hub.engine();
    let reckoned = engine.perform(caller.owner, Expression { text }, CALC_TIMEOUT).await;
    let reckoned = reckoned.map_err(|error| ToolError(format!("It could not be reckoned: {error}.")))?;
    let result = reckoned.map_err(|why| ToolError(format!("It cannot be reckoned: {why}.")))?;
    if result.chars().count() > LONGEST {
        return Err(ToolError("The result is longer than 2,000 characters. Ask for less of it.".to_owned()));
    }
    Ok(result)
}
