//! Which entry of the log wrote the value that a key has. Once another one does, what a page wrote is
//! let go of: the entry stays where it is, without its value.

use crate::error::Result;
use crate::store::{Json, Transaction, query};
use protocol::AgentId;
use protocol::log::EntryBody;
use serde_json::Value;

/// What a key holds; `null` if there is none.
pub(super) struct Written {
    pub(super) value: Value,
    /// The entry that wrote it, where that is known.
    pub(super) seq: Option<i64>,
}

pub(super) async fn find(tx: &mut Transaction, agent: &AgentId, key: &str) -> Result<Written> {
    let found: Option<(Json<Value>, Option<i64>)> =
        query("SELECT value, seq FROM agent_state WHERE agent_id = $1 AND key = $2", (agent, key))
            .fetch_optional(&mut **tx)
            .await?;
    let Some((Json(value), seq)) = found else { return Ok(Written { value: Value::Null, seq: None }) };
    Ok(Written { value, seq })
}

/// Notes that the entry `new` wrote the key, and takes the value out of the one before if no run wrote it.
pub(super) async fn supersede(
    tx: &mut Transaction,
    agent: &AgentId,
    key: &str,
    old: Option<i64>,
    new: u64,
) -> Result<()> {
    query("UPDATE agent_state SET seq = $3 WHERE agent_id = $1 AND key = $2", (agent, key, new))
        .execute(&mut **tx)
        .await?;
    let Some(old) = old else { return Ok(()) };
    let body = EntryBody::State { key: key.to_owned(), value: Value::Null, superseded: true };
    let text = serde_json::to_string(&body)?;
    query(
        "UPDATE agents SET log_bytes = log_bytes + COALESCE(
             (SELECT $3 - CAST(OCTET_LENGTH(e.body) AS BIGINT) FROM entries e
              WHERE e.agent_id = $1 AND e.seq = $2 AND e.kind = 'state' AND e.conversation_id IS NULL
                AND e.run_id IS NULL), 0)
         WHERE id = $1",
        (agent, old, text.len()),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "UPDATE entries SET body = $3
         WHERE agent_id = $1 AND seq = $2 AND kind = 'state' AND conversation_id IS NULL AND run_id IS NULL",
        (agent, old, text),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
