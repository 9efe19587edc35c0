//! The statements of agents. Every one names the owner.

use super::draft::Checked;
use crate::error::{Error, Result};
use crate::ledger::day_of;
use crate::providers::agent_key_purpose;
use crate::store::{FromRow, Json, Readers, Row, Store, Transaction, query};
use protocol::agent::Hook;
use protocol::view::{AgentCard, AgentView, Fallback, LoopSettings, Spent, Today};
use protocol::{AgentId, ConversationId, ProviderId};

/// What the cards of the person `$1` are read from on the day `$2`.
const CARDS: &str =
    "SELECT a.id, a.name, a.colour, a.home, a.status, a.last_line, a.updated_at, a.input_tokens,
            a.output_tokens, a.cost, a.skin_version, a.message_count, a.last_seq, c.per_day, a.paused_at,
            a.pinned_at,
            (SELECT COUNT(*) FROM conversations o WHERE o.agent_id = a.id AND o.answered_seq > o.read_seq
             AND o.archived_at IS NULL AND o.deleted_at IS NULL) AS unread,
            (SELECT CAST(COALESCE(SUM(s.cost), 0) AS BIGINT) FROM spending s
             WHERE s.agent_id = a.id AND s.day = $2) AS spent_today
     FROM agents a LEFT JOIN caps c ON c.scope = 'agent' AND c.owner = a.id
     WHERE a.user_id = $1";

pub(super) async fn cards(pool: &Readers, owner: &str, now: i64) -> Result<Vec<AgentCard>> {
    query(
        [CARDS, "AND a.parent_id IS NULL ORDER BY (a.pinned_at IS NULL), a.updated_at DESC, a.id DESC"],
        (owner, day_of(now)),
    )
    .fetch_all(pool)
    .await
}

/// The card with the number of the newest entry that it knows.
pub(super) async fn card(
    pool: &Readers,
    owner: &str,
    id: &AgentId,
    now: i64,
) -> Result<Option<(AgentCard, u64)>> {
    let card: Option<AgentCard> =
        query([CARDS, "AND a.id = $3"], (owner, day_of(now), id)).fetch_optional(pool).await?;
    Ok(card.map(|card| {
        let seq = card.seq;
        (card, seq)
    }))
}

/// A provider that was deleted, or is not shared any more, counts as none.
pub(super) async fn view(pool: &Readers, owner: &str, id: &AgentId) -> Result<Option<AgentView>> {
    query(
        "SELECT a.id, a.name, a.colour, a.instructions,
                (SELECT p.provider_id FROM usable_providers p
                 WHERE p.provider_id = a.provider_id AND p.user_id = a.user_id) AS provider_id, a.model,
                (SELECT f.provider_id FROM usable_providers f
                 WHERE f.provider_id = a.fallback_provider_id AND f.user_id = a.user_id) AS fallback_provider_id,
                a.fallback_model, a.tools, a.max_output_tokens, a.home, a.loop_settings, a.network, a.follows_robots,
                a.commands_reach, a.created_at, a.updated_at,
                (SELECT t.paused_at FROM agents t WHERE t.id = COALESCE(a.root_id, a.id)) AS paused_at,
                (SELECT c.id FROM conversations c
                 WHERE c.agent_id = a.id AND c.temporary = 0 AND c.archived_at IS NULL AND c.deleted_at IS NULL
                 ORDER BY c.place DESC, c.id DESC LIMIT 1) AS conversation_id,
                (SELECT COUNT(*) FROM secrets s WHERE s.user_id = a.user_id AND s.provider_id = a.provider_id
                 AND s.purpose = $3) AS own_keys
         FROM agents a WHERE a.user_id = $1 AND a.id = $2",
        (owner, id, agent_key_purpose(id)),
    )
    .fetch_optional(pool)
    .await
}

pub(super) async fn count(tx: &mut Transaction, owner: &str) -> Result<i64> {
    query("SELECT COUNT(*) FROM agents WHERE user_id = $1 AND parent_id IS NULL", (owner,))
        .fetch_one(&mut **tx)
        .await
}

