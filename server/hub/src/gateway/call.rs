//! A call as it came in at the door: resolved there, and carried to whoever decides about it or performs it.

use super::Caller;
use crate::error::{Error, Result};
use crate::files::FilePath;
use crate::made_tools::MadeTool;
use crate::mcp_servers::McpTool;
use agent::tools::{ResolvedCall, ToolId};
use protocol::McpServerId;
use protocol::model::ToolCall;
use serde_json::Value;

/// A call and its tool, whoever declares that.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) resolved: ResolvedCall,
    /// As the agent had made the tool when the call came in.
    pub(super) made: Option<MadeTool>,
    /// As its person said yes to it, if it is a tool of another server.
    pub(super) elsewhere: Option<McpTool>,
}

impl Call {
    pub(super) async fn resolve(caller: &Caller<'_>, asked: &ToolCall) -> Result<Self> {
        if let Some(owner) = &caller.page_of {
            return Self::of_page(caller, asked, &owner.server).await;
        }
        let resolved = ResolvedCall::of(asked.clone()).with_paths(FilePath::spelled);
        if let Some(hub) = named(&resolved, "hub")
            && let Some(address) = caller.hub.peers().address(caller.owner, hub).await?
        {
            return Ok(Self { resolved: resolved.performed_at(&address), made: None, elsewhere: None });
        }
        if let Some(person) = named(&resolved, "person")
            && let Some(place) = caller.hub.agent_shares().place(caller.owner, person).await?
        {
            return Ok(Self { resolved: resolved.performed_at(&place), made: None, elsewhere: None });
        }
        if let Some(address) = job_service(caller, &resolved).await? {
            return Ok(Self { resolved: resolved.performed_at(&address), made: None, elsewhere: None });
        }
        if resolved.tool().is_some() {
            // An agent may have made a tool of this name before that meant another one here.
            if resolved.name() != asked.name
                && let Some(made) = caller.hub.made_tools().find(caller.root, &asked.name).await?
            {
                let resolved = ResolvedCall::of_made(asked.clone());
                return Ok(Self { resolved, made: Some(made), elsewhere: None });
            }
            return Ok(Self { resolved, made: None, elsewhere: None });
        }
        let tool = caller.hub.mcp_servers().find(caller.root, resolved.name()).await?;
        if let Some(tool) = tool.filter(|tool| tool.is_for(None)) {
            let resolved = resolved.performed_at(&tool.url);
            return Ok(Self { resolved, made: None, elsewhere: Some(tool) });
        }
        let made = caller.hub.made_tools().find(caller.root, resolved.name()).await?;
        Ok(Self { resolved, made, elsewhere: None })
    }

    /// The page of a tool calls tools of its own server by that one's names for them.
    async fn of_page(caller: &Caller<'_>, asked: &ToolCall, server: &McpServerId) -> Result<Self> {
        let tool = caller.hub.mcp_servers().find(caller.root, &asked.name).await?;
        let tool = tool.filter(|tool| tool.is_for(Some(server))).ok_or(Error::NotFound("tool"))?;
        let resolved = ResolvedCall::of(asked.clone()).performed_at(&tool.url);
        Ok(Self { resolved, made: None, elsewhere: Some(tool) })
    }
}

/// Where a job is started or cancelled, if it is.
async fn job_service(caller: &Caller<'_>, call: &ResolvedCall) -> Result<Option<String>> {
    if call.tool().is_none_or(|tool| tool.id != ToolId::ExternalJob) || call.is_read_only() {
        return Ok(None);
    }
    let (jobs, input) = (caller.hub.external_jobs(), call.input());
    match input.get("action").and_then(Value::as_str) {
        Some("cancel") => {
            let number =
                input.get("number").and_then(Value::as_u64).and_then(|number| number.try_into().ok());
            match number {
                Some(number) => jobs.address_of(caller.owner, caller.agent, number).await,
                None => Ok(None),
            }
        }
        _ => {
            jobs.address(caller.owner, input.get("service").and_then(Value::as_str).unwrap_or_default()).await
        }
    }
}

/// The hub or the person whose agents are asked, if this is not the caller's own.
fn named<'a>(call: &'a ResolvedCall, argument: &str) -> Option<&'a str> {
    call.tool().filter(|tool| tool.id == ToolId::AgentAsk)?;
    let named = call.input().get(argument).and_then(Value::as_str).map(str::trim);
    named.filter(|named| !named.is_empty())
}
