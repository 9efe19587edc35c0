//! What an agent's page says where another client shows it: what it would say to a tab here, by the same doors. It calls
//! no tools and reads no files there: nobody who is asked would see what for.

use super::super::rpc::RpcError;
use super::Asker;
use super::call::{Begun, LONGEST, failed};
use crate::limits::ConcurrencyPermit;
use futures_util::FutureExt as _;
use hub::{Tab, Viewer};
use protocol::frame::FromSkin;
use protocol::hub::HubFrame;
use protocol::page::Answer;
use protocol::{AgentId, UserId};
use serde_json::{Value, json};
use tokio::time::timeout;

/// The tools by which the page tells its agent something and asks it.
pub(super) const SAYS: &str = "page_say";
pub(super) const ASKS: &str = "page_ask";
/// What may be said with one call.
const MOST_SAID: usize = 64;
/// What it says counts for as much as where a tab says it.
const COST: u32 = 1;
/// The number of the one question of a call.
const QUESTION: u64 = 1;

pub(super) const TOO_MUCH: &str = "The page asks for too much at once. Try again in a moment.";
pub(super) const CUT: &str = "The token was revoked, or the hub is too busy. Ask again.";

impl Asker {
    /// Says all of it, and then why some of it was not taken.
    pub(super) async fn page_says(&self, viewer: &Viewer, arguments: &Value) -> Result<Begun, RpcError> {
        let agent = self.named(arguments["agent"].as_str().unwrap_or_default()).await?;
        let said = arguments["said"].as_array().filter(|said| said.len() <= MOST_SAID);
        let Some(said) = said else {
            return Ok(Begun::Answered(failed("Send a list of what the page says, at most 64 of it.")));
        };
        let tab = self.state.hub.open_page_elsewhere(viewer.clone())?;
        let mut refused = None;
        for one in said {
            if !self.admits(viewer, COST, one.to_string().len()) {
                return Ok(Begun::Answered(failed(TOO_MUCH)));
            }
            if let Err(words) = pass(&tab, &agent.id, one).await {
                refused = refused.or(Some(words));
            }
        }
        Ok(Begun::Answered(match refused {
            Some(words) => failed(&words),
            None => json!({ "content": [{ "type": "text", "text": "It was said." }] }),
        }))
    }

    /// Asks the agent, and answers with what it says last.
    pub(super) async fn page_asks(
        &self,
        viewer: &Viewer,
        id: &Value,
        arguments: &Value,
    ) -> Result<Begun, RpcError> {
        let agent = self.named(arguments["agent"].as_str().unwrap_or_default()).await?;
        let Some(text) = arguments["text"].as_str() else {
            return Ok(Begun::Answered(failed("Ask something: text is a text.")));
        };
        let Some(place) = self.wait_in_line(viewer, COST) else {
            return Ok(Begun::Answered(failed(TOO_MUCH)));
        };
        let mut tab = self.state.hub.open_page_elsewhere(viewer.clone())?;
        tab.page_ask(&agent.id, QUESTION, text).await?;
        Ok(self.later(id, async move {
            let _place = place;
            match timeout(LONGEST, answer(&mut tab)).await {
                Ok(Some(Answer::Text { text })) => json!({
                    "content": [{ "type": "text", "text": text }],
                    "structuredContent": { "answer": text },
                }),
                Ok(Some(Answer::Error { message })) => failed(&message),
                Ok(Some(Answer::File { .. }) | None) => failed(CUT),
                Err(_) => failed("The agent did not answer in time."),
            }
        }))
    }

    /// A call that answers when something has happened, unless its client gives it up.
    pub(super) fn later(&self, id: &Value, work: impl Future<Output = Value> + Send + 'static) -> Begun {
        let under_way = self.state.mcp_calls.begin(self.program.token(), &self.session, id);
        Begun::Later(
            async move {
                tokio::select! {
                    biased;
                    () = under_way.given_up.cancelled() => None,
                    result = work => Some(result),
                }
            }
            .boxed(),
        )
    }

    /// A place among those of the person's for whom something is waited for. `None`: they have as many as they may.
    pub(super) fn wait_in_line(&self, viewer: &Viewer, cost: u32) -> Option<ConcurrencyPermit<UserId>> {
        if !self.admits(viewer, cost, 0) {
            return None;
        }
        self.state.limits.socket(viewer)
    }

    fn admits(&self, viewer: &Viewer, cost: u32, bytes: usize) -> bool {
        self.state.limits.admit_frame(viewer, cost, bytes, self.state.hub.moment()).is_ok()
    }
}

/// Says one thing as a tab would, or tells why it is not taken.
async fn pass(tab: &Tab, agent: &AgentId, one: &Value) -> Result<(), String> {
    let said = match serde_json::from_value(one.clone()) {
        Ok(FromSkin::Notify { name, data }) => tab.page_notify(agent, &name, &data).await,
        Ok(FromSkin::Emit { name, data }) => tab.page_emit(agent, &name, &data).await,
        Ok(FromSkin::SetState { key, value }) => tab.set_state(agent, key, value).await,
        Ok(_) | Err(_) => return Err("A page here notifies, emits, and sets its state.".to_owned()),
    };
    said.map_err(|error| error.into_failure().to_string())
}

/// `None`: nothing more is heard here.
async fn answer(tab: &mut Tab) -> Option<Answer> {
    loop {
        let frame = tab.next().await?;
        if let Ok(HubFrame::Answered { answer, .. }) = serde_json::from_slice(&frame.text) {
            return Some(answer);
        }
    }
}

/// Which agent's page it is, as an argument.
pub(super) fn agent() -> Value {
    json!({ "type": "string", "description": "The tool that asks the agent." })
}

/// The tools for the page alone.
pub(super) fn tools() -> [Value; 2] {
    let visible = json!({ "ui": { "visibility": ["app"] } });
    let annotations = json!({ "readOnlyHint": false, "openWorldHint": true });
    let said =
        "What the page tells its agent: notify and emit with name and data, set_state with key and value.";
    [
        json!({
            "name": SAYS,
            "title": "What an agent's page tells it",
            "description": "For the page that is shown below a call of an agent.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "agent": agent(),
                    "said": { "type": "array", "maxItems": MOST_SAID, "description": said, "items": { "type": "object" } },
                },
                "required": ["agent", "said"],
                "additionalProperties": false,
            },
            "annotations": annotations,
            "_meta": visible,
        }),
        json!({
            "name": ASKS,
            "title": "What an agent's page asks it",
            "description": "For the page that is shown below a call of an agent. Waits for the answer.",
            "inputSchema": {
                "type": "object",
                "properties": { "agent": agent(), "text": { "type": "string" } },
                "required": ["agent", "text"],
                "additionalProperties": false,
            },
            "annotations": annotations,
            "_meta": visible,
        }),
    ]
}
