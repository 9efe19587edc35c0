//! The statements of versions. Whoever calls has seen to it that the agent is the person's.

use crate::error::Result;
use crate::store::{FromRow, Readers, Row, Transaction, query};
use protocol::view::{InstructionsAuthor, InstructionsVersion};
use protocol::{AgentId, ConversationId};
use sqlx::{Any, Executor};

/// Versions of an agent's instructions that are kept.
const MAX_VERSIONS_PER_AGENT: u64 = 50;

/// By whom, where and when instructions are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    author: InstructionsAuthor,
    conversation: Option<&'a ConversationId>,
    pub(super) at: i64,
}

impl<'a> Written<'a> {
    pub(crate) fn now(author: InstructionsAuthor, now: i64) -> Self {
        Self { author, conversation: None, at: now }
    }

    pub(super) fn by_agent(conversation: Option<&'a ConversationId>, now: i64) -> Self {
        Self { author: InstructionsAuthor::Agent, conversation, at: now }
    }
}

impl FromRow for InstructionsVersion {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            version: row.get("version")?,
            at: row.get("at")?,
            author: row.get("author")?,
            conversation: row.get("conversation_id")?,
        })
    }
}

/// The newest first.
pub(super) async fn all(pool: &Readers, agent: &AgentId) -> Result<Vec<InstructionsVersion>> {
    query(
        "SELECT version, at, author, conversation_id FROM instruction_versions
         WHERE agent_id = $1 ORDER BY version DESC",
        (agent,),
    )
    .fetch_all(pool)
    .await
}

pub(super) async fn text<'e>(
    executor: impl Executor<'e, Database = Any>,
    agent: &AgentId,
    version: u64,
) -> Result<Option<String>> {
    query(
        "SELECT instructions FROM instruction_versions WHERE agent_id = $1 AND version = $2",
        (agent, version),
    )
    .fetch_optional(executor)
    .await
}

/// Keeps what the agent's instructions are now as the newest version, and gives its number. What the newest says
/// already makes none.
pub(crate) async fn keep(
    tx: &mut Transaction,
    agent: &AgentId,
    text: &str,
    written: Written<'_>,
) -> Result<u64> {
    let newest: Option<(u64, String)> = query(
        "SELECT version, instructions FROM instruction_versions WHERE agent_id = $1
         ORDER BY version DESC LIMIT 1",
        (agent,),
    )
    .fetch_optional(&mut **tx)
    .await?;
    let version = match newest {
        Some((version, newest)) if newest == text => return Ok(version),
        Some((version, newest)) => {
            count(tx, agent, version, newest.len()).await?;
            version + 1
        }
        None => 1,
    };
    let Written { author, conversation, at } = written;
    query(
        "INSERT INTO instruction_versions (agent_id, version, instructions, bytes, at, author, conversation_id)
         VALUES ($1, $2, $3, 0, $4, $5, $6)",
        (agent, version, text, at, author, conversation),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM instruction_versions WHERE agent_id = $1 AND version <= $2",
        (agent, version.saturating_sub(MAX_VERSIONS_PER_AGENT)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(version)
}

/// From now on this version takes room that nothing else does.
async fn count(tx: &mut Transaction, agent: &AgentId, version: u64, bytes: usize) -> Result<()> {
    query(
        "UPDATE instruction_versions SET bytes = $3 WHERE agent_id = $1 AND version = $2",
        (agent, version, bytes),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
