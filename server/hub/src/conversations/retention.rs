//! Letting go of what is old: conversations that nobody used for as long as their person keeps them, and for good
//! those that were deleted long ago.

use super::changes::{delete_family, keep_one, kept_deleted_since, remove_old};
use super::{Conversations, OwnConversations};
use crate::agents;
use crate::audit::AuditEvent;
use crate::clock::Moment;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::AuditAction;
use protocol::{AgentId, ConversationId, UserId};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI64, Ordering};

/// For how many days conversations may be kept that nobody uses.
const DAYS: RangeInclusive<u32> = 7..=3650;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How often it is looked for what is old.
const LOOKS_MS: i64 = 60 * 60 * 1000;
/// When it looks again after one that failed.
const AGAIN_MS: i64 = 60 * 1000;
/// Conversations of a person that are deleted at a look.
const AT_A_LOOK: i64 = 500;

/// Of the conversation `c`: something was said in it, and nobody has used it since `$2` nor brought it here, whatever
/// branch of it. Its agent is not at work in it, and nobody keeps it or reads it.
const UNUSED: &str = "c.created_at < $2 AND c.used_at < $2 AND c.deleted_at IS NULL AND c.temporary = 0
     AND (EXISTS (SELECT 1 FROM entries e WHERE e.conversation_id = c.id)
          OR EXISTS (SELECT 1 FROM packed_conversations p WHERE p.conversation_id = c.id))
     AND NOT EXISTS (
         SELECT 1 FROM conversations o WHERE o.family = c.family AND (
             o.used_at >= $2 OR o.brought_at >= $2 OR o.pinned_at IS NOT NULL OR o.archived_at IS NOT NULL
             OR EXISTS (SELECT 1 FROM runs r WHERE r.conversation_id = o.id AND r.running = 1)
             OR EXISTS (SELECT 1 FROM conversation_shares s WHERE s.conversation_id = o.id)))";

/// What this process has let go of.
#[derive(Debug)]
pub(crate) struct InMemory {
    /// When it looks next: a [`Moment`].
    next_look: AtomicI64,
    /// What was deleted before this, in Unix milliseconds, was looked at.
    removed_until: AtomicI64,
}

impl Default for InMemory {
    fn default() -> Self {
        Self { next_look: AtomicI64::new(i64::MIN), removed_until: AtomicI64::new(i64::MIN) }
    }
}

impl OwnConversations<'_> {
    /// After how many days without use the viewer's conversations are deleted; `None`: never.
    pub async fn kept_days(self) -> Result<Option<u32>> {
        let days: Option<i64> =
            query("SELECT conversations_kept_days FROM users WHERE id = $1", (self.scoped.owner(),))
                .fetch_one(self.scoped.hub.store().read())
                .await?;
        Ok(days.and_then(|days| u32::try_from(days).ok()))
    }

    /// From now on those are deleted, and can be brought back for a while, that nobody used for so many days. What is
    /// pinned, archived or shared with somebody stays.
    pub async fn keep_for(self, days: Option<u32>) -> Result<()> {
        if days.is_some_and(|days| !DAYS.contains(&days)) {
            let (least, most) = (DAYS.start(), DAYS.end());
            return Err(Error::Invalid(format!(
                "Conversations are kept for {least} to {most} days, or for ever."
            )));
        }
        let line = AuditEvent::done(AuditAction::RetentionSet, self.scoped.viewer);
        let line = match days {
            Some(days) => line.object(&format!("{days} days")),
            None => line,
        };
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            "UPDATE users SET conversations_kept_days = $2 WHERE id = $1",
            (self.scoped.owner(), days.map(i64::from)),
        )
        .execute(&mut *tx)
        .await?;
        self.scoped.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.scoped.hub.conversations_in_memory().next_look.store(i64::MIN, Ordering::Relaxed);
        Ok(())
    }
}

impl Conversations<'_> {
    /// Does so once an hour, and soon after somebody said for how long; on a task of its own, since there may be much.
    pub(crate) fn let_go_of_old(self) {
        let Moment(moment) = self.hub.clock().moment();
        let next_look = &self.hub.conversations_in_memory().next_look;
        if moment < next_look.load(Ordering::Relaxed) {
            return;
        }
        // Whoever says something meanwhile has it looked at once more.
        next_look.store(moment + LOOKS_MS, Ordering::Relaxed);
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let conversations = hub.conversations();
            let now = hub.now();
            let done = conversations.delete_unused(now).await.and(conversations.remove_deleted(now).await);
            if let Err(error) = done {
                tracing::warn!(error = ?error, "old conversations wait for the database");
                let again = moment + AGAIN_MS;
                hub.conversations_in_memory().next_look.store(again, Ordering::Relaxed);
            }
        });
    }

    async fn delete_unused(self, now: i64) -> Result<()> {
        let people: Vec<(UserId, i64)> = query(
            "SELECT id, conversations_kept_days FROM users WHERE conversations_kept_days IS NOT NULL",
            (),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for (person, days) in people {
            let before = now - days * DAY_MS;
            for (conversation, agent) in self.unused(&person, before).await? {
                match self.delete_one_unused(&conversation, &agent, before, now).await {
                    Err(error) if error.is_database_away() => return Err(error),
                    // Nothing else waits for it.
                    Err(error) => tracing::warn!(
                        user.id = %person, conversation.id = %conversation, error = ?error,
                        "conversation {conversation} is old and cannot be deleted"
                    ),
                    Ok(()) => {}
                }
            }
        }
        Ok(())
    }

    async fn unused(self, person: &UserId, before: i64) -> Result<Vec<(ConversationId, AgentId)>> {
        query(
            [
                "SELECT c.id, c.agent_id FROM agents a JOIN conversations c ON c.agent_id = a.id
                 WHERE a.user_id = $1 AND",
                UNUSED,
                "LIMIT $3",
            ],
            (person, before, AT_A_LOOK),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    async fn delete_one_unused(
        self,
        id: &ConversationId,
        agent: &AgentId,
        before: i64,
        now: i64,
    ) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        agents::lock(&mut tx, agent).await?;
        // It may be in use since, or was deleted with another branch of it.
        let is_unused = query(["SELECT 1 FROM conversations c WHERE c.id = $1 AND", UNUSED], (id, before))
            .exists(&mut *tx)
            .await?;
        if !is_unused {
            return tx.rollback().await;
        }
        delete_family(&mut tx, id, now).await?;
        keep_one(&mut tx, agent, now).await?;
        tx.commit().await?;
        self.hub.live().changed_beside_the_log(agent);
        Ok(())
    }

    /// Removes for good what was deleted so long ago that nobody brings it back.
    async fn remove_deleted(self, now: i64) -> Result<()> {
        let removed_until = &self.hub.conversations_in_memory().removed_until;
        let since = kept_deleted_since(now);
        let old: Vec<AgentId> = query(
            "SELECT DISTINCT agent_id FROM conversations WHERE deleted_at >= $1 AND deleted_at < $2",
            (removed_until.load(Ordering::Relaxed), since),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for agent in old {
            let mut tx = self.hub.store().write().await?;
            agents::lock(&mut tx, &agent).await?;
            remove_old(&mut tx, &agent, now).await?;
            tx.commit().await?;
        }
        removed_until.store(since, Ordering::Relaxed);
        Ok(())
    }
}
