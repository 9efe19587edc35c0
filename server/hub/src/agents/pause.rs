//! Whether an agent is paused.

use crate::error::{Error, Result};
use crate::store::query;
use protocol::AgentId;
use sqlx::{Any, Executor};

/// It, or of a sub-agent the agent at the top.
pub(crate) async fn is_paused<'e>(
    executor: impl Executor<'e, Database = Any>,
    agent: &AgentId,
) -> Result<bool> {
    query(
        "SELECT 1 FROM agents a JOIN agents t ON t.id = COALESCE(a.root_id, a.id)
         WHERE a.id = $1 AND t.paused_at IS NOT NULL",
        (agent,),
    )
    .exists(executor)
    .await
}

/// For whoever wants an answer now.
pub(crate) async fn require_not_paused<'e>(
    executor: impl Executor<'e, Database = Any>,
    agent: &AgentId,
) -> Result<()> {
    if is_paused(executor, agent).await? {
        return Err(Error::Conflict(
            "The agent is paused. It answers once its person resumes it.".to_owned(),
        ));
    }
    Ok(())
}
