//! The log: appending with a sequence number that the commit assigns, and reading.

use crate::Hub;
use crate::error::{Error, Result};
use crate::store::{Row, Store, Transaction};
use protocol::approval::Asker;
use protocol::log::{DeviceWait, Entry, EntryBody, NoticeKind, Outcome, Sender};
use protocol::model::{Block, ModelFailureKind};
use protocol::{AgentId, ConversationId, RunId};
use sqlx::Row as _;

/// Longest `last_line` of an agent, in characters.
const LINE: usize = 140;

/// Where an entry belongs.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) agent: AgentId,
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) run: Option<RunId>,
}

/// A transaction that collects entries, to be published when it is committed.
pub(crate) struct Appending {
    pub(crate) tx: Transaction,
    now: i64,
    entries: Vec<Entry>,
}

impl Hub {
    pub(crate) async fn appending(&self) -> Result<Appending> {
        Ok(self.appending_in(self.store.write().await?))
    }

    /// For entries beside which nothing is written.
    pub(crate) async fn appending_alone(&self) -> Result<Appending> {
        Ok(self.appending_in(self.store.write_aside().await?))
    }

    fn appending_in(&self, tx: Transaction) -> Appending {
        Appending { tx, now: self.now(), entries: Vec::new() }
    }

    /// Commits, then tells everyone who follows, in the order of the log.
    pub(crate) async fn commit(&self, appending: Appending) -> Result<()> {
        let Appending { tx, entries, .. } = appending;
        let hub = self.clone();
        tx.commit_then(move || {
            hub.results.appended(&entries);
            for entry in &entries {
                hub.live.publish(entry);
            }
        })
        .await
    }
}

impl Appending {
    /// Takes everything back. What it saw stands for all who read.
    pub(crate) async fn give_up(self) -> Result<()> {
        self.tx.rollback().await
    }

    /// When this transaction began, in Unix milliseconds.
    pub(crate) fn now(&self) -> i64 {
        self.now
    }

    pub(crate) async fn append(&mut self, place: &Place, body: EntryBody) -> Result<u64> {
        self.append_numbered(place, None, body).await
    }

    /// Appends the loop's own entry `ordinal`.
    pub(crate) async fn append_numbered(
        &mut self,
        place: &Place,
        ordinal: Option<u32>,
        body: EntryBody,
    ) -> Result<u64> {
        let effect = OnAgent::of(&body);
        let row = sqlx::query(
            "UPDATE agents SET last_seq = last_seq + 1, updated_at = $2,
                 status = COALESCE($3, status), last_line = COALESCE($4, last_line),
                 message_count = message_count + $5,
                 input_tokens = input_tokens + $6, output_tokens = output_tokens + $7,
                 cost = CASE WHEN $8 IS NULL THEN cost ELSE COALESCE(cost, 0) + $8 END,
                 skin_version = COALESCE($9, skin_version)
             WHERE id = $1 RETURNING last_seq",
        )
        .bind(&place.agent.0)
        .bind(self.now)
        .bind(effect.status)
        .bind(effect.last_line)
        .bind(effect.messages)
        .bind(effect.input_tokens)
        .bind(effect.output_tokens)
        .bind(effect.cost)
        .bind(effect.skin_version)
        .fetch_optional(&mut *self.tx)
        .await?
        .ok_or(Error::NotFound("agent"))?;
        let seq: i64 = row.try_get(0)?;
        sqlx::query(
            "INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, ordinal, kind, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&place.agent.0)
        .bind(seq)
        .bind(self.now)
        .bind(place.conversation.as_ref().map(|id| id.0.as_str()))
        .bind(place.run.as_ref().map(|id| id.0.as_str()))
        .bind(ordinal.map(i64::from))
        .bind(kind(&body))
        .bind(serde_json::to_string(&body)?)
        .execute(&mut *self.tx)
        .await?;
        let seq = u64::try_from(seq).map_err(Error::internal)?;
        self.entries.push(Entry {
            agent: place.agent.clone(),
            seq,
            at: self.now,
            conversation: place.conversation.clone(),
            run: place.run.clone(),
            body,
        });
        Ok(seq)
    }
}

/// At most `limit` entries of an agent with `seq > after`, oldest first.
pub(crate) async fn entries_after(
    store: &Store,
    agent: &AgentId,
    after: u64,
    limit: i64,
) -> Result<Vec<Entry>> {
    let rows = sqlx::query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE agent_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    )
    .bind(&agent.0)
    .bind(i64::try_from(after).unwrap_or(i64::MAX))
    .bind(limit)
    .fetch_all(store.read())
    .await?;
    rows.iter().map(entry).collect()
}

/// All entries of a conversation, oldest first.
pub(crate) async fn conversation_entries(store: &Store, conversation: &ConversationId) -> Result<Vec<Entry>> {
    let rows = sqlx::query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE conversation_id = $1 ORDER BY seq",
    )
    .bind(&conversation.0)
    .fetch_all(store.read())
    .await?;
    rows.iter().map(entry).collect()
}

