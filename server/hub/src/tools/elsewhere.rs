//! Tools of MCP servers. Pictures and files that one brings are kept as those of messages are, with the name of the
//! server.

use super::{ToolAnswer, ToolError};
use crate::approvals::Question;
use crate::error::{Error, Result as HubResult};
use crate::gateway::Caller;
use crate::mcp_servers::{Asks, Brought, BroughtFile, McpFailure, McpTool};
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

/// Pictures that one call shows, and files that it brings.
const MOST_PICTURES: usize = 4;
const MOST_FILES: usize = 4;
const NO_BASE64: &str = "it is no base64";

pub(super) async fn call(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    tool: &McpTool,
) -> Result<ToolAnswer, ToolError> {
    let person = Person { caller, call };
    let called = caller.hub.mcp_servers().call(caller.owner, caller.root, tool, call.input(), &person).await;
    let mut brought = called.map_err(told)?;
    if caller.page_of.is_some() {
        // What is too long for that is told as it is to a model.
        let whole = brought.whole().unwrap_or_else(|| brought.text());
        return if brought.is_error { Err(ToolError(whole)) } else { Ok(whole.into()) };
    }
    if brought.is_error {
        return Err(ToolError(brought.text()));
    }
    let mut files = kept(caller, tool, &mut brought).await;
    if caller.asker() == Asker::Model && tool.has_page() {
        files.extend(for_page(caller, tool, &brought).await);
    }
    Ok(ToolAnswer { content: brought.text(), files })
}

/// Keeps what a model is to look at, and files. A page has no model that would.
async fn kept(caller: &Caller<'_>, tool: &McpTool, brought: &mut Brought) -> Vec<Attachment> {
    let (mut pictures, mut files) = (Vec::new(), Vec::new());
    if caller.asker() != Asker::Model {
        return pictures;
    }
    for file in brought.take_files(&tool.spec.name) {
        let (at, note) = match file {
            BroughtFile::Picture(at, bytes) => (at, picture(caller, tool, &mut pictures, bytes).await),
            BroughtFile::File(at, bytes, name) => {
                (at, filed(caller, tool, &mut files, (name.as_str(), bytes)).await)
            }
        };
        brought.note(at, note);
    }
    pictures.extend(files);
    pictures
}

/// What its page is told, also later and on other devices. Where it is not kept, that is what a model was told.
async fn for_page(caller: &Caller<'_>, tool: &McpTool, brought: &Brought) -> Option<Attachment> {
    let whole = brought.whole_beyond_told()?;
    let (attachments, name) = (caller.hub.attachments(), &tool.spec.name);
    attachments.take_in_app_result(caller.owner, tool.server_name(), name, whole).await.ok()
}

/// What is said of the picture.
async fn picture(
    caller: &Caller<'_>,
    tool: &McpTool,
    pictures: &mut Vec<Attachment>,
    bytes: Option<Vec<u8>>,
) -> String {
    let taken = match bytes {
        _ if pictures.len() == MOST_PICTURES => {
            Err(format!("a result shows {MOST_PICTURES} pictures at most"))
        }
        None => Err(NO_BASE64.to_owned()),
        Some(bytes) => {
            let name = format!("{}-{}", tool.spec.name, pictures.len() + 1);
            let server = Some(tool.server_name());
            let attachments = caller.hub.attachments();
            settled(attachments.take_in_picture(caller.owner, server, &name, bytes).await)
        }
    };
    match taken {
        Ok(picture) => {
            pictures.push(picture);
            "The picture comes with this result.".to_owned()
        }
        Err(why) => format!("It is not shown to you: {why}."),
    }
}

/// What is said of the file.
async fn filed(
    caller: &Caller<'_>,
    tool: &McpTool,
    files: &mut Vec<Attachment>,
    (name, bytes): (&str, Option<Vec<u8>>),
) -> String {
    let taken = match bytes {
        _ if files.len() == MOST_FILES => Err(format!("a result brings {MOST_FILES} files at most")),
        None => Err(NO_BASE64.to_owned()),
        Some(bytes) => {
            let attachments = caller.hub.attachments();
            settled(attachments.take_in_brought(caller.owner, tool.server_name(), name, bytes).await)
        }
    };
    match taken {
        Ok(file) => {
            files.push(file);
            "The file is kept. Where it is stands behind this result.".to_owned()
        }
        Err(why) => format!("It is not kept: {why}."),
    }
}

/// Why something is not kept is a clause. The call was made: what fails now is no reason to make it again.
fn settled(taken: HubResult<Result<Attachment, String>>) -> Result<Attachment, String> {
    match taken {
        Ok(taken) => taken,
        Err(Error::Limit(why)) => Err(why.trim_end_matches('.').to_owned()),
        Err(other) => Err(other.into_failure().to_string().trim_end_matches('.').to_owned()),
    }
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
