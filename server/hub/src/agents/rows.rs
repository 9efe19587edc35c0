//! The statements of agents. Every one names the owner.

use super::draft::Checked;
use crate::error::{Error, Result};
use crate::ledger::day_of;
use crate::providers::agent_key_purpose;
use crate::store::{Row, Store, Transaction};
use protocol::hub::Hook;
use protocol::view::{AgentCard, AgentView, Fallback, Home, LoopSettings, Spent, Status, Today};
use protocol::{AgentId, ConversationId, Micros, ProviderId};
use sqlx::{AnyPool, Row as _};

macro_rules! cards {
    ($which:literal) => {
        concat!(
            "SELECT a.id, a.name, a.colour, a.home, a.status, a.last_line, a.updated_at, a.input_tokens,
                    a.output_tokens, a.cost, a.skin_version, a.message_count, a.last_seq, c.per_day,
                    (SELECT CAST(COALESCE(SUM(s.cost), 0) AS BIGINT) FROM spending s
                     WHERE s.agent_id = a.id AND s.day = $2) AS spent_today
             FROM agents a LEFT JOIN caps c ON c.scope = 'agent' AND c.owner = a.id
             WHERE a.user_id = $1 ",
            $which
        )
    };
}

pub(super) async fn cards(pool: &AnyPool, owner: &str, now: i64) -> Result<Vec<AgentCard>> {
    let rows = sqlx::query(cards!("ORDER BY a.updated_at DESC, a.id DESC"))
        .bind(owner)
        .bind(day_of(now))
        .fetch_all(pool)
        .await?;
    rows.iter().map(card_of).collect()
}

/// The card with the number of the newest entry that it knows.
pub(super) async fn card(
    pool: &AnyPool,
    owner: &str,
    id: &AgentId,
    now: i64,
) -> Result<Option<(AgentCard, u64)>> {
    let row = sqlx::query(cards!("AND a.id = $3"))
        .bind(owner)
        .bind(day_of(now))
        .bind(&id.0)
        .fetch_optional(pool)
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some((card_of(&row)?, count_of(&row, "last_seq")?)))
}

/// A provider that was deleted, or is not shared any more, counts as none.
pub(super) async fn view(pool: &AnyPool, owner: &str, id: &AgentId) -> Result<Option<AgentView>> {
    let row = sqlx::query(
        "SELECT a.id, a.name, a.colour, a.instructions, p.provider_id, a.model, f.provider_id AS fallback_provider_id,
                a.fallback_model, a.tools, a.max_output_tokens, a.home, a.loop_settings, a.network, a.created_at, a.updated_at,
                (SELECT c.id FROM conversations c WHERE c.agent_id = a.id
                 ORDER BY c.created_at DESC LIMIT 1) AS conversation_id,
                (SELECT COUNT(*) FROM secrets s WHERE s.user_id = a.user_id AND s.provider_id = p.provider_id
                 AND s.purpose = $3) AS own_keys
         FROM agents a LEFT JOIN usable_providers p ON p.provider_id = a.provider_id AND p.user_id = a.user_id
         LEFT JOIN usable_providers f ON f.provider_id = a.fallback_provider_id AND f.user_id = a.user_id
         WHERE a.user_id = $1 AND a.id = $2",
    )
    .bind(owner)
    .bind(&id.0)
    .bind(agent_key_purpose(id))
    .fetch_optional(pool)
    .await?;
    row.as_ref().map(view_of).transpose()
}

pub(super) async fn count(tx: &mut Transaction, owner: &str) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) FROM agents WHERE user_id = $1")
        .bind(owner)
        .fetch_one(&mut **tx)
        .await?;
    Ok(row.try_get(0)?)
}

pub(super) async fn insert(
    tx: &mut Transaction,
    owner: &str,
    id: &AgentId,
    checked: &Checked,
    conversation: &ConversationId,
    now: i64,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO agents (id, user_id, name, colour, instructions, provider_id, model, tools, max_output_tokens,
                             home, loop_settings, created_at, updated_at, fallback_provider_id, fallback_model,
                             ambient)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15)",
    )
    .bind(&id.0)
    .bind(owner)
    .bind(&checked.name)
    .bind(&checked.colour)
    .bind(&checked.instructions)
    .bind(checked.provider.as_ref().map(|id| id.0.as_str()))
    .bind(&checked.model)
    .bind(serde_json::to_string(&checked.tools)?)
    .bind(i64::from(checked.max_output_tokens))
    .bind(home_text(checked.home))
    .bind(serde_json::to_string(&checked.loop_settings)?)
    .bind(now)
    .bind(checked.fallback.as_ref().map(|fallback| fallback.provider.0.as_str()))
    .bind(checked.fallback.as_ref().map(|fallback| fallback.model.as_str()))
    .bind(i64::from(checked.loop_settings.ambient_after_minutes.is_some()))
    .execute(&mut **tx)
    .await?;
    sqlx::query("INSERT INTO conversations (id, agent_id, created_at) VALUES ($1, $2, $3)")
        .bind(&conversation.0)
        .bind(&id.0)
        .bind(now)
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
    let updated = sqlx::query(
        "UPDATE agents SET name = $3, colour = $4, instructions = $5, provider_id = $6, model = $7, tools = $8,
                           max_output_tokens = $9, home = $10, loop_settings = $11, updated_at = $12,
                           fallback_provider_id = $13, fallback_model = $14, ambient = $15
         WHERE user_id = $1 AND id = $2",
    )
    .bind(owner)
    .bind(&id.0)
    .bind(&checked.name)
    .bind(&checked.colour)
    .bind(&checked.instructions)
    .bind(checked.provider.as_ref().map(|id| id.0.as_str()))
    .bind(&checked.model)
    .bind(serde_json::to_string(&checked.tools)?)
    .bind(i64::from(checked.max_output_tokens))
    .bind(home_text(checked.home))
    .bind(serde_json::to_string(&checked.loop_settings)?)
    .bind(now)
    .bind(checked.fallback.as_ref().map(|fallback| fallback.provider.0.as_str()))
    .bind(checked.fallback.as_ref().map(|fallback| fallback.model.as_str()))
    .bind(i64::from(checked.loop_settings.ambient_after_minutes.is_some()))
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() > 0)
}

