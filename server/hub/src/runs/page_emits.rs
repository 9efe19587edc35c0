//! `flo.emit`: what a page tells its agent without waking it. The newest of each name waits in the
//! store until a run starts, which finds it in the log before its own beginning.

use super::inputs::{check_name, check_text, said};
use crate::error::Result;
use crate::live::Tab;
use crate::log::{Appending, Place};
use protocol::log::{EntryBody, Sender};
use protocol::{AgentId, ConversationId};
use serde_json::Value;
use sqlx::Row as _;

/// Names that may wait for one agent. The one told longest ago goes first.
const NAMES: i64 = 16;

impl Tab {
    pub async fn page_emit(&self, agent: &AgentId, name: &str, data: &Value) -> Result<()> {
        check_name(name)?;
        check_text(&said(name, data))?;
        let hub = self.hub();
        hub.for_viewer(self.viewer()).require_agent(agent).await?;
        self.link().writes.pass(agent, hub.now())?;
        self.pass_bytes(agent, said(name, data).len())?;
        let mut tx = hub.store.write().await?;
        sqlx::query(
            "INSERT INTO page_emits (agent_id, name, data, at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (agent_id, name) DO UPDATE SET data = excluded.data, at = excluded.at",
        )
        .bind(&agent.0)
        .bind(name)
        .bind(data.to_string())
        .bind(hub.now())
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "DELETE FROM page_emits WHERE agent_id = $1 AND name <> $2 AND name NOT IN (
                 SELECT name FROM page_emits WHERE agent_id = $1 ORDER BY at DESC, name LIMIT $3)",
        )
        .bind(&agent.0)
        .bind(name)
        .bind(NAMES)
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
        let waiting = sqlx::query("SELECT name, data FROM page_emits WHERE agent_id = $1 ORDER BY at, name")
            .bind(&agent.0)
            .fetch_all(&mut *self.tx)
            .await?;
        if waiting.is_empty() {
            return Ok(());
        }
        sqlx::query("DELETE FROM page_emits WHERE agent_id = $1")
            .bind(&agent.0)
            .execute(&mut *self.tx)
            .await?;
        let place = Place { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        for row in waiting {
            let name: String = row.try_get("name")?;
            let data: Value = serde_json::from_str(&row.try_get::<String, _>("data")?)?;
            let text = said(&name, &data);
            self.append(&place, EntryBody::Message { from: Sender::PageEmit { name }, text }).await?;
        }
        Ok(())
    }
}
