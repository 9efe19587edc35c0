//! Packing conversations that nobody has used for long, as their person or an administrator says. What is packed is
//! whole, and comes back as it was when somebody opens it or speaks in it.

use super::{Conversations, OwnConversations};
use crate::Hub;
use crate::access::Admin;
use crate::accounts;
use crate::agents;
use crate::audit::AuditEvent;
use crate::clock::Moment;
use crate::error::{Error, Result};
use crate::log::packed::{self, Piece};
use crate::marks;
use crate::store::query;
use protocol::view::{AuditAction, PackedConversations};
use protocol::{AgentId, ConversationId, UserId};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place among the settings of the hub of what an administrator says for all.
const SETTING: &str = "conversations_packed_days";
/// After how many days without use conversations may be packed.
const DAYS: RangeInclusive<u32> = 7..=3650;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How often it is looked for what is old.
const LOOKS_MS: i64 = 60 * 60 * 1000;
/// When it looks again after one that failed.
const AGAIN_MS: i64 = 60 * 1000;
/// Conversations of a person that are packed at a look.
const AT_A_LOOK: i64 = 200;

/// Of the conversation `c`: nobody has used it since `$2`, whatever branch of it, nor brought it here or unpacked it, and
/// others that have a part of it are packed. Nothing in it is under way or waits for somebody, and it is neither the one
/// that its agent goes on with nor pinned, shared or rated.
const AT_REST: &str =
    "c.created_at < $2 AND c.used_at < $2 AND COALESCE(c.brought_at, 0) < $2 AND c.deleted_at IS NULL
     AND c.temporary = 0 AND c.pinned_at IS NULL
     AND (c.unpacked_at IS NULL OR (c.unpacked_at > 0 AND c.unpacked_at < $2))
     AND c.place < (SELECT MAX(l.place) FROM conversations l
                    WHERE l.agent_id = c.agent_id AND l.temporary = 0 AND l.archived_at IS NULL
                      AND l.deleted_at IS NULL)
     AND EXISTS (SELECT 1 FROM entries e WHERE e.conversation_id = c.id)
     AND NOT EXISTS (
         SELECT 1 FROM conversations o WHERE o.family = c.family AND (
             o.used_at >= $2 OR o.brought_at >= $2 OR o.pinned_at IS NOT NULL OR o.temporary = 1
             OR EXISTS (SELECT 1 FROM runs r WHERE r.conversation_id = o.id AND r.running = 1)
             OR EXISTS (SELECT 1 FROM conversation_shares s WHERE s.conversation_id = o.id)))
     AND NOT EXISTS (
         SELECT 1 FROM conversation_segments g JOIN conversations k ON k.id = g.conversation_id
         WHERE g.source_id = c.id AND (
             k.used_at >= $2 OR k.brought_at >= $2
             OR EXISTS (SELECT 1 FROM entries h WHERE h.conversation_id = k.id)
             OR EXISTS (SELECT 1 FROM conversation_shares s WHERE s.conversation_id = k.id)))
     AND NOT EXISTS (SELECT 1 FROM ratings t WHERE t.conversation_id = c.id)
     AND NOT EXISTS (SELECT 1 FROM unread_messages u
                     WHERE u.agent_id = c.agent_id AND u.conversation_id = c.id)
     AND NOT EXISTS (SELECT 1 FROM approvals w
                     WHERE w.agent_id = c.agent_id AND w.conversation_id = c.id AND w.settled_at IS NULL)";

/// When this process looks next, and for whom it does so at the moment because they said when.
#[derive(Debug)]
pub(crate) struct PackingInMemory {
    next_look: AtomicI64,
    /// With whether they said so once more meanwhile.
    looks: Mutex<BTreeMap<UserId, bool>>,
}

impl Default for PackingInMemory {
    fn default() -> Self {
        Self { next_look: AtomicI64::new(i64::MIN), looks: Mutex::default() }
    }
}

impl PackingInMemory {
    /// `false`: somebody does so for them, and will once more.
    fn begins(&self, person: &UserId) -> bool {
        let mut looks = self.looks();
        if let Some(again) = looks.get_mut(person) {
            *again = true;
            return false;
        }
        looks.insert(person.clone(), false);
        true
    }

    /// Whether it is to be done once more.
    fn goes_on(&self, person: &UserId) -> bool {
        let mut looks = self.looks();
        let goes_on = looks.get_mut(person).is_some_and(std::mem::take);
        if !goes_on {
            looks.remove(person);
        }
        goes_on
    }

