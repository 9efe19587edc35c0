//! What stands in `flo.state`, with who set it last, and how a person sets it without its page.

use crate::error::{Error, Result};
use crate::log::EntryScope;
use crate::state::OwnStates;
use crate::store::{FromRow, Json, Row, query};
use protocol::view::{NamedConversation, StateOrigin, StateValue};
use protocol::{AgentId, ConversationId, RunId};
use serde_json::Value;

impl OwnStates<'_> {
    /// By key.
    pub async fn values(self, agent: &AgentId) -> Result<Vec<StateValue>> {
        self.scoped.require_agent(agent).await?;
        query(
            "SELECT s.key, s.value, s.seq, e.seq AS entry, e.at, e.run_id,
                    c.id AS conversation, c.agent_id AS held_by, c.title
             FROM agent_state s LEFT JOIN entries e ON e.agent_id = s.agent_id AND e.seq = s.seq
             LEFT JOIN conversations c ON c.id = e.conversation_id AND c.deleted_at IS NULL
             WHERE s.agent_id = $1 ORDER BY s.key",
            (agent,),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// Sets a key to this JSON, as the agent's page would; an empty text removes it. Gives what stood there before.
    pub async fn set_by_person(self, agent: &AgentId, key: String, json: &str) -> Result<Option<StateValue>> {
        let before = self.values(agent).await?.into_iter().find(|before| before.key == key);
        let value = match json {
            "" => Value::Null,
            json => serde_json::from_str(json).map_err(|_| Error::invalid("A value is written as JSON."))?,
        };
        // A rule may wake the agent for it.
        self.scoped.require_counted().await?;
        if !value.is_null() {
            self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        }
        let place = EntryScope { agent: agent.clone(), conversation: None, run: None };
        self.scoped.hub.states().write(&place, key, value).await?;
        Ok(before)
    }
}

impl FromRow for StateValue {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(value) = row.get("value")?;
        let is_known = row.get::<Option<i64>>("seq")?.is_some();
        // An entry that is not among the others any more was packed or deleted with its conversation.
        let is_of_conversation = row.get::<Option<i64>>("entry")?.is_none();
        let is_of_run = is_of_conversation || row.get::<Option<RunId>>("run_id")?.is_some();
        let origin = if is_of_run { StateOrigin::Run } else { StateOrigin::Page };
        let conversation = match row.get::<Option<ConversationId>>("conversation")? {
            Some(id) => Some(NamedConversation { id, agent: row.get("held_by")?, title: row.get("title")? }),
            None => None,
        };
        Ok(Self {
            key: row.get("key")?,
            value,
            origin: is_known.then_some(origin),
            at: row.get("at")?,
            conversation,
        })
    }
}
