//! `flo.callTool`: a call that the agent's page makes, through the same door as the model's, in the
//! page's tiers.

use super::caller::Caller;
use crate::agents::require_not_paused;
use crate::clock::new_id;
use crate::error::Result;
use crate::live::{Tab, TabLink};
use crate::{Hub, gateway};
use protocol::hub::HubFrame;
use protocol::model::ToolCall;
use protocol::page::Answer;
use protocol::{AgentId, CallId};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

impl Tab {
    /// Calls a tool for the page, and answers it when that is done.
    pub async fn page_call(&self, agent: &AgentId, id: u64, name: String, input: Value) -> Result<()> {
        let hub = self.hub();
        let admitted = match self.admit(agent).await {
            Ok(()) => self
                .link()
                .calls
                .begin(hub.moment())
                .and_then(|begun| self.pass_bytes(agent, input.to_string().len()).map(|()| begun)),
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
        let call = ToolCall { id: CallId(new_id()), name, input };
        // The socket goes on meanwhile: a person's answer comes over it.
        self.hub().tasks().spawn(async move {
            let answer = match perform(&hub, &tab, &agent, &call).await {
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

async fn perform(hub: &Hub, tab: &TabLink, agent: &AgentId, call: &ToolCall) -> Result<Answer> {
    let definition = hub.runs().definition(agent).await?;
    let caller = Caller::page(hub, agent, &definition, tab);
    let gateway::GatewayResult { result, denied } =
        gateway::call(&caller, call, &CancellationToken::new()).await;
    Ok(if result.is_error || denied {
        Answer::Error { message: result.content }
    } else {
        Answer::Text { text: result.content }
    })
}