    fn looks(&self) -> MutexGuard<'_, BTreeMap<UserId, bool>> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnConversations<'_> {
    /// What of the viewer's is packed, and when.
    pub async fn packed(self) -> Result<PackedConversations> {
        let hub = self.scoped.hub;
        let days: Option<u32> =
            query("SELECT conversations_packed_days FROM users WHERE id = $1", (self.scoped.owner(),))
                .fetch_one(hub.store().read())
                .await?;
        let (conversations, bytes, stored): (u64, u64, u64) = query(
            "SELECT COUNT(*), CAST(COALESCE(SUM(p.bytes), 0) AS BIGINT),
                    CAST(COALESCE(SUM(OCTET_LENGTH(p.piece)), 0) AS BIGINT)
             FROM agents a JOIN packed_conversations p ON p.agent_id = a.id WHERE a.user_id = $1",
            (self.scoped.owner(),),
        )
        .fetch_one(hub.store().read())
        .await?;
        let usual = hub.conversations().packed_days().await?;
        Ok(PackedConversations { days, usual, conversations, bytes, stored })
    }

    /// From now on those are packed that nobody used for so many days; 0: none. `None`: as an administrator says.
    pub async fn pack_after(self, days: Option<u32>) -> Result<()> {
        check(days.filter(|days| *days > 0))?;
        let object = match days {
            None => "packed as usual".to_owned(),
            Some(0) => "never packed".to_owned(),
            Some(days) => format!("packed after {days} days"),
        };
        let line = AuditEvent::done(AuditAction::RetentionSet, self.scoped.viewer).object(&object);
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            "UPDATE users SET conversations_packed_days = $2 WHERE id = $1",
            (self.scoped.owner(), days.map(i64::from)),
        )
        .execute(&mut *tx)
        .await?;
        self.scoped.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.scoped.hub.conversations().pack_own_old(&self.scoped.viewer.me.id);
        Ok(())
    }
}

impl Hub {
    /// Opens all that is packed, and says in words how it is.
    pub async fn examine_packed(&self) -> Result<String> {
        let all: Vec<ConversationId> = query("SELECT conversation_id FROM packed_conversations", ())
            .fetch_all(self.store().read())
            .await?;
        let mut damaged = 0;
        for conversation in &all {
            match packed::read(self.store(), conversation).await {
                Ok(_) => {}
                Err(error) if error.is_database_away() => return Err(error),
                Err(_) => damaged += 1,
            }
        }
        if damaged > 0 {
            return Err(Error::Conflict(format!(
                "{damaged} packed conversations are damaged. Put a backup in the place of the database."
            )));
        }
        Ok(format!("{} packed conversations, and all of them open", all.len()))
    }
}

/// The conversations of everybody, as administrators say.
#[derive(Clone, Copy, Debug)]
pub struct ConversationsOfAll<'a> {
    admin: Admin<'a>,
}

impl<'a> Admin<'a> {
    pub fn conversations(&self) -> ConversationsOfAll<'a> {
        ConversationsOfAll { admin: *self }
    }
}

impl ConversationsOfAll<'_> {
    /// After how many days without use conversations are packed whose people say nothing else. `None`: never.
    pub async fn packed_days(self) -> Result<Option<u32>> {
        self.admin.hub.conversations().packed_days().await
    }

    pub async fn pack_after(self, days: Option<u32>) -> Result<()> {
        check(days)?;
        let hub = self.admin.hub;
        let object = match days {
            Some(days) => format!("packed after {days} days"),
            None => "never packed".to_owned(),
        };
        let said = days.map(|days| days.to_string()).unwrap_or_default();
        let mut tx = hub.store().write().await?;
        accounts::put_setting(&mut tx, SETTING, &said).await?;
        let line = AuditEvent::done(AuditAction::RetentionSet, self.admin.viewer);
        hub.audit().note(&mut tx, line.about_nobody().object(&object)).await?;
        tx.commit().await?;
        hub.packing_in_memory().next_look.store(i64::MIN, Ordering::Relaxed);
        hub.conversations().pack_old();
        Ok(())
    }
}

