//! Tools of MCP servers. Pictures that one brings are kept as those of messages are, with the name of the server.

use super::{ToolAnswer, ToolError};
use crate::approvals::Question;
use crate::error::{Error, Result as HubResult};
use crate::gateway::Caller;
use crate::mcp_servers::{Asks, Brought, McpFailure, McpTool};
use crate::policy::Subject;
use agent::tools::ResolvedCall;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::Attachment;
use protocol::approval::{ApprovalOutcome, ApprovalReason, Asker};
use protocol::hub::CallProgress;
use protocol::question;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// Pictures that one call shows.
const MOST_PICTURES: usize = 4;

pub(super) async fn call(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    tool: &McpTool,
) -> Result<ToolAnswer, ToolError> {
    let person = Person { caller, call };
    let called = caller.hub.mcp_servers().call(caller.owner, caller.root, tool, call.input(), &person).await;
    let mut brought = called.map_err(told)?;
    if brought.is_error {
        return Err(ToolError(brought.text()));
    }
    let pictures = pictures(caller, tool, &mut brought).await?;
    Ok(ToolAnswer { content: brought.text(), pictures })
}

/// Keeps what a model is to look at. A page has no model that would.
async fn pictures(
    caller: &Caller<'_>,
    tool: &McpTool,
    brought: &mut Brought,
) -> Result<Vec<Attachment>, ToolError> {
    let mut kept = Vec::new();
    if caller.asker() != Asker::Model {
        return Ok(kept);
    }
    for (at, bytes) in brought.take_pictures() {
        let taken = match bytes {
            _ if kept.len() == MOST_PICTURES => {
                Err(format!("a result shows {MOST_PICTURES} pictures at most"))
            }
            None => Err("it is no base64".to_owned()),
            Some(bytes) => {
                let name = format!("{}-{}", tool.spec.name, kept.len() + 1);
                let server = Some(tool.server_name());
                match caller.hub.attachments().take_in_picture(caller.owner, server, &name, bytes).await {
                    Ok(taken) => taken,
                    Err(Error::Limit(why)) => Err(why.trim_end_matches('.').to_owned()),
                    // The call was made: what fails now is no reason to make it again.
                    Err(other) => Err(other.into_failure().to_string().trim_end_matches('.').to_owned()),
                }
            }
        };
        brought.note(
            at,
            match taken {
                Ok(picture) => {
                    kept.push(picture);
                    "The picture comes with this result.".to_owned()
                }
                Err(why) => format!("It is not shown to you: {why}."),
            },
        );
    }
    Ok(kept)
}

/// What a server says of a failure is told as an object: like a result of its, it stands behind a fence then.
fn told(failure: McpFailure) -> ToolError {
    match failure {
        McpFailure::Said(words) => ToolError(json!({ "error": words }).to_string()),
        ended @ (McpFailure::Exited(..) | McpFailure::Killed(..) | McpFailure::Exceeded(..)) => {
            ToolError(json!({ "error": ended.to_string() }).to_string())
        }
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
            reaches: Vec::new(),
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
