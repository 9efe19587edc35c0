//! What a run arranges for later begins when the run is over. Where it spends under the budget of a pipeline, that would
//! be in no sum of it, so it is refused, before anybody is asked about it.

use super::caller::Caller;
use crate::error::Result;
use agent::tools::{ResolvedCall, ToolId};
use serde_json::Value;

const BEYOND_BUDGET: &str = "not run: you work for a pipeline with a budget, and what begins later would not count under it. Say in your result what is to be arranged, and your person does it.";

/// Why the call is refused, if it arranges something beyond the budget of its run.
pub(super) async fn beyond_budget(caller: &Caller<'_>, call: &ResolvedCall) -> Result<Option<String>> {
    let Some(run) = caller.run().filter(|_| arranges(call)) else { return Ok(None) };
    let is_under_one = caller.hub.pipelines().is_budgeted(run).await?;
    Ok(is_under_one.then(|| BEYOND_BUDGET.to_owned()))
}

/// Whether its agent is woken for it some day.
fn arranges(call: &ResolvedCall) -> bool {
    let does = |action: &str| call.input().get("action").and_then(Value::as_str) == Some(action);
    call.tool().is_some_and(|tool| {
        (tool.id == ToolId::Schedule && does("create"))
            || (tool.id == ToolId::State && does("escalate"))
            || tool.id == ToolId::SubscribeTopic
    })
}
