//! Tools of MCP servers.

use super::ToolError;
use crate::approvals::Question;
use crate::error::Result as HubResult;
use crate::gateway::Caller;
use crate::mcp_servers::{Asks, McpFailure, McpTool};
use crate::policy::Subject;
use agent::tools::ResolvedCall;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::approval::{ApprovalOutcome, ApprovalReason};
use protocol::hub::CallProgress;
use protocol::question;
use serde_json::json;
use tokio_util::sync::CancellationToken;

pub(super) async fn call(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    tool: &McpTool,
) -> Result<String, ToolError> {
    let person = Person { caller, call };
    let called = caller.hub.mcp_servers().call(caller.owner, caller.root, tool, call.input(), &person).await;
    called.map_err(told)?.map_err(ToolError)
}

/// What a server says of a failure is told as an object: like a result of its, it stands behind a fence then.
fn told(failure: McpFailure) -> ToolError {
    match failure {
        McpFailure::Said(words) => ToolError(json!({ "error": words }).to_string()),
        ours => ToolError(ours.to_string()),
    }
}

/// Whoever the call is made for, who may be asked in its middle.
struct Person<'a> {
    caller: &'a Caller<'a>,
    call: &'a ResolvedCall,
}

impl Asks for Person<'_> {
    fn ask<'a>(
        &'a self,
        question: question::Question,
        nth: u32,
        gone: &'a CancellationToken,
    ) -> BoxFuture<'a, HubResult<ApprovalOutcome>> {
        // Where the answer goes.
        let about = Subject::of(self.call).ok().and_then(|about| about.text().map(str::to_owned));
        let question = Question {
            call: self.call,
            about,
            risk: self.call.risk(),
            why: ApprovalReason::Question,
            once: false,
            strangers: true,
            question: Some(question),
            nth,
        };
        async move { Ok(self.caller.hub.approvals().ask(self.caller, question, gone).await?.settled) }.boxed()
    }

    fn tell(&self, progress: CallProgress) {
        // A call of a page stands in no conversation.
        if let Some(run) = self.caller.run() {
            self.caller.hub.live().progress(self.caller.agent, run, self.call.id(), progress);
        }
    }
}