impl Conversations<'_> {
    async fn packed_days(self) -> Result<Option<u32>> {
        let said: Option<String> = query("SELECT value FROM settings WHERE key = $1", (SETTING,))
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(said.and_then(|said| said.parse().ok()))
    }

    /// Does so for this person, who has just said when; one look at a time, however often they say so.
    fn pack_own_old(self, person: &UserId) {
        if !self.hub.packing_in_memory().begins(person) {
            return;
        }
        let (hub, person) = (self.hub.clone(), person.clone());
        self.hub.tasks().spawn(async move {
            loop {
                if let Err(error) = hub.conversations().pack_old_of_one(&person, hub.now()).await {
                    warn_of(&person, &error);
                }
                if !hub.packing_in_memory().goes_on(&person) {
                    break;
                }
            }
        });
    }

    async fn pack_old_of_one(self, person: &UserId, now: i64) -> Result<()> {
        let usual = self.packed_days().await?.unwrap_or(0);
        let days: i64 = query(
            "SELECT COALESCE(conversations_packed_days, CAST($2 AS BIGINT)) FROM users WHERE id = $1",
            (person, usual),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        if days > 0 { self.pack_old_of(person, now - days * DAY_MS, now).await } else { Ok(()) }
    }

    /// Does so once an hour, and when an administrator said when; on a task of its own, since there may be much.
    pub(crate) fn pack_old(self) {
        let Moment(moment) = self.hub.clock().moment();
        let next_look = &self.hub.packing_in_memory().next_look;
        if moment < next_look.load(Ordering::Relaxed) {
            return;
        }
        // What is said meanwhile has it looked at once more.
        next_look.store(moment + LOOKS_MS, Ordering::Relaxed);
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            if let Err(error) = hub.conversations().pack_all_old(hub.now()).await {
                tracing::warn!(error = ?error, "conversations wait to be packed");
                hub.packing_in_memory().next_look.store(moment + AGAIN_MS, Ordering::Relaxed);
            }
        });
    }

    async fn pack_all_old(self, now: i64) -> Result<()> {
        self.note_unpacked(now).await?;
        let usual = self.packed_days().await?.unwrap_or(0);
        let people: Vec<(UserId, i64)> = query(
            "SELECT id, COALESCE(conversations_packed_days, CAST($1 AS BIGINT)) FROM users
             WHERE role <> 'removed' AND COALESCE(conversations_packed_days, CAST($1 AS BIGINT)) > 0",
            (usual,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for (person, days) in people {
            match self.pack_old_of(&person, now - days * DAY_MS, now).await {
                Err(error) if error.is_database_away() => return Err(error),
                // Nobody else waits for it.
                Err(error) => warn_of(&person, &error),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Whoever unpacks one has no clock. Its agent is locked first, as by everybody who writes what is the agent's, so
    /// that nobody waits for the other.
    async fn note_unpacked(self, now: i64) -> Result<()> {
        let store = self.hub.store();
        let unpacked: Vec<AgentId> =
            query("SELECT DISTINCT agent_id FROM conversations WHERE unpacked_at = 0", ())
                .fetch_all(store.read())
                .await?;
        for agent in &unpacked {
            let mut tx = store.write_uncached().await?;
            agents::lock(&mut tx, agent).await?;
            query(
                "UPDATE conversations SET unpacked_at = $2 WHERE agent_id = $1 AND unpacked_at = 0",
                (agent, now),
            )
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
        }
        Ok(())
    }

    async fn pack_old_of(self, person: &UserId, before: i64, now: i64) -> Result<()> {
        let old: Vec<(ConversationId, AgentId)> = query(
            [
                "SELECT c.id, c.agent_id FROM agents a JOIN conversations c ON c.agent_id = a.id
                 WHERE a.user_id = $1 AND",
                AT_REST,
                "ORDER BY c.used_at LIMIT $3",
            ],
            (person, before, AT_A_LOOK),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        // What is packed is found by the words that were read of it before.
        if old.is_empty() || !self.hub.read_words(person).await? {
            return Ok(());
        }
        for (conversation, agent) in old {
            if self.hub.tasks().is_closing() {
                break;
            }
            self.pack(&conversation, &agent, before, now).await?;
        }
        Ok(())
    }

    async fn pack(self, conversation: &ConversationId, agent: &AgentId, before: i64, now: i64) -> Result<()> {
        let piece = Piece::of(self.hub.store(), conversation).await?;
        let mut tx = self.hub.store().write_uncached().await?;
        agents::lock(&mut tx, agent).await?;
        let Some(piece) = piece else {
            // It has too much, and is looked at again as if it had been unpacked now.
            query("UPDATE conversations SET unpacked_at = $2 WHERE id = $1", (conversation, now))
                .execute(&mut *tx)
                .await?;
            return tx.commit().await;
        };
        // It may have been used in between.
        let is_at_rest =
            query(["SELECT 1 FROM conversations c WHERE c.id = $1 AND", AT_REST], (conversation, before))
                .exists(&mut *tx)
                .await?;
        // Whoever reads the log for its words at this moment is before or after this.
        let was_read = query(
            "UPDATE search_progress SET seq = seq WHERE agent_id = $1 AND seq >= $2",
            (agent, piece.last),
        )
        .execute(&mut *tx)
        .await?;
        if !is_at_rest || was_read == 0 {
            return tx.rollback().await;
        }
        let marks = marks::of_alone(&mut tx, agent).await?;
        match piece.put(&mut tx, agent, conversation, marks, now).await? {
            true => tx.commit().await,
            false => tx.rollback().await,
        }
    }
}

fn warn_of(person: &UserId, error: &Error) {
    tracing::warn!(user.id = %person, error = ?error, "conversations of {person} wait to be packed");
}

fn check(days: Option<u32>) -> Result<()> {
    if days.is_none_or(|days| DAYS.contains(&days)) {
        return Ok(());
    }
    let (least, most) = (DAYS.start(), DAYS.end());
    Err(Error::Invalid(format!(
        "Conversations are packed after {least} to {most} days without use, or never."
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_so_again_and_again_has_it_looked_at_once_more_and_not_at_the_same_time() {
        let packing = PackingInMemory::default();
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        assert!(packing.begins(&ada) && packing.begins(&eve));
        assert!(!packing.begins(&ada) && !packing.begins(&ada));
        assert!(packing.goes_on(&ada) && !packing.goes_on(&eve));
        assert!(!packing.goes_on(&ada));
        assert!(packing.begins(&ada));
    }
}