pub(crate) fn entry(row: &Row) -> Result<Entry> {
    let seq: i64 = row.try_get("seq")?;
    let body: String = row.try_get("body")?;
    Ok(Entry {
        agent: AgentId(row.try_get("agent_id")?),
        seq: u64::try_from(seq).map_err(Error::internal)?,
        at: row.try_get("at")?,
        conversation: row.try_get::<Option<String>, _>("conversation_id")?.map(ConversationId),
        run: row.try_get::<Option<String>, _>("run_id")?.map(RunId),
        body: serde_json::from_str(&body)?,
    })
}

/// What an entry changes in the agent's read model.
#[derive(Default)]
struct OnAgent {
    status: Option<&'static str>,
    last_line: Option<String>,
    messages: i64,
    input_tokens: i64,
    output_tokens: i64,
    cost: Option<i64>,
    skin_version: Option<i64>,
}

impl OnAgent {
    fn of(body: &EntryBody) -> Self {
        match body {
            EntryBody::Message { from: Sender::Devices, .. } => Self::default(),
            EntryBody::Message { text, .. } | EntryBody::Block { block: Block::Text { text }, .. } => {
                Self { last_line: Some(first_line(text)), messages: 1, ..Self::default() }
            }
            EntryBody::RunStarted { .. } => Self { status: Some("running"), ..Self::default() },
            EntryBody::DeviceWait { wait: DeviceWait::Begun { .. }, .. } => {
                Self { status: Some("waiting"), ..Self::default() }
            }
            EntryBody::ApprovalAsked { approval } if approval.asker == Asker::Model => {
                Self { status: Some("waiting"), ..Self::default() }
            }
            EntryBody::RunFinished { outcome, .. } => {
                Self { status: Some(status_after(outcome)), ..Self::default() }
            }
            EntryBody::Notice { kind: NoticeKind::GivenUp, .. } => {
                Self { status: Some("idle"), ..Self::default() }
            }
            EntryBody::Used { usage, cost, .. } => Self {
                input_tokens: to_i64(usage.prompt()),
                output_tokens: to_i64(usage.output),
                cost: cost.map(|cost| cost.0),
                ..Self::default()
            },
            EntryBody::Skin { version, .. } => {
                Self { skin_version: Some(to_i64(*version)), ..Self::default() }
            }
            EntryBody::Block { block: Block::Reasoning { .. } | Block::ToolUse(_), .. }
            | EntryBody::TurnFinished { .. }
            | EntryBody::ToolStarted { .. }
            | EntryBody::ToolFinished { .. }
            | EntryBody::NotRun { .. }
            | EntryBody::Notice { .. }
            | EntryBody::Steered { .. }
            | EntryBody::Retrying { .. }
            | EntryBody::Digested { .. }
            | EntryBody::Clipped { .. }
            | EntryBody::Summary { .. }
            | EntryBody::Moved { .. }
            | EntryBody::State { .. }
            | EntryBody::ToolCreated { .. }
            | EntryBody::ToolDeleted { .. }
            | EntryBody::Imported { .. }
            | EntryBody::Permission { .. }
            | EntryBody::DeviceWait { .. }
            | EntryBody::ApprovalAsked { .. }
            | EntryBody::ApprovalSettled { .. }
            | EntryBody::Schedule { .. }
            | EntryBody::PageErrors { .. } => Self::default(),
        }
    }
}

fn status_after(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed | Outcome::Stopped => "idle",
        Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => "waiting",
        Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => "error",
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(LINE).collect()
}

fn to_i64(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn kind(body: &EntryBody) -> &'static str {
    match body {
        EntryBody::Message { .. } => "message",
        EntryBody::RunStarted { .. } => "run_started",
        EntryBody::Block { .. } => "block",
        EntryBody::TurnFinished { .. } => "turn_finished",
        EntryBody::ToolStarted { .. } => "tool_started",
        EntryBody::ToolFinished { .. } => "tool_finished",
        EntryBody::Used { .. } => "used",
        EntryBody::RunFinished { .. } => "run_finished",
        EntryBody::Skin { .. } => "skin",
        EntryBody::Moved { .. } => "moved",
        EntryBody::State { .. } => "state",
        EntryBody::NotRun { .. } => "not_run",
        EntryBody::Notice { .. } => "notice",
        EntryBody::Steered { .. } => "steered",
        EntryBody::Retrying { .. } => "retrying",
        EntryBody::Digested { .. } => "digested",
        EntryBody::Clipped { .. } => "clipped",
        EntryBody::Summary { .. } => "summary",
        EntryBody::ToolCreated { .. } => "tool_created",
        EntryBody::ToolDeleted { .. } => "tool_deleted",
        EntryBody::Permission { .. } => "permission",
        EntryBody::PageErrors { .. } => "page_errors",
        EntryBody::Imported { .. } => "imported",
        EntryBody::DeviceWait { .. } => "device_wait",
        EntryBody::ApprovalAsked { .. } => "approval_asked",
        EntryBody::ApprovalSettled { .. } => "approval_settled",
        EntryBody::Schedule { .. } => "schedule",
    }
}
