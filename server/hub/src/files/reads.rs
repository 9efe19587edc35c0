//! What of a file its agent read last in a conversation, by its digest: only that may it change.

use super::FilePath;
use crate::error::Result;
use crate::store::query;
use protocol::{AgentId, ConversationId};
use sqlx::{Any, Executor};

pub(crate) async fn note_read<'e>(
    executor: impl Executor<'e, Database = Any>,
    agent: &AgentId,
    conversation: &ConversationId,
    path: &FilePath,
    digest: &str,
) -> Result<()> {
    query(
        "INSERT INTO file_reads (agent_id, conversation_id, path, digest) VALUES ($1, $2, $3, $4)
         ON CONFLICT (conversation_id, path) DO UPDATE SET digest = excluded.digest",
        (agent, conversation, path.as_str(), digest),
    )
    .execute(executor)
    .await?;
    Ok(())
}

pub(crate) async fn last_read<'e>(
    executor: impl Executor<'e, Database = Any>,
    agent: &AgentId,
    conversation: &ConversationId,
    path: &FilePath,
) -> Result<Option<String>> {
    query(
        "SELECT digest FROM file_reads WHERE agent_id = $1 AND conversation_id = $2 AND path = $3",
        (agent, conversation, path.as_str()),
    )
    .fetch_optional(executor)
    .await
}