fn card_of(row: &Row) -> Result<AgentCard> {
    Ok(AgentCard {
        id: AgentId(row.try_get("id")?),
        name: row.try_get("name")?,
        colour: row.try_get("colour")?,
        home: home_from(row.try_get("home")?)?,
        status: status_from(row.try_get("status")?)?,
        last_line: row.try_get("last_line")?,
        last_at: row.try_get("updated_at")?,
        spent: Spent {
            input_tokens: count_of(row, "input_tokens")?,
            output_tokens: count_of(row, "output_tokens")?,
            cost: row.try_get::<Option<i64>, _>("cost")?.map(Micros),
        },
        today: today_of(row)?,
        skin_version: count_of(row, "skin_version")?,
        message_count: count_of(row, "message_count")?,
        seq: count_of(row, "last_seq")?,
    })
}

fn today_of(row: &Row) -> Result<Option<Today>> {
    let Some(limit) = row.try_get::<Option<i64>, _>("per_day")? else { return Ok(None) };
    Ok(Some(Today { spent: Micros(row.try_get("spent_today")?), limit: Micros(limit) }))
}

fn view_of(row: &Row) -> Result<AgentView> {
    let tools: String = row.try_get("tools")?;
    let max_output_tokens: i64 = row.try_get("max_output_tokens")?;
    Ok(AgentView {
        id: AgentId(row.try_get("id")?),
        name: row.try_get("name")?,
        colour: row.try_get("colour")?,
        instructions: row.try_get("instructions")?,
        provider: row.try_get::<Option<String>, _>("provider_id")?.map(ProviderId),
        model: row.try_get("model")?,
        fallback: fallback_of(row)?,
        tools: serde_json::from_str(&tools)?,
        max_output_tokens: u32::try_from(max_output_tokens).map_err(Error::internal)?,
        home: home_from(row.try_get("home")?)?,
        loop_settings: loop_settings_of(row)?,
        network: serde_json::from_str(&row.try_get::<String, _>("network")?)?,
        own_key: row.try_get::<i64, _>("own_keys")? > 0,
        conversation: ConversationId(row.try_get("conversation_id")?),
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// The model in reserve.
pub(crate) fn fallback_of(row: &Row) -> Result<Option<Fallback>> {
    let provider: Option<String> = row.try_get("fallback_provider_id")?;
    let model: Option<String> = row.try_get("fallback_model")?;
    Ok(provider.zip(model).map(|(provider, model)| Fallback { provider: ProviderId(provider), model }))
}

/// What was never said is as usual.
pub(crate) fn loop_settings_of(row: &Row) -> Result<LoopSettings> {
    let mut settings: LoopSettings = serde_json::from_str(&row.try_get::<String, _>("loop_settings")?)?;
    if settings.rounds == 0 {
        settings.rounds = agent::ROUNDS;
    }
    Ok(settings)
}

/// What the person's hooks say to calls from now on.
pub(crate) async fn hooks_of(store: &Store, agent: &AgentId) -> Result<Vec<Hook>> {
    let row = sqlx::query("SELECT loop_settings FROM agents WHERE id = $1")
        .bind(&agent.0)
        .fetch_optional(store.read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
    Ok(loop_settings_of(&row)?.hooks)
}

fn count_of(row: &Row, column: &str) -> Result<u64> {
    u64::try_from(row.try_get::<i64, _>(column)?).map_err(Error::internal)
}

fn home_text(home: Home) -> &'static str {
    match home {
        Home::Hub => "hub",
        Home::Browser => "browser",
    }
}

fn home_from(text: &str) -> Result<Home> {
    match text {
        "hub" => Ok(Home::Hub),
        "browser" => Ok(Home::Browser),
        other => Err(Error::internal(format!("an agent with the unknown home {other:?} is stored"))),
    }
}

fn status_from(text: &str) -> Result<Status> {
    match text {
        "idle" => Ok(Status::Idle),
        "running" => Ok(Status::Running),
        "waiting" => Ok(Status::Waiting),
        "error" => Ok(Status::Error),
        other => Err(Error::internal(format!("an agent with the unknown status {other:?} is stored"))),
    }
}
