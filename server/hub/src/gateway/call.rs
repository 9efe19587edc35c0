//! A call as it came in at the door: resolved there, and carried to whoever decides about it or performs it.

use super::Caller;
use crate::error::Result;
use crate::made_tools::MadeTool;
use agent::tools::ResolvedCall;
use protocol::model::ToolCall;

/// A call and its tool, whoever declares that.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) resolved: ResolvedCall,
    /// As the agent had made the tool when the call came in.
    pub(super) made: Option<MadeTool>,
}

impl Call {
    pub(super) async fn resolve(caller: &Caller<'_>, asked: &ToolCall) -> Result<Self> {
        let resolved = ResolvedCall::of(asked.clone());
        let made = match resolved.tool() {
            Some(_) => None,
            None => caller.hub.made_tools().find(caller.agent, resolved.name()).await?,
        };
        Ok(Self { resolved, made })
    }
}
