//! `flo.callTool`: a call that the agent's page makes, through the same door as the model's, in the
//! page's tiers. `flo.files.read` is a call of `read` whose answer is the file.

use super::caller::{Caller, ReadAs};
use crate::agents::require_not_paused;
use crate::clock::new_id;
use crate::error::Result;
use crate::files::FileAddress;
use crate::live::{Tab, TabLink};
use crate::{Hub, gateway};
use protocol::hub::HubFrame;
use protocol::model::ToolCall;
use protocol::page::Answer;
use protocol::{AgentId, CallId};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// The tool that reads files.
const READ: &str = "read";

/// Whose script calls.
enum CalledBy {
    /// The agent's page.
    Page(ReadAs),
    /// The page of this tool of an MCP server.
    App(String),
}

impl Tab {
    /// Calls a tool for the page, and answers it when that is done.
    pub async fn page_call(&self, agent: &AgentId, id: u64, name: String, input: Value) -> Result<()> {
        self.answer_call(
            agent,
            id,
            ToolCall { id: CallId(new_id()), name, input },
            CalledBy::Page(ReadAs::Text),
        )
        .await
    }

    /// Reads a file for the page, and answers it with where that is.
    pub async fn page_file(&self, agent: &AgentId, id: u64, path: String) -> Result<()> {
        let call = ToolCall { id: CallId(new_id()), name: READ.to_owned(), input: json!({ "path": path }) };
        self.answer_call(agent, id, call, CalledBy::Page(ReadAs::Address)).await
    }

    /// Calls a tool of its server for the page of `app`, a tool as agents call it, by the server's own name for it.
    pub async fn app_call(
        &self,
        agent: &AgentId,
        id: u64,
        app: &str,
        name: &str,
        input: Value,
    ) -> Result<()> {
        let call = ToolCall { id: CallId(new_id()), name: name.to_owned(), input };
        self.answer_call(agent, id, call, CalledBy::App(app.to_owned())).await
    }

    async fn answer_call(&self, agent: &AgentId, id: u64, call: ToolCall, by: CalledBy) -> Result<()> {
        let hub = self.hub();
        let admitted = match self.admit(agent).await {
            Ok(()) => self
                .link()
                .calls
                .begin(hub.moment())
                .and_then(|begun| self.pass_bytes(agent, call.input.to_string().len()).map(|()| begun)),
            Err(error) => Err(error),
        };
        let under_way = match admitted {
            Ok(under_way) => under_way,
            Err(error) => {
                let message = error.into_failure().message;
                self.send(&HubFrame::Answered { id, answer: Answer::Error { message } });
                return Ok(());
            }
        };
        let (hub, tab, agent) = (hub.clone(), self.link().clone(), agent.clone());
        // The socket goes on meanwhile: a person's answer comes over it.
        self.hub().tasks().spawn(async move {
            let answer = match perform(&hub, &tab, &agent, call, by).await {
                Ok(answer) => answer,
                Err(error) => Answer::Error { message: error.into_failure().message },
            };
            drop(under_way);
            tab.send(&HubFrame::Answered { id, answer });
        });
        Ok(())
    }

    async fn admit(&self, agent: &AgentId) -> Result<()> {
        self.hub().for_viewer(self.viewer()).require_agent(agent).await?;
        require_not_paused(self.hub().store().read(), agent).await
    }
}

async fn perform(hub: &Hub, tab: &TabLink, agent: &AgentId, call: ToolCall, by: CalledBy) -> Result<Answer> {
    let definition = hub.runs().definition(agent).await?;
    let (reads, page_of, call) = match by {
        CalledBy::Page(reads) => (reads, None, call),
        CalledBy::App(app) => {
            let (owner, name) = hub.mcp_servers().beside(agent, &app, &call.name).await?;
            (ReadAs::Text, Some(owner), ToolCall { name, ..call })
        }
    };
    let caller = Caller { page_of, ..Caller::page(hub, agent, &definition, tab, reads) };
    let gateway::GatewayResult { result, denied } =
        gateway::call(&caller, &call, &CancellationToken::new()).await;
    if result.is_error || denied {
        return Ok(Answer::Error { message: result.content });
    }
    Ok(match reads {
        ReadAs::Text => Answer::Text { text: result.content },
        ReadAs::Address => {
            let FileAddress { address, media_type } = serde_json::from_str(&result.content)?;
            Answer::File { address, media_type }
        }
    })
}
