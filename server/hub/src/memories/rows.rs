//! The statements of memories. Every one names the owner.

use super::FORGOTTEN_MS;
use super::rank::Ranked;
use super::same::Said;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Store, Transaction, name_of, query};
use protocol::view::{Memory, MemoryState, OlderMemory};
use protocol::{AgentId, MemoryId, UserId};
use sqlx::{Any, Executor};
use std::collections::HashMap;
use std::iter;

/// Memories of one statement that are named by their ids.
const AT_ONCE: usize = 20;

/// A memory with when it was written.
pub(super) struct Stored {
    pub(super) memory: Memory,
    pub(super) created_at: i64,
}

const MEMORIES: &str =
    "SELECT m.id, m.text, m.kind, m.tags, m.importance, m.state, m.author, m.agent_id, m.writer_id,
            c.id AS conversation_id, c.agent_id AS talked_with, m.seq, m.strangers, m.page, m.created_at,
            o.id AS against_id, o.text AS against_text, o.changed_at AS against_at, m.changed_at,
            a.name AS agent_name, w.name AS writer_name, m.workspace_id, f.name AS workspace_name
     FROM memories m LEFT JOIN agents a ON a.id = m.agent_id LEFT JOIN agents w ON w.id = m.writer_id
     LEFT JOIN folders f ON f.id = m.workspace_id
     LEFT JOIN conversations c ON c.id = m.conversation_id AND c.deleted_at IS NULL
     LEFT JOIN memories o ON o.id = m.against_id AND o.state = 'kept'";

const OF_PERSON: &str = "WHERE m.user_id = $1 AND m.state = $2";

/// The same of those that are named by their ids, and read by these: no index has what is put together.
const NAMED: &str = "WHERE m.user_id || '' = $1 AND m.state || '' = $2";

/// Of an agent those that it is told of.
const TOLD: &str = "AND ($3 = '' OR ((m.agent_id IS NULL OR m.agent_id = $3) AND (m.workspace_id IS NULL
            OR m.workspace_id IN (SELECT h.folder_id FROM workspace_agents h WHERE h.agent_id = $3))))";

fn name(agent: Option<&AgentId>) -> &str {
    agent.map(|agent| agent.0.as_str()).unwrap_or_default()
}

/// All of the person's, those that changed last first.
pub(super) async fn all<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    state: MemoryState,
) -> Result<Vec<Stored>> {
    query([MEMORIES, OF_PERSON, "ORDER BY m.changed_at DESC, m.id"], (owner, state)).fetch_all(executor).await
}

/// So many of those that changed last; of an agent of those that it is told of.
pub(super) async fn latest<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: Option<&AgentId>,
    state: MemoryState,
    (skipped, most): (usize, usize),
) -> Result<Vec<Memory>> {
    let found: Vec<Stored> = query(
        [MEMORIES, OF_PERSON, TOLD, "ORDER BY m.changed_at DESC, m.id LIMIT $4 OFFSET $5"],
        (owner, state, name(agent), most, skipped),
    )
    .fetch_all(executor)
    .await?;
    Ok(found.into_iter().map(|stored| stored.memory).collect())
}

/// So many of the most important that an agent is told of and that were there at this time, those that changed last
/// first. Of two that may not both be true the newer one.
pub(super) async fn important<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: &AgentId,
    upto: i64,
    most: usize,
) -> Result<Vec<Stored>> {
    query(
        [
            MEMORIES,
            OF_PERSON,
            TOLD,
            "AND m.created_at <= $4
             AND NOT EXISTS (SELECT 1 FROM memories n
                             WHERE n.against_id = m.id AND n.state = $2 AND n.created_at <= $4)
             ORDER BY m.importance DESC, m.changed_at DESC, m.id LIMIT $5",
        ],
        (owner, MemoryState::Kept, &agent.0, upto, most),
    )
    .fetch_all(executor)
    .await
}

/// So many of those that have a word with this stem, the most important first. They are found by it.
pub(super) async fn with<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: Option<&AgentId>,
    stem: &str,
    most: usize,
) -> Result<Vec<Ranked>> {
    // SQLite reads what stands before a CROSS JOIN first.
    query(
        [
            "SELECT m.id, m.words, m.importance, m.changed_at, m.used
             FROM memory_words w CROSS JOIN memories m
             WHERE w.user_id = $1 AND w.stem = $4
               AND m.id = w.memory_id AND m.user_id = $1 AND m.state = $2",
            TOLD,
            "ORDER BY m.importance DESC, m.changed_at DESC, m.id LIMIT $5",
        ],
        (owner, MemoryState::Kept, name(agent), stem, most),
    )
    .fetch_all(executor)
    .await
}