pub(super) async fn insert(
    tx: &mut Transaction,
    owner: &str,
    id: &AgentId,
    checked: &Checked,
    conversation: &ConversationId,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO agents (id, user_id, name, colour, instructions, provider_id, model, tools,
                             max_output_tokens,
                             home, loop_settings, created_at, updated_at, fallback_provider_id,
                             fallback_model, ambient)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15)",
        (
            id,
            owner,
            &checked.name,
            &checked.colour,
            &checked.instructions,
            &checked.provider,
            &checked.model,
            Json(&checked.tools),
            checked.max_output_tokens,
            checked.home,
            Json(&checked.loop_settings),
            now,
            checked.fallback.as_ref().map(|fallback| &fallback.provider),
            checked.fallback.as_ref().map(|fallback| &fallback.model),
            checked.loop_settings.ambient_after_minutes.is_some(),
        ),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "INSERT INTO conversations (id, agent_id, created_at, used_at, family) VALUES ($1, $2, $3, $3, $1)",
        (conversation, id, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether there was such an agent.
pub(super) async fn update(
    tx: &mut Transaction,
    owner: &str,
    id: &AgentId,
    checked: &Checked,
    now: i64,
) -> Result<bool> {
    let updated = query(
        "UPDATE agents SET name = $3, colour = $4, instructions = $5, provider_id = $6, model = $7,
                           tools = $8,
                           max_output_tokens = $9, home = $10, loop_settings = $11, updated_at = $12,
                           fallback_provider_id = $13, fallback_model = $14, ambient = $15
         WHERE user_id = $1 AND id = $2",
        (
            owner,
            id,
            &checked.name,
            &checked.colour,
            &checked.instructions,
            &checked.provider,
            &checked.model,
            Json(&checked.tools),
            checked.max_output_tokens,
            checked.home,
            Json(&checked.loop_settings),
            now,
            checked.fallback.as_ref().map(|fallback| &fallback.provider),
            checked.fallback.as_ref().map(|fallback| &fallback.model),
            checked.loop_settings.ambient_after_minutes.is_some(),
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated > 0)
}

pub(crate) async fn instructions_of(tx: &mut Transaction, id: &AgentId) -> Result<String> {
    query("SELECT instructions FROM agents WHERE id = $1", (id,))
        .fetch_optional(&mut **tx)
        .await?
        .ok_or(Error::NotFound("agent"))
}

pub(crate) async fn put_instructions(
    tx: &mut Transaction,
    id: &AgentId,
    instructions: &str,
    now: i64,
) -> Result<()> {
    query("UPDATE agents SET instructions = $2, updated_at = $3 WHERE id = $1", (id, instructions, now))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

impl FromRow for AgentCard {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            colour: row.get("colour")?,
            home: row.get("home")?,
            status: row.get("status")?,
            paused: row.get::<Option<i64>>("paused_at")?.is_some(),
            pinned: row.get::<Option<i64>>("pinned_at")?.is_some(),
            unread: row.get::<i64>("unread")? > 0,
            last_line: row.get("last_line")?,
            last_at: row.get("updated_at")?,
            spent: Spent {
                input_tokens: row.get("input_tokens")?,
                output_tokens: row.get("output_tokens")?,
                cost: row.get("cost")?,
            },
            today: today_of(row)?,
            skin_version: row.get("skin_version")?,
            message_count: row.get("message_count")?,
            seq: row.get("last_seq")?,
        })
    }
}

fn today_of(row: &Row) -> Result<Option<Today>> {
    let Some(limit) = row.get("per_day")? else { return Ok(None) };
    Ok(Some(Today { spent: row.get("spent_today")?, limit }))
}

impl FromRow for AgentView {
    fn from_row(row: &Row) -> Result<Self> {
        let provider: Option<ProviderId> = row.get("provider_id")?;
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            colour: row.get("colour")?,
            instructions: row.get("instructions")?,
            own_key: provider.is_some() && row.get::<i64>("own_keys")? > 0,
            provider,
            model: row.get("model")?,
            fallback: fallback_of(row)?,
            tools: row.get::<Json<_>>("tools")?.0,
            max_output_tokens: row.get("max_output_tokens")?,
            home: row.get("home")?,
            loop_settings: loop_settings_of(row)?,
            network: row.get::<Json<_>>("network")?.0,
            follows_robots: row.get("follows_robots")?,
            commands_reach: row.get("commands_reach")?,
            paused: row.get::<Option<i64>>("paused_at")?.is_some(),
            conversation: row.get("conversation_id")?,
            created_at: row.get("created_at")?,
            updated_at: row.get("updated_at")?,
        })
    }
}

/// The model in reserve.
pub(crate) fn fallback_of(row: &Row) -> Result<Option<Fallback>> {
    let provider: Option<ProviderId> = row.get("fallback_provider_id")?;
    let model: Option<String> = row.get("fallback_model")?;
    Ok(provider.zip(model).map(|(provider, model)| Fallback { provider, model }))
}

/// What was never said is as usual.
pub(crate) fn loop_settings_of(row: &Row) -> Result<LoopSettings> {
    let mut settings: LoopSettings = row.get::<Json<_>>("loop_settings")?.0;
    if settings.rounds == 0 {
        settings.rounds = agent::ROUNDS;
    }
    Ok(settings)
}

/// What the person's hooks say to calls from now on.
pub(crate) async fn hooks_of(store: &Store, agent: &AgentId) -> Result<Vec<Hook>> {
    let row = query("SELECT loop_settings FROM agents WHERE id = $1", (agent,))
        .fetch_optional::<Row>(store.read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
    Ok(loop_settings_of(&row)?.hooks)
}
