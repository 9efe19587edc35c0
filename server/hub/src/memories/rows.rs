//! The statements of memories. Every one names the owner.

use super::FORGOTTEN_MS;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::view::{Memory, MemoryState};
use protocol::{AgentId, UserId};
use sqlx::{Any, Executor};

/// A memory with what it is found by.
pub(super) struct Stored {
    pub(super) memory: Memory,
    pub(super) words: String,
    pub(super) created_at: i64,
}

const MEMORIES: &str =
    "SELECT m.id, m.text, m.kind, m.tags, m.importance, m.words, m.state, m.author, m.agent_id, m.writer_id,
            m.conversation_id, m.created_at, m.changed_at, a.name AS agent_name, w.name AS writer_name,
            m.workspace_id, f.name AS workspace_name
     FROM memories m LEFT JOIN agents a ON a.id = m.agent_id LEFT JOIN agents w ON w.id = m.writer_id
     LEFT JOIN folders f ON f.id = m.workspace_id
     WHERE m.user_id = $1 AND m.state = $2";

/// Those that changed last first; of an agent those that it is told of.
pub(super) async fn all<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: Option<&AgentId>,
    state: MemoryState,
) -> Result<Vec<Stored>> {
    let order = "AND ($3 = '' OR ((m.agent_id IS NULL OR m.agent_id = $3) AND (m.workspace_id IS NULL
            OR m.workspace_id IN (SELECT h.folder_id FROM workspace_agents h WHERE h.agent_id = $3))))
         ORDER BY m.changed_at DESC, m.id";
    let agent = agent.map(|agent| agent.0.as_str()).unwrap_or_default();
    query([MEMORIES, order], (owner, state, agent)).fetch_all(executor).await
}

pub(super) async fn count(tx: &mut Transaction, owner: &UserId, state: MemoryState) -> Result<i64> {
    query("SELECT COUNT(*) FROM memories WHERE user_id = $1 AND state = $2", (owner, state))
        .fetch_one(&mut **tx)
        .await
}

/// Takes away what was forgotten long ago.
pub(super) async fn clear_forgotten(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    query(
        "DELETE FROM memories WHERE user_id = $1 AND state = $2 AND changed_at < $3",
        (owner, MemoryState::Forgotten, now.saturating_sub(FORGOTTEN_MS)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl FromRow for Stored {
    fn from_row(row: &Row) -> Result<Self> {
        let memory = Memory {
            id: row.get("id")?,
            text: row.get("text")?,
            kind: row.get("kind")?,
            tags: row.get::<Json<_>>("tags")?.0,
            importance: u8::try_from(row.get::<i64>("importance")?).unwrap_or(1),
            state: row.get("state")?,
            author: row.get("author")?,
            agent: row.get("agent_id")?,
            agent_name: row.get("agent_name")?,
            workspace: row.get("workspace_id")?,
            workspace_name: row.get("workspace_name")?,
            writer: row.get("writer_id")?,
            writer_name: row.get("writer_name")?,
            conversation: row.get("conversation_id")?,
            changed_at: row.get("changed_at")?,
        };
        Ok(Self { memory, words: row.get("words")?, created_at: row.get("created_at")? })
    }
}
