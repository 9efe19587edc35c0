//! Chosen models and vectors, in the store.

use super::Chosen;
use crate::clock::new_id;
use crate::error::Result;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::{MemoryMeaning, MemoryState};
use protocol::{AgentId, MemoryId, ProviderId, UserId};
use sqlx::{Any, Executor};

/// Why vectors could not be made, in characters.
const LONGEST_FAILURE: usize = 300;

/// A memory that has no vector yet.
pub(super) struct Waiting {
    pub(super) id: MemoryId,
    pub(super) text: String,
    /// A digest of what it said when it was read.
    pub(super) said: String,
}

pub(super) async fn chosen<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
) -> Result<Option<Chosen>> {
    query("SELECT choice, provider_id, model FROM memory_models WHERE user_id = $1", (owner,))
        .fetch_optional(executor)
        .await
}

/// The vectors of a model before go with it.
pub(super) async fn choose(
    tx: &mut Transaction,
    owner: &UserId,
    model: Option<(&ProviderId, &str)>,
    now: i64,
) -> Result<()> {
    query("DELETE FROM memory_models WHERE user_id = $1", (owner,)).execute(&mut **tx).await?;
    if let Some((provider, model)) = model {
        query(
            "INSERT INTO memory_models (choice, user_id, provider_id, model, due_at) VALUES ($1, $2, $3, $4, $5)",
            (new_id(), owner, provider, model, now),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Has it looked which memories of the person have no vector.
pub(in crate::memories) async fn due(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    query("UPDATE memory_models SET due_at = $2 WHERE user_id = $1", (owner, now)).execute(&mut **tx).await?;
    Ok(())
}

/// A memory means something else, or nothing any more.
pub(in crate::memories) async fn gone(tx: &mut Transaction, id: &MemoryId) -> Result<()> {
    query("DELETE FROM memory_vectors WHERE memory_id = $1", (id,)).execute(&mut **tx).await?;
    Ok(())
}

/// Takes what is due of a person, which is due again at `until` if nobody comes back. `false`: somebody else has.
pub(super) async fn claim(tx: &mut Transaction, owner: &UserId, now: i64, until: i64) -> Result<bool> {
    let claimed = query(
        "UPDATE memory_models SET due_at = $3 WHERE user_id = $1 AND due_at <= $2",
        (owner, now, until),
    )
    .execute(&mut **tx)
    .await?;
    Ok(claimed > 0)
}

/// All have a vector, unless something became due since the claim.
pub(super) async fn done(tx: &mut Transaction, chosen: &Chosen, claimed: i64) -> Result<()> {
    query("UPDATE memory_models SET failure = NULL WHERE choice = $1", (&chosen.choice,))
        .execute(&mut **tx)
        .await?;
    query(
        "UPDATE memory_models SET due_at = NULL WHERE choice = $1 AND due_at = $2",
        (&chosen.choice, claimed),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn failed(tx: &mut Transaction, chosen: &Chosen, why: &str, again: i64) -> Result<()> {
    let why: String = why.chars().take(LONGEST_FAILURE).collect();
    query(
        "UPDATE memory_models SET failure = $2, due_at = $3 WHERE choice = $1",
        (&chosen.choice, why, again),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// So many of those that are kept, those that changed last first.
pub(super) async fn waiting<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    chosen: &Chosen,
    most: usize,
) -> Result<Vec<Waiting>> {
    query(
        "SELECT m.id, m.text, m.said FROM memories m
         WHERE m.user_id = $1 AND m.state = $2 AND m.said IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id AND v.choice = $3)
         ORDER BY m.changed_at DESC, m.id LIMIT $4",
        (owner, MemoryState::Kept, &chosen.choice, most),
    )
    .fetch_all(executor)
    .await
}

/// Nothing where the memory says something else by now, or another model was chosen.
pub(super) async fn put(
    tx: &mut Transaction,
    owner: &UserId,
    chosen: &Chosen,
    memory: &Waiting,
    (dimensions, vector): (usize, Vec<u8>),
) -> Result<()> {
    query(
        "INSERT INTO memory_vectors (memory_id, choice, dimensions, vector)
         SELECT m.id, c.choice, $6, $7 FROM memories m JOIN memory_models c ON c.user_id = m.user_id
         WHERE m.id = $1 AND m.user_id = $2 AND m.said = $3 AND c.choice = $4 AND m.state = $5
         ON CONFLICT (memory_id) DO UPDATE SET
             choice = excluded.choice, dimensions = excluded.dimensions, vector = excluded.vector",
        (&memory.id, owner, &memory.said, &chosen.choice, MemoryState::Kept, dimensions, vector),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn has_vectors<'e>(
    executor: impl Executor<'e, Database = Any>,
    chosen: &Chosen,
) -> Result<bool> {
    query("SELECT 1 FROM memory_vectors WHERE choice = $1 LIMIT 1", (&chosen.choice,)).exists(executor).await
}

/// So many vectors of what is kept, in the order of their memories' ids and behind one of these; of an agent of those
/// that it is told of.
pub(super) async fn vectors<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: Option<&AgentId>,
    chosen: &Chosen,
    (after, most): (&str, usize),
) -> Result<Vec<(MemoryId, Vec<u8>)>> {
    let agent = agent.map(|agent| agent.0.as_str()).unwrap_or_default();
    // SQLite reads what stands before a CROSS JOIN first.
    query(
        "SELECT v.memory_id, v.vector FROM memory_vectors v CROSS JOIN memories m
         WHERE v.choice = $4 AND v.memory_id > $5
           AND m.id = v.memory_id AND m.user_id = $1 AND m.state = $2
           AND ($3 = '' OR ((m.agent_id IS NULL OR m.agent_id = $3) AND (m.workspace_id IS NULL
                OR m.workspace_id IN (SELECT h.folder_id FROM workspace_agents h WHERE h.agent_id = $3))))
         ORDER BY v.memory_id LIMIT $6",
        (owner, MemoryState::Kept, agent, &chosen.choice, after, most),
    )
    .fetch_all(executor)
    .await
}

pub(super) async fn meaning<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
) -> Result<Option<MemoryMeaning>> {
    query(
        "SELECT c.provider_id, c.model, c.failure,
                (SELECT COUNT(*) FROM memories m WHERE m.user_id = c.user_id AND m.state = $2
                   AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id AND v.choice = c.choice))
                AS waiting
         FROM memory_models c WHERE c.user_id = $1",
        (owner, MemoryState::Kept),
    )
    .fetch_optional(executor)
    .await
}

impl FromRow for Chosen {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { choice: row.get("choice")?, provider: row.get("provider_id")?, model: row.get("model")? })
    }
}

impl FromRow for Waiting {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { id: row.get("id")?, text: row.get("text")?, said: row.get("said")? })
    }
}

impl FromRow for MemoryMeaning {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            provider: row.get("provider_id")?,
            model: row.get("model")?,
            waiting: row.get("waiting")?,
            failure: row.get::<Option<String>>("failure")?.unwrap_or_default(),
        })
    }
}
