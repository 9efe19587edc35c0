//! What an agent keeps as keys and JSON values: `flo.state`, which it shares with its page, and
//! its private storage. State is written here alone: into the table, into the log, and past the rules.

mod rules;
mod written;

pub(crate) use rules::Rule;

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::log::{Appending, Place};
use crate::store::{Row, Transaction};
use agent::tools::Resource;
use protocol::AgentId;
use protocol::log::EntryBody;
use serde_json::Value;
use sqlx::Row as _;
use std::collections::BTreeMap;

/// Longest key, in characters. The tools' declarations promise the same.
const KEY: usize = 200;
/// Largest value, in bytes of JSON.
const VALUE: usize = 64 * 1024;
/// All keys and values of an agent, in bytes.
const TOTAL: usize = 1024 * 1024;
/// Keys of an agent.
const KEYS: usize = 500;

/// The same statements for each of the two tables.
struct Statements {
    all: &'static str,
    get: &'static str,
    /// Number and bytes of all other keys.
    others: &'static str,
    put: &'static str,
    delete: &'static str,
}

macro_rules! statements {
    ($table:literal) => {
        Statements {
            all: concat!("SELECT key, value FROM ", $table, " WHERE agent_id = $1"),
            get: concat!("SELECT key, value FROM ", $table, " WHERE agent_id = $1 AND key = $2"),
            others: concat!(
                "SELECT COUNT(*), CAST(COALESCE(SUM(OCTET_LENGTH(key) + OCTET_LENGTH(value)), 0) AS BIGINT) FROM ",
                $table,
                " WHERE agent_id = $1 AND key <> $2"
            ),
            put: concat!(
                "INSERT INTO ",
                $table,
                " (agent_id, key, value) VALUES ($1, $2, $3)
                 ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value"
            ),
            delete: concat!("DELETE FROM ", $table, " WHERE agent_id = $1 AND key = $2"),
        }
    };
}

const STATE: Statements = statements!("agent_state");
const STORAGE: Statements = statements!("agent_storage");

/// A rule that a write fulfilled: the key, and what the agent is to be told once it is committed.
pub(crate) struct Fired {
    key: String,
    text: String,
}

/// Sets keys of `flo.state` in this transaction; `null` removes one, and a value that is there already
/// changes nothing. Hand what comes back to [`Hub::wake_for_rules`] after the commit.
pub(crate) async fn write(
    appending: &mut Appending,
    place: &Place,
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

impl Hub {
    /// Sets a key of `flo.state`, whoever asks, and wakes the agent if a rule of its says so; `null`
    /// removes the key.
    pub(crate) async fn write_state(&self, place: &Place, key: String, value: Value) -> Result<()> {
        let mut appending = self.appending().await?;
        let fired = write(&mut appending, place, [(key, value)]).await?;
        self.commit(appending).await?;
        self.wake_for_rules(&place.agent, fired).await
    }

    pub(crate) async fn wake_for_rules(&self, agent: &AgentId, all_fired: Vec<Fired>) -> Result<()> {
        for Fired { key, text } in all_fired {
            self.wake_for_rule(agent, key, text).await?;
        }
        Ok(())
    }
}

/// Puts a key of `flo.state` down where no rule is to look; `null` removes it.
pub(crate) async fn put_state(tx: &mut Transaction, agent: &AgentId, key: &str, value: &Value) -> Result<()> {
    put(tx, &STATE, agent, key, value).await
}

/// Sets a key of the agent's own storage; `null` removes it.
pub(crate) async fn put_storage(
    tx: &mut Transaction,
    agent: &AgentId,
    key: &str,
    value: &Value,
) -> Result<()> {
    put(tx, &STORAGE, agent, key, value).await
}

impl Scoped<'_> {
    pub async fn state(&self, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        self.require_agent(agent).await?;
        self.hub.state_of(agent).await
    }
}

impl Hub {
    pub(crate) async fn state_of(&self, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        self.all(&STATE, agent).await
    }

    pub(crate) async fn storage_list(&self, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        self.all(&STORAGE, agent).await
    }

    pub(crate) async fn storage_get(&self, agent: &AgentId, key: &str) -> Result<Option<Value>> {
        let found =
            sqlx::query(STORAGE.get).bind(&agent.0).bind(key).fetch_optional(self.store.read()).await?;
        Ok(found.as_ref().map(pair).transpose()?.map(|(_, value)| value))
    }

    pub(crate) async fn storage_set(&self, agent: &AgentId, key: &str, value: &Value) -> Result<()> {
        let mut tx = self.store.write().await?;
        put_storage(&mut tx, agent, key, value).await?;
        tx.commit().await?;
        self.results.wrote(agent, Resource::Storage, Some(key));
        Ok(())
    }

    pub(crate) async fn storage_delete(&self, agent: &AgentId, key: &str) -> Result<()> {
        self.storage_set(agent, key, &Value::Null).await
    }

    async fn all(&self, statements: &Statements, agent: &AgentId) -> Result<BTreeMap<String, Value>> {
        let rows = sqlx::query(statements.all).bind(&agent.0).fetch_all(self.store.read()).await?;
        rows.iter().map(pair).collect()
    }
}

fn pair(row: &Row) -> Result<(String, Value)> {
    let value: String = row.try_get("value")?;
    Ok((row.try_get("key")?, serde_json::from_str(&value)?))
}

async fn put(
    tx: &mut Transaction,
    statements: &Statements,
    agent: &AgentId,
    key: &str,
    value: &Value,
) -> Result<()> {
    check_key(key)?;
    if value.is_null() {
        sqlx::query(statements.delete).bind(&agent.0).bind(key).execute(&mut **tx).await?;
        return Ok(());
    }
    let value = value.to_string();
    if value.len() > VALUE {
        return Err(Error::Limit(format!("The value of {key:?} is larger than 64 KB.")));
    }
    let others = sqlx::query(statements.others).bind(&agent.0).bind(key).fetch_one(&mut **tx).await?;
    let keys = usize::try_from(others.try_get::<i64, _>(0)?).map_err(Error::internal)?;
    let bytes = usize::try_from(others.try_get::<i64, _>(1)?).map_err(Error::internal)?;
    if keys >= KEYS {
        return Err(Error::Limit(format!("There are {KEYS} keys already. Delete one first.")));
    }
    if bytes + key.len() + value.len() > TOTAL {
        return Err(Error::Limit("All values together are larger than 1 MB. Delete some first.".to_owned()));
    }
    sqlx::query(statements.put).bind(&agent.0).bind(key).bind(value).execute(&mut **tx).await?;
    Ok(())
}

fn check_key(key: &str) -> Result<()> {
    if key.is_empty() || key.chars().count() > KEY || key.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "A key has 1 to {KEY} characters, none of them a control character."
        )));
    }
    Ok(())
}
