//! Rules about `flo.state`: when a value comes to be so, the agent is woken. They are kept and looked
//! at here alone, so that every device and both homes see the same.

use super::check_key;
use crate::Hub;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction};
use agent::rules::{Condition, LONGEST, fires};
use protocol::AgentId;
use serde::Serialize;
use serde_json::Value;
use sqlx::Row as _;

/// Rules of an agent.
const MOST: i64 = 50;
/// Characters of the value that the agent is told.
const TOLD: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Rule {
    pub(crate) key: String,
    pub(crate) when: String,
    pub(crate) message: String,
}

impl Hub {
    /// Makes the rule of its key.
    pub(crate) async fn set_rule(&self, agent: &AgentId, rule: &Rule) -> Result<()> {
        let Rule { key, when, message } = rule;
        check_key(key)?;
        let condition: Condition = when.parse().map_err(|error| Error::invalid(format!("{error}")))?;
        if message.trim().is_empty() || message.len() > LONGEST {
            return Err(Error::invalid(format!("A rule needs a message of 1 to {LONGEST} bytes.")));
        }
        let mut tx = self.store.write().await?;
        let others = sqlx::query("SELECT COUNT(*) FROM agent_rules WHERE agent_id = $1 AND key <> $2")
            .bind(&agent.0)
            .bind(key)
            .fetch_one(&mut *tx)
            .await?;
        if others.try_get::<i64, _>(0)? >= MOST {
            return Err(Error::Limit(format!("There are {MOST} rules already. Clear one first.")));
        }
        sqlx::query(
            "INSERT INTO agent_rules (agent_id, key, condition, message) VALUES ($1, $2, $3, $4)
             ON CONFLICT (agent_id, key) DO UPDATE SET condition = excluded.condition, message = excluded.message",
        )
        .bind(&agent.0)
        .bind(key)
        .bind(condition.to_string())
        .bind(message)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Takes the rule of this key away, and says whether there was one.
    pub(crate) async fn clear_rule(&self, agent: &AgentId, key: &str) -> Result<bool> {
        let mut tx = self.store.write().await?;
        let gone = sqlx::query("DELETE FROM agent_rules WHERE agent_id = $1 AND key = $2")
            .bind(&agent.0)
            .bind(key)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(gone.rows_affected() > 0)
    }

    pub(crate) async fn rules(&self, agent: &AgentId) -> Result<Vec<Rule>> {
        let rows =
            sqlx::query("SELECT key, condition, message FROM agent_rules WHERE agent_id = $1 ORDER BY key")
                .bind(&agent.0)
                .fetch_all(self.store.read())
                .await?;
        rows.iter().map(rule).collect()
    }
}

/// What the agent is to be told of this change, if its rule says so.
pub(super) async fn fired(
    tx: &mut Transaction,
    agent: &AgentId,
    key: &str,
    old: &Value,
    new: &Value,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT key, condition, message FROM agent_rules WHERE agent_id = $1 AND key = $2")
        .bind(&agent.0)
        .bind(key)
        .fetch_optional(&mut **tx)
        .await?;
    let Some(Rule { when, message, .. }) = row.as_ref().map(rule).transpose()? else { return Ok(None) };
    let condition: Condition = when.parse().map_err(Error::internal)?;
    if !fires(&condition, old, new) {
        return Ok(None);
    }
    let value: String = new.to_string().chars().take(TOLD).collect();
    Ok(Some(format!("{message}\n({key} is now {value})")))
}

fn rule(row: &Row) -> Result<Rule> {
    Ok(Rule { key: row.try_get("key")?, when: row.try_get("condition")?, message: row.try_get("message")? })
}
