//! The tools about tools, and the tools that an agent made.

use super::{ToolError, skin};
use crate::made_tools::MadeTool;
use crate::runs::Execution;
use agent::tools;
use protocol::model::{ToolCall, ToolSpec};
use serde::Deserialize;
use serde_json::json;

const HITS: usize = 5;

#[derive(Deserialize)]
struct Making {
    #[serde(flatten)]
    spec: ToolSpec,
    code: String,
}

pub(super) async fn list(execution: &Execution) -> Result<String, ToolError> {
    let tools: Vec<_> = all(execution)
        .await?
        .into_iter()
        .map(|tool| {
            let line = tool.description.lines().next().unwrap_or_default().to_owned();
            json!({ "name": tool.name, "about": line })
        })
        .collect();
    Ok(json!({ "tools": tools }).to_string())
}

pub(super) async fn search(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    let query = call.input["query"].as_str().unwrap_or_default();
    let limit = call.input["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(HITS);
    let all = all(execution).await?;
    let found = tools::search(&all, query, limit);
    Ok(json!({ "tools": found }).to_string())
}

pub(super) async fn make(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    let Making { spec, code } = serde_json::from_value(call.input.clone())?;
    let name = spec.name.clone();
    let version = execution.hub().make_tool(&execution.place(), MadeTool { spec, code }).await?;
    Ok(json!({ "ok": true, "name": name, "version": version }).to_string())
}

pub(super) async fn delete(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    let name = call.input["name"].as_str().unwrap_or_default();
    execution.hub().delete_made_tool(&execution.place(), name).await?;
    Ok(json!({ "ok": true }).to_string())
}

/// Runs a tool that the agent made: its code is data until it is in the sealed page.
pub(super) async fn run(
    execution: &Execution,
    call: &ToolCall,
    tool: &MadeTool,
) -> Result<String, ToolError> {
    let code = format!("const input = {};\n{}", call.input, tool.code);
    skin::run(execution, code).await
}

async fn all(execution: &Execution) -> Result<Vec<ToolSpec>, ToolError> {
    let made = execution.hub().made_tools(&execution.agent).await?;
    let given = execution.spec.tools.iter().chain(&execution.spec.deferred);
    let mut all: Vec<ToolSpec> = given.cloned().collect();
    for tool in made {
        if !all.iter().any(|known| known.name == tool.spec.name) {
            all.push(tool.spec);
        }
    }
    Ok(all)
}
