//! What an agent keeps as keys and JSON values: `flo.state`, which it shares with its page, and
//! its private storage. State is written here alone: into the table, into the log, and past the rules.

mod rules;
mod values;
mod written;

pub(crate) use rules::{Rule, check_rule, put_rule};

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::store::{Json, Transaction, query};
use protocol::AgentId;
use protocol::log::EntryBody;
use serde_json::Value;
use std::collections::BTreeMap;

/// What the viewer's agents keep as keys and values.
#[derive(Clone, Copy, Debug)]
pub struct OwnStates<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn states(&self) -> OwnStates<'a> {
        OwnStates { scoped: *self }
    }
}

/// What agents keep as keys and values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct States<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn states(&self) -> States<'_> {
        States { hub: self }
    }
}

/// Longest key, in characters. The tools' declarations promise the same.
const KEY: usize = 200;
/// Largest value, in bytes of JSON.
const VALUE: usize = 64 * 1024;
/// All keys and values of an agent, in bytes.
const TOTAL: usize = 1024 * 1024;
/// Keys of an agent.
const KEYS: usize = 500;

/// The two tables, which have the same columns.
const STATE: &str = "agent_state";
const STORAGE: &str = "agent_storage";

/// A rule that a write fulfilled: the key, and what the agent is to be told once it is committed.
pub(crate) struct Fired {
    key: String,
    text: String,
}

/// Sets keys of `flo.state` in this transaction; `null` removes one, and a value that is there already
/// changes nothing. Hand what comes back to [`States::wake_for_rules`] after the commit.
pub(crate) async fn write(
    appending: &mut Appending,
    place: &EntryScope,
    changes: impl IntoIterator<Item = (String, Value)>,
) -> Result<Vec<Fired>> {
    let agent = &place.agent;
    let mut all_fired = Vec::new();
    for (key, value) in changes {
        check_key(&key)?;
        let old = written::find(&mut appending.tx, agent, &key).await?;
        if old.value == value {
            continue;
        }
        put_state(&mut appending.tx, agent, &key, &value).await?;
        let fired = rules::fired(&mut appending.tx, agent, &key, &old.value, &value).await?;
        all_fired.extend(fired.map(|text| Fired { key: key.clone(), text }));
        let body = EntryBody::State { key: key.clone(), value, superseded: false };
        let seq = appending.append(place, body).await?;
        written::supersede(&mut appending.tx, agent, &key, old.seq, seq).await?;
    }
    Ok(all_fired)
}

impl States<'_> {
    /// Sets a key of `flo.state`, whoever asks, and wakes the agent if a rule of its says so; `null`
    /// removes the key.
    pub(crate) async fn write(self, place: &EntryScope, key: String, value: Value) -> Result<()> {
        // Nobody remembers what an agent's state is.
        let mut appending = self.hub.log().appending_alone().await?;
        let fired = write(&mut appending, place, [(key, value)]).await?;
        self.hub.log().commit(appending).await?;
        self.wake_for_rules(&place.agent, fired).await
    }

    pub(crate) async fn wake_for_rules(self, agent: &AgentId, all_fired: Vec<Fired>) -> Result<()> {
        for Fired { key, text } in all_fired {
            self.hub.running().wake_for_rule(self.hub, agent, key, text).await?;
        }
        Ok(())
    }
}

/// Puts a key of `flo.state` down where no rule is to look; `null` removes it.
pub(crate) async fn put_state(tx: &mut Transaction, agent: &AgentId, key: &str, value: &Value) -> Result<()> {
    put(tx, STATE, agent, key, value).await
}

/// Sets a key of the agent's own storage; `null` removes it.
pub(crate) async fn put_storage(
    tx: &mut Transaction,
    agent: &AgentId,
    key: &str,
    value: &Value,
) -> Result<()> {
    put(tx, STORAGE, agent, key, value).await
}

impl OwnStates<'_> {
    pub async fn read(self, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.states().read(agent).await
    }
}

impl States<'_> {
    pub(crate) async fn read(self, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        self.all(STATE, agent).await
    }

    pub(crate) async fn get(self, agent: &AgentId, key: &str) -> Result<Option<Value>> {
        let found: Option<Json<Value>> =
            query("SELECT value FROM agent_state WHERE agent_id = $1 AND key = $2", (agent, key))
                .fetch_optional(self.hub.store().read())
                .await?;
        Ok(found.map(|Json(value)| value))
    }

    pub(crate) async fn storage_list(self, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        self.all(STORAGE, agent).await
    }

    pub(crate) async fn storage_get(self, agent: &AgentId, key: &str) -> Result<Option<Value>> {
        let found: Option<Json<Value>> =
            query("SELECT value FROM agent_storage WHERE agent_id = $1 AND key = $2", (agent, key))
                .fetch_optional(self.hub.store().read())
                .await?;
        Ok(found.map(|Json(value)| value))
    }

    pub(crate) async fn storage_set(self, agent: &AgentId, key: &str, value: &Value) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        put_storage(&mut tx, agent, key, value).await?;
        tx.commit().await?;
        self.hub.running().wrote_storage(self.hub, agent, key);
        Ok(())
    }

    pub(crate) async fn storage_delete(self, agent: &AgentId, key: &str) -> Result<()> {
        self.storage_set(agent, key, &Value::Null).await
    }

    async fn all(self, table: &'static str, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        let pairs: Vec<(String, Json<Value>)> =
            query(["SELECT key, value FROM", table, "WHERE agent_id = $1"], (agent,))
                .fetch_all(self.hub.store().read())
                .await?;
        Ok(pairs.into_iter().map(|(key, Json(value))| (key, value)).collect())
    }
}

async fn put(
    tx: &mut Transaction,
    table: &'static str,
    agent: &AgentId,
    key: &str,
    value: &Value,
) -> Result<()> {
    check_key(key)?;
    if value.is_null() {
        query(["DELETE FROM", table, "WHERE agent_id = $1 AND key = $2"], (agent, key))
            .execute(&mut **tx)
            .await?;
        return Ok(());
    }
    let value = value.to_string();
    if value.len() > VALUE {
        return Err(Error::Limit(format!("The value of {key:?} is larger than 64 KB.")));
    }
    let (keys, bytes): (usize, usize) = query(
        [
            "SELECT COUNT(*), CAST(COALESCE(SUM(OCTET_LENGTH(key) + OCTET_LENGTH(value)), 0) AS BIGINT) FROM",
            table,
            "WHERE agent_id = $1 AND key <> $2",
        ],
        (agent, key),
    )
    .fetch_one(&mut **tx)
    .await?;
    if keys >= KEYS {
        return Err(Error::Limit(format!("There are {KEYS} keys already. Delete one first.")));
    }
    if bytes + key.len() + value.len() > TOTAL {
        return Err(Error::Limit("All values together are larger than 1 MB. Delete some first.".to_owned()));
    }
    query(
        [
            "INSERT INTO",
            table,
            "(agent_id, key, value) VALUES ($1, $2, $3)
             ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value",
        ],
        (agent, key, value),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(crate) fn check_key(key: &str) -> Result<()> {
    if key.is_empty() || key.chars().count() > KEY || key.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "A key has 1 to {KEY} characters, none of them a control character."
        )));
    }
    Ok(())
}
