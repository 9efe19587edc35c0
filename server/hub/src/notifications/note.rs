//! Writing down what happened, in the commit in which it does: unless the person looks at that agent, or wants
//! to hear nothing of it.

use super::queue::queue;
use super::quiet::Quiet;
use super::settings::settings_of;
use super::{News, Notifications};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, Transaction, query};
use protocol::{AgentId, ApprovalId, ConversationId, NotificationId, PipelineId, UserId};

/// What is kept for a person, and for how long: 90 days.
const MOST_NOTIFICATIONS: i64 = 500;
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;

struct Told {
    owner: UserId,
    name: String,
    last_line: String,
    is_muted: bool,
}

impl FromRow for Told {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            owner: row.get("user_id")?,
            name: row.get("name")?,
            last_line: row.get::<Option<String>>("last_line")?.unwrap_or_default(),
            is_muted: row.get::<Option<i64>>("muted")?.is_some(),
        })
    }
}

/// What became of something that a person may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    Sent,
    /// It came in their quiet hours.
    Kept,
    /// They look at the agent.
    Seen,
    /// They want to hear nothing of it.
    Unwanted,
}

impl Notifications<'_> {
    pub(crate) async fn note(
        self,
        tx: &mut Transaction,
        agent: &AgentId,
        conversation: Option<&ConversationId>,
        news: News<'_>,
    ) -> Result<Noted> {
        let Some(kind) = news.kind() else { return Ok(Noted::Unwanted) };
        let told: Told = query(
            "SELECT a.user_id, a.name, a.last_line,
                 (SELECT 1 FROM muted_agents m WHERE m.agent_id = a.id) AS muted
             FROM agents a WHERE a.id = $1",
            (agent,),
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or(Error::NotFound("agent"))?;
        let is_seen = news.pipeline().is_none() && self.hub.live().is_looked_at(&told.owner, agent);
        if is_seen {
            return Ok(Noted::Seen);
        }
        let settings = settings_of(&mut **tx, &told.owner.0).await?;
        if told.is_muted || !settings.kinds.contains(&kind) {
            return Ok(Noted::Unwanted);
        }
        let now = self.hub.now();
        let quiet = settings.quiet.filter(|quiet| !(quiet.but_waiting && kind.waits()));
        let quiet_until = quiet.and_then(|quiet| Quiet::of(&quiet).ok()?.end_of(now));
        let id = NotificationId(new_id());
        let title = news.title(&told.name);
        query(
            "INSERT INTO notifications (id, user_id, agent_id, conversation_id, kind, title, body,
                                        approval_id, at, quiet, expires_at, answerable, pipeline_id,
                                        task)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            (
                &id,
                &told.owner,
                agent,
                conversation,
                kind,
                &title,
                news.body(&told.last_line),
                news.approval(),
                now,
                i64::from(quiet_until.is_some()),
                news.expires_at(),
                news.answerable(&title).number(),
                news.pipeline(),
                news.task(),
            ),
        )
        .execute(&mut **tx)
        .await?;
        queue(tx, &id, &told.owner, kind, (now, quiet_until)).await?;
        forget_old(tx, &told.owner, now).await?;
        Ok(if quiet_until.is_some() { Noted::Kept } else { Noted::Sent })
    }

    /// The person looks at the agent now, and sees what they were told of.
    pub(crate) async fn were_seen(self, agent: &AgentId) -> Result<()> {
        let is_any = query(
            "SELECT 1 FROM notifications WHERE agent_id = $1 AND pipeline_id IS NULL AND read_at IS NULL",
            (agent,),
        )
        .exists(self.hub.store().read())
        .await?;
        if !is_any {
            return Ok(());
        }
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE notifications SET read_at = $2 WHERE agent_id = $1 AND pipeline_id IS NULL AND read_at IS NULL",
            (agent, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.hub.live().changed_beside_the_log(agent);
        Ok(())
    }
}

/// Nobody waits for an answer to this question any more.
pub(crate) async fn is_settled(tx: &mut Transaction, approval: &ApprovalId, now: i64) -> Result<()> {
    query(
        "UPDATE notifications SET read_at = $2 WHERE approval_id = $1 AND read_at IS NULL",
        (approval, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A task of this pipeline was answered, or waits no more.
pub(crate) async fn pipeline_is_answered(
    tx: &mut Transaction,
    pipeline: &PipelineId,
    now: i64,
) -> Result<()> {
    query(
        "UPDATE notifications SET read_at = $2 WHERE pipeline_id = $1 AND kind = 'question' AND read_at IS NULL",
        (pipeline, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn forget_old(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    query(
        "DELETE FROM notifications WHERE user_id = $1 AND (at <= $2 OR id <=
             (SELECT n.id FROM notifications n WHERE n.user_id = $1 ORDER BY n.id DESC LIMIT 1 OFFSET $3))",
        (owner, now - KEPT_MS, MOST_NOTIFICATIONS),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
