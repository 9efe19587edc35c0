//! Rules about `flo.state`: when a value comes to be so, the agent is woken. They are kept and looked
//! at here alone, so that every device and both homes see the same.

use super::check_key;
use crate::error::{Error, Result};
use crate::state::{OwnStates, States};
use crate::store::{FromRow, Row, Transaction, query};
use agent::rules::{Condition, MAX_CONDITION_BYTES, fires};
use protocol::AgentId;
use protocol::view::StateRule;
use serde::Serialize;
use serde_json::Value;

/// Rules of an agent.
const MAX_RULES_PER_AGENT: i64 = 50;
/// Characters of the value that the agent is told.
const TOLD: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Rule {
    pub(crate) key: String,
    pub(crate) when: String,
    pub(crate) message: String,
}

impl States<'_> {
    /// Makes the rule of its key.
    pub(crate) async fn set_rule(self, agent: &AgentId, rule: &Rule) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        put_rule(&mut tx, agent, rule).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Takes the rule of this key away, and says whether there was one.
    pub(crate) async fn clear_rule(self, agent: &AgentId, key: &str) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        let gone = query("DELETE FROM agent_rules WHERE agent_id = $1 AND key = $2", (agent, key))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(gone > 0)
    }

    pub(crate) async fn rules(self, agent: &AgentId) -> Result<Vec<Rule>> {
        query("SELECT key, condition, message FROM agent_rules WHERE agent_id = $1 ORDER BY key", (agent,))
            .fetch_all(self.hub.store().read())
            .await
    }
}

impl OwnStates<'_> {
    /// What wakes the agent, by key.
    pub async fn rules(self, agent: &AgentId) -> Result<Vec<StateRule>> {
        self.scoped.require_agent(agent).await?;
        let rules = self.scoped.hub.states().rules(agent).await?;
        let shown = |Rule { key, when, message }| StateRule { key, when, message };
        Ok(rules.into_iter().map(shown).collect())
    }

    /// Takes the rule of this key away, if there is one still.
    pub async fn remove_rule(self, agent: &AgentId, key: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.states().clear_rule(agent, key).await?;
        Ok(())
    }
}

/// The condition, if an agent may have the rule.
pub(crate) fn check_rule(rule: &Rule) -> Result<Condition> {
    let Rule { key, when, message } = rule;
    check_key(key)?;
    let condition: Condition = when.parse().map_err(|error| Error::invalid(format!("{error}")))?;
    if message.trim().is_empty() || message.len() > MAX_CONDITION_BYTES {
        return Err(Error::invalid(format!("A rule needs a message of 1 to {MAX_CONDITION_BYTES} bytes.")));
    }
    Ok(condition)
}

pub(crate) async fn put_rule(tx: &mut Transaction, agent: &AgentId, rule: &Rule) -> Result<()> {
    let condition = check_rule(rule)?;
    let others: i64 =
        query("SELECT COUNT(*) FROM agent_rules WHERE agent_id = $1 AND key <> $2", (agent, &rule.key))
            .fetch_one(&mut **tx)
            .await?;
    if others >= MAX_RULES_PER_AGENT {
        return Err(Error::Limit(format!("There are {MAX_RULES_PER_AGENT} rules already. Clear one first.")));
    }
    query(
        "INSERT INTO agent_rules (agent_id, key, condition, message) VALUES ($1, $2, $3, $4)
         ON CONFLICT (agent_id, key) DO UPDATE SET condition = excluded.condition,
         message = excluded.message",
        (agent, &rule.key, condition.to_string(), &rule.message),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What the agent is to be told of this change, if its rule says so.
pub(super) async fn fired(
    tx: &mut Transaction,
    agent: &AgentId,
    key: &str,
    old: &Value,
    new: &Value,
) -> Result<Option<String>> {
    let row = query(
        "SELECT key, condition, message FROM agent_rules WHERE agent_id = $1 AND key = $2",
        (agent, key),
    )
    .fetch_optional::<Row>(&mut **tx)
    .await?;
    let Some(Rule { when, message, .. }) = row.as_ref().map(Rule::from_row).transpose()? else {
        return Ok(None);
    };
    let condition: Condition = when.parse().map_err(Error::internal)?;
    if !fires(&condition, old, new) {
        return Ok(None);
    }
    let value: String = new.to_string().chars().take(TOLD).collect();
    Ok(Some(format!("{message}\n({key} is now {value})")))
}

impl FromRow for Rule {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { key: row.get("key")?, when: row.get("condition")?, message: row.get("message")? })
    }
}
