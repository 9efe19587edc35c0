//! Which entry of the log wrote the value that a key has. Once another one does, what a page wrote is
//! let go of: the entry stays where it is, without its value.

use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::AgentId;
use protocol::log::EntryBody;
use serde_json::Value;
use sqlx::Row as _;

/// What a key holds; `null` if there is none.
pub(super) struct Written {
    pub(super) value: Value,
    /// The entry that wrote it, where that is known.
    pub(super) seq: Option<i64>,
}

pub(super) async fn find(tx: &mut Transaction, agent: &AgentId, key: &str) -> Result<Written> {
    let row = sqlx::query("SELECT value, seq FROM agent_state WHERE agent_id = $1 AND key = $2")
        .bind(&agent.0)
        .bind(key)
        .fetch_optional(&mut **tx)
        .await?;
    let Some(row) = row else { return Ok(Written { value: Value::Null, seq: None }) };
    let value: String = row.try_get("value")?;
    Ok(Written { value: serde_json::from_str(&value)?, seq: row.try_get("seq")? })
}

/// Notes that the entry `new` wrote the key, and takes the value out of the one before if no run wrote it.
pub(super) async fn supersede(
    tx: &mut Transaction,
    agent: &AgentId,
    key: &str,
    old: Option<i64>,
    new: u64,
) -> Result<()> {
    sqlx::query("UPDATE agent_state SET seq = $3 WHERE agent_id = $1 AND key = $2")
        .bind(&agent.0)
        .bind(key)
        .bind(i64::try_from(new).map_err(Error::internal)?)
        .execute(&mut **tx)
        .await?;
    let Some(old) = old else { return Ok(()) };
    let body = EntryBody::State { key: key.to_owned(), value: Value::Null, superseded: true };
    sqlx::query(
        "UPDATE entries SET body = $3
         WHERE agent_id = $1 AND seq = $2 AND kind = 'state' AND conversation_id IS NULL AND run_id IS NULL",
    )
    .bind(&agent.0)
    .bind(old)
    .bind(serde_json::to_string(&body)?)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
