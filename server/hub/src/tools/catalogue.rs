//! The tools about tools, and the tools of an agent's own.

use super::{ToolError, skin};
use crate::gateway::Caller;
use crate::made_tools::MadeTool;
use agent::tools;
use agent::tools::ResolvedCall;
use protocol::model::ToolSpec;
use serde::Deserialize;
use serde_json::json;

const HITS: usize = 5;

#[derive(Deserialize)]
struct Making {
    #[serde(flatten)]
    spec: ToolSpec,
    code: String,
}

pub(super) async fn list(caller: &Caller<'_>) -> Result<String, ToolError> {
    let tools: Vec<_> = all(caller)
        .await?
        .into_iter()
        .map(|tool| {
            let line = tool.description.lines().next().unwrap_or_default().to_owned();
            json!({ "name": tool.name, "about": line })
        })
        .collect();
    Ok(json!({ "tools": tools }).to_string())
}

pub(super) async fn search(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let query = call.input()["query"].as_str().unwrap_or_default();
    let limit = call.input()["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(HITS);
    let all = all(caller).await?;
    let found = tools::search(&all, query, limit);
    Ok(json!({ "tools": found }).to_string())
}

pub(super) async fn make(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Making { spec, code } = serde_json::from_value(call.input().clone())?;
    let name = spec.name.clone();
    let version =
        caller.hub.made_tools().make(caller.owner, &caller.place(), MadeTool::of_agent(spec, code)).await?;
    Ok(json!({ "ok": true, "name": name, "version": version }).to_string())
}

pub(super) async fn delete(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let name = call.input()["name"].as_str().unwrap_or_default();
    caller.hub.made_tools().delete_its_own(&caller.place(), name).await?;
    Ok(json!({ "ok": true }).to_string())
}

/// Runs a tool of the agent's own: its code is data until it is in the sealed page, or where there is nothing but what
/// it declared to reach.
pub(super) async fn run(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    tool: &MadeTool,
) -> Result<String, ToolError> {
    let code = format!("const input = {};\n{}", call.input(), tool.code);
    if tool.reach.page {
        return skin::run(caller, call, code).await;
    }
    skin::run_apart(caller, code, &tool.reach).await
}

async fn all(caller: &Caller<'_>) -> Result<Vec<ToolSpec>, ToolError> {
    let made = caller.hub.made_tools().list(caller.root).await?;
    let mut all: Vec<ToolSpec> = caller.spec.given().cloned().collect();
    for tool in made {
        if !all.iter().any(|known| known.name == tool.spec.name) {
            all.push(tool.spec);
        }
    }
    Ok(all)
}
