//! `flo.emit`: what a page tells its agent without waking it. The newest of each name waits in the
//! store until a run starts, which finds it in the log before its own beginning.

use super::page_events::{check_name, check_text, said};
use crate::error::Result;
use crate::live::Tab;
use crate::log::{Appending, EntryScope};
use crate::store::{Json, Row, query};
use protocol::log::{EntryBody, Sender};
use protocol::{AgentId, ConversationId};
use serde_json::Value;

/// Names that may wait for one agent. The one told longest ago goes first.
const NAMES: i64 = 16;

impl Tab {
    pub async fn page_emit(&self, agent: &AgentId, name: &str, data: &Value) -> Result<()> {
        check_name(name)?;
        check_text(&said(name, data))?;
        let hub = self.hub();
        hub.for_viewer(self.viewer()).require_agent(agent).await?;
        self.link().writes.pass(agent, hub.moment())?;
        self.pass_bytes(agent, said(name, data).len())?;
        let mut tx = hub.store().write().await?;
        query(
            "INSERT INTO page_emits (agent_id, name, data, at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (agent_id, name) DO UPDATE SET data = excluded.data, at = excluded.at",
            (agent, name, data.to_string(), hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "DELETE FROM page_emits WHERE agent_id = $1 AND name <> $2 AND name NOT IN (
                 SELECT name FROM page_emits WHERE agent_id = $1 ORDER BY at DESC, name LIMIT $3)",
            (agent, name, NAMES),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Appending {
    /// Moves what waits into the log, for the run that starts in this transaction.
    pub(super) async fn append_page_emits(
        &mut self,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<()> {
        let waiting =
            query("SELECT name, data FROM page_emits WHERE agent_id = $1 ORDER BY at, name", (agent,))
                .fetch_all::<Row>(&mut *self.tx)
                .await?;
        if waiting.is_empty() {
            return Ok(());
        }
        query("DELETE FROM page_emits WHERE agent_id = $1", (agent,)).execute(&mut *self.tx).await?;
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        for row in waiting {
            let name: String = row.get("name")?;
            let data: Value = row.get::<Json<_>>("data")?.0;
            let text = said(&name, &data);
            self.append(&place, EntryBody::said(Sender::PageEmit { name }, text)).await?;
        }
        Ok(())
    }
}