/// The same of one that many have: all are looked through from the most important on, until so many have it.
pub(super) async fn important_with<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: Option<&AgentId>,
    stem: &str,
    most: usize,
) -> Result<Vec<Ranked>> {
    query(
        [
            "SELECT m.id, m.words, m.importance, m.changed_at, m.used FROM memories m
             WHERE m.user_id = $1 AND m.state = $2
               AND EXISTS (SELECT 1 FROM memory_words w
                           WHERE w.user_id = $1 AND w.stem = $4 AND w.memory_id = m.id)",
            TOLD,
            "ORDER BY m.importance DESC, m.changed_at DESC, m.id LIMIT $5",
        ],
        (owner, MemoryState::Kept, name(agent), stem, most),
    )
    .fetch_all(executor)
    .await
}

/// Those of these that are kept, in this order.
pub(super) async fn kept(store: &Store, owner: &UserId, ids: &[&MemoryId]) -> Result<Vec<Memory>> {
    let mut found: HashMap<MemoryId, Memory> = HashMap::new();
    for part in ids.chunks(AT_ONCE) {
        let filled = part.iter().copied().chain(iter::repeat(part[0])).take(AT_ONCE);
        let mut values = vec![(owner.0.clone(),), (name_of(&MemoryState::Kept)?,)];
        values.extend(filled.map(|id| (id.0.clone(),)));
        let memories: Vec<Stored> = query(
            [MEMORIES, NAMED, "AND m.id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)"],
            values,
        )
        .fetch_all(store.read())
        .await?;
        found.extend(memories.into_iter().map(|stored| (stored.memory.id.clone(), stored.memory)));
    }
    Ok(ids.iter().filter_map(|id| found.remove(*id)).collect())
}

/// So many of those that may not be true beside an older one that is kept, those that changed last first.
pub(super) async fn against_others<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    most: usize,
) -> Result<Vec<Memory>> {
    let found: Vec<Stored> = query(
        [
            MEMORIES,
            OF_PERSON,
            "AND m.against_id IS NOT NULL AND o.id IS NOT NULL ORDER BY m.changed_at DESC, m.id LIMIT $3",
        ],
        (owner, MemoryState::Kept, most),
    )
    .fetch_all(executor)
    .await?;
    Ok(found.into_iter().map(|stored| stored.memory).collect())
}

/// How many these are.
pub(super) async fn count_against_others<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
) -> Result<i64> {
    query(
        "SELECT COUNT(*) FROM memories m JOIN memories o ON o.id = m.against_id AND o.state = $2
         WHERE m.user_id = $1 AND m.state = $2 AND m.against_id IS NOT NULL",
        (owner, MemoryState::Kept),
    )
    .fetch_one(executor)
    .await
}

/// One that says the same; of an agent among those that it is told of.
pub(super) async fn same<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    agent: &AgentId,
    state: MemoryState,
    said: &Said,
) -> Result<Option<MemoryId>> {
    query(
        [
            "SELECT m.id FROM memories m WHERE m.user_id = $1 AND m.state = $2 AND m.said = $4",
            TOLD,
            "LIMIT 1",
        ],
        (owner, state, &agent.0, said.digest()),
    )
    .fetch_optional(executor)
    .await
}

pub(super) async fn count<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
    state: MemoryState,
) -> Result<i64> {
    query("SELECT COUNT(*) FROM memories WHERE user_id = $1 AND state = $2", (owner, state))
        .fetch_one(executor)
        .await
}

/// Takes away what was forgotten long ago.
pub(super) async fn clear_forgotten(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    query(
        "DELETE FROM memories WHERE user_id = $1 AND state = $2 AND changed_at < $3",
        (owner, MemoryState::Forgotten, now.saturating_sub(FORGOTTEN_MS)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl FromRow for Stored {
    fn from_row(row: &Row) -> Result<Self> {
        let memory = Memory {
            id: row.get("id")?,
            text: row.get("text")?,
            kind: row.get("kind")?,
            tags: row.get::<Json<_>>("tags")?.0,
            importance: u8::try_from(row.get::<i64>("importance")?).unwrap_or(1),
            state: row.get("state")?,
            author: row.get("author")?,
            agent: row.get("agent_id")?,
            agent_name: row.get("agent_name")?,
            workspace: row.get("workspace_id")?,
            workspace_name: row.get("workspace_name")?,
            writer: row.get("writer_id")?,
            writer_name: row.get("writer_name")?,
            conversation: row.get("conversation_id")?,
            talked_with: row.get("talked_with")?,
            seq: row.get("seq")?,
            strangers: row.get("strangers")?,
            page: row.get("page")?,
            against: older_of(row)?,
            changed_at: row.get("changed_at")?,
        };
        Ok(Self { memory, created_at: row.get("created_at")? })
    }
}

fn older_of(row: &Row) -> Result<Option<OlderMemory>> {
    let Some(id) = row.get("against_id")? else { return Ok(None) };
    Ok(Some(OlderMemory { id, text: row.get("against_text")?, changed_at: row.get("against_at")? }))
}

impl FromRow for Ranked {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            words: row.get("words")?,
            importance: u8::try_from(row.get::<i64>("importance")?).unwrap_or(1),
            changed_at: row.get("changed_at")?,
            used: row.get("used")?,
        })
    }
}
