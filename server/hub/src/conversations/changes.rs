//! Beginning conversations, naming them and putting them away. What is deleted can be brought back for a while.

use super::temporary::give_up_old;
use super::title;
use crate::agents::{self, check_model};
use crate::clock::new_id;
use crate::conversations::{CURRENT, OwnConversations};
use crate::error::{Error, Result};
use crate::log::{Appending, packed};
use crate::store::{Transaction, query};
use protocol::view::ConversationView;
use protocol::{AgentId, ConversationId};

/// Most conversations of an agent, branches and deleted ones that can be brought back among them.
const MAX_CONVERSATIONS: i64 = 5_000;
/// For how long a deleted conversation can be brought back, in milliseconds: 30 days.
const KEPT_DELETED_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// Of the conversation `$1` and the branches that stand in the list as one with it.
pub(super) const OF_FAMILY: &str = "WHERE family = (SELECT c.family FROM conversations c WHERE c.id = $1)";
/// Of entries `e` of the agent `$1`: those of conversations deleted before `$2` that no other one has.
const IS_OLD: &str =
    "e.conversation_id IN (SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at < $2)
    AND NOT EXISTS (
        SELECT 1 FROM conversation_segments s JOIN conversations k ON k.id = s.conversation_id
        WHERE s.source_id = e.conversation_id AND s.end_seq > e.seq
          AND (k.deleted_at IS NULL OR k.deleted_at >= $2))";

/// Of packed conversations `p` of the agent `$1`, which are damaged: the same.
const PIECE_IS_OLD: &str =
    "p.conversation_id IN (SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at < $2)
    AND NOT EXISTS (
        SELECT 1 FROM conversation_segments s JOIN conversations k ON k.id = s.conversation_id
        WHERE s.source_id = p.conversation_id AND (k.deleted_at IS NULL OR k.deleted_at >= $2))";

impl OwnConversations<'_> {
    /// Begins a conversation, which is the one used last from then on. If nothing was said in that yet, it is
    /// that one.
    pub async fn create(self, agent: &AgentId) -> Result<ConversationView> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let current = self.scoped.hub.conversations().current(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        if is_empty(&mut tx, &current).await? {
            tx.rollback().await?;
            return self.get(&current).await;
        }
        require_room(&mut tx, agent).await?;
        let id = insert(&mut tx, agent, self.scoped.hub.now()).await?;
        remove_old(&mut tx, agent, self.scoped.hub.now()).await?;
        tx.commit().await?;
        self.get(&id).await
    }

    pub async fn rename(self, id: &ConversationId, name: &str) -> Result<()> {
        let name = title::checked(name)?;
        let agent = self.get(id).await?.agent;
        let mut tx = self.scoped.hub.store().write().await?;
        query(["UPDATE conversations SET title = $2, titled_by = 'person'", OF_FAMILY], (id, name))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&agent);
        Ok(())
    }

    /// Holds it with this model of the agent's provider from the next run on; without a name with the agent's own.
    /// Other branches keep theirs.
    pub async fn set_model(self, id: &ConversationId, model: &str) -> Result<()> {
        let model = check_model(model)?;
        let agent = self.get(id).await?.agent;
        let mut tx = self.scoped.hub.store().write().await?;
        query("UPDATE conversations SET model = $2 WHERE id = $1", (id, model)).execute(&mut *tx).await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&agent);
        Ok(())
    }

    /// Keeps it at the top of the list, or no longer. That is a use of it, like [`Self::archive`] and [`Self::restore`]:
    /// it is not deleted soon for having been left alone before.
    pub async fn pin(self, id: &ConversationId, pinned: bool) -> Result<()> {
        let agent = self.get(id).await?.agent;
        let now = self.scoped.hub.now();
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            ["UPDATE conversations SET pinned_at = $2, used_at = $3", OF_FAMILY],
            (id, pinned.then_some(now), now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&agent);
        Ok(())
    }

    /// Puts it out of the list, or back. Whoever says something in it brings it back too. One in which nothing was
    /// said stays: the next one to be begun would only be another such.
    pub async fn archive(self, id: &ConversationId, archived: bool) -> Result<()> {
        let of = self.get(id).await?;
        let now = self.scoped.hub.now();
        let mut tx = self.scoped.hub.store().write().await?;
        if archived && is_empty(&mut tx, id).await? {
            tx.rollback().await?;
            return Err(Error::Conflict("Nothing was said in this conversation yet.".to_owned()));
        }
        query(
            ["UPDATE conversations SET archived_at = $2, used_at = $3", OF_FAMILY],
            (id, archived.then_some(now), now),
        )
        .execute(&mut *tx)
        .await?;
        keep_one(&mut tx, &of.agent, now).await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&of.agent);
        Ok(())
    }

    /// Deletes it. A run in it is stopped first, with what runs before it left at work, and nobody else reads it any more.
    /// For 30 days it can be brought back, unless nothing was said in it, or it is temporary: then it is gone.
    pub async fn delete(self, id: &ConversationId) -> Result<()> {
        let of = self.get(id).await?;
        if self.has_run(id).await? {
            self.scoped.hub.running().stop(self.scoped.hub, &of.agent).await?;
        }
        self.scoped.hub.running().stop_left_in(self.scoped.hub, id).await?;
        let now = self.scoped.hub.now();
        let mut tx = self.scoped.hub.store().write().await?;
        agents::lock(&mut tx, &of.agent).await?;
        if is_empty(&mut tx, id).await? {
            query("DELETE FROM conversations WHERE id = $1", (id,)).execute(&mut *tx).await?;
        } else {
            delete_family(&mut tx, id, now).await?;
        }
        keep_one(&mut tx, &of.agent, now).await?;
        remove_old(&mut tx, &of.agent, now).await?;
        self.scoped.shares().end_of_family(&mut tx, id).await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&of.agent);
        // A message that waited may have started one in between.
        if self.has_run(id).await? {
            self.scoped.hub.running().stop(self.scoped.hub, &of.agent).await?;
        }
        Ok(())
    }

    /// Brings back what was deleted.
    pub async fn restore(self, id: &ConversationId) -> Result<()> {
        let agent = self.get(id).await?.agent;
        let now = self.scoped.hub.now();
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            [
                "UPDATE conversations SET deleted_at = NULL, archived_at = NULL, used_at = $3",
                OF_FAMILY,
                "AND deleted_at >= $2",
            ],
            (id, kept_deleted_since(now), now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&agent);
        Ok(())
    }

    async fn has_run(self, id: &ConversationId) -> Result<bool> {
        query(
            "SELECT 1 FROM runs r JOIN conversations o ON o.id = r.conversation_id
             JOIN conversations c ON c.family = o.family WHERE c.id = $1 AND r.running = 1",
            (id,),
        )
        .exists(self.scoped.hub.store().read())
        .await
    }
}

impl Appending {
    /// Somebody says this in the conversation: it is the one used last, is in the list again, and has a title.
    pub(crate) async fn use_conversation(&mut self, id: &ConversationId, text: &str) -> Result<()> {
        let now = self.now();
        query(["UPDATE conversations SET archived_at = NULL", OF_FAMILY], (id,))
            .execute(&mut *self.tx)
            .await?;
        let used = query(
            "UPDATE conversations SET used_at = $2,
                    place = (SELECT MAX(o.place) + 1 FROM conversations o
                             WHERE o.agent_id = conversations.agent_id),
                    title = CASE WHEN title = '' THEN $3 ELSE title END
             WHERE id = $1 AND deleted_at IS NULL",
            (id, now, title::of_message(text)),
        )
        .execute(&mut *self.tx)
        .await?;
        if used == 0 { Err(Error::NotFound("conversation")) } else { Ok(()) }
    }

    /// The agent goes on in it, by a schedule or again, and nobody said something to it: that is a use of it too, of which
    /// its place among the others says nothing.
    pub(crate) async fn note_use(&mut self, id: &ConversationId) -> Result<()> {
        let now = self.now();
        query("UPDATE conversations SET used_at = $2 WHERE id = $1 AND used_at < $2", (id, now))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    /// Begins one in which a program speaks. It stands behind all others until something is said in it.
    /// `told_memories`: memories stand in its first prompt.
    pub(crate) async fn insert_for_program(
        &mut self,
        agent: &AgentId,
        id: &ConversationId,
        told_memories: bool,
    ) -> Result<()> {
        require_room(&mut self.tx, agent).await?;
        let now = self.now();
        query(
            "INSERT INTO conversations (id, agent_id, created_at, used_at, place, family, memories_at)
             SELECT $1, $2, CAST($3 AS BIGINT), CAST($3 AS BIGINT), COALESCE(MIN(place), 0) - 1, $1,
                    CAST($4 AS BIGINT)
             FROM conversations WHERE agent_id = $2",
            (id, agent, now, told_memories.then_some(now)),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }

    /// A program says this in a conversation of its own, which comes behind the one that was used last: what others
    /// say goes on in that.
    pub(crate) async fn use_conversation_beside(
        &mut self,
        agent: &AgentId,
        id: &ConversationId,
        text: &str,
    ) -> Result<()> {
        let current: Option<ConversationId> = query(CURRENT, (agent,)).fetch_optional(&mut *self.tx).await?;
        self.use_conversation(id, text).await?;
        if let Some(current) = current.filter(|current| current != id) {
            query(
                "UPDATE conversations SET place = (SELECT MAX(o.place) + 1 FROM conversations o WHERE o.agent_id = $2)
                 WHERE id = $1",
                (&current, agent),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }
}

impl super::Conversations<'_> {
    /// Begins one in which another agent speaks.
    pub(crate) async fn insert(self, tx: &mut Transaction, agent: &AgentId) -> Result<ConversationId> {
        require_room(tx, agent).await?;
        insert(tx, agent, self.hub.now()).await
    }
}

/// Fails with [`Error::Limit`] where the agent has as many conversations as it may.
pub(super) async fn require_room(tx: &mut Transaction, agent: &AgentId) -> Result<()> {
    let count: i64 = query("SELECT COUNT(*) FROM conversations WHERE agent_id = $1", (agent,))
        .fetch_one(&mut **tx)
        .await?;
    if count < MAX_CONVERSATIONS {
        return Ok(());
    }
    Err(Error::Limit(format!(
        "The agent has {MAX_CONVERSATIONS} conversations. Delete some that you need no more; they go for good after 30 days."
    )))
}

pub(super) async fn insert(tx: &mut Transaction, agent: &AgentId, now: i64) -> Result<ConversationId> {
    let id = ConversationId(new_id());
    query(
        "INSERT INTO conversations (id, agent_id, created_at, used_at, place, family)
         SELECT $1, $2, CAST($3 AS BIGINT), CAST($3 AS BIGINT), COALESCE(MAX(place), 0) + 1, $1
         FROM conversations WHERE agent_id = $2",
        (&id, agent, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(id)
}

/// Whether nothing was said in it. A branch has what was said before it.
async fn is_empty(tx: &mut Transaction, id: &ConversationId) -> Result<bool> {
    let has_entries = query(
        "SELECT 1 FROM entries WHERE conversation_id = $1
         UNION ALL SELECT 1 FROM packed_conversations WHERE conversation_id = $1
         UNION ALL SELECT 1 FROM conversation_segments WHERE conversation_id = $1 LIMIT 1",
        (id,),
    )
    .exists(&mut **tx)
    .await?;
    Ok(!has_entries)
}

/// An agent has a conversation to go on with, whatever was put away.
pub(super) async fn keep_one(tx: &mut Transaction, agent: &AgentId, now: i64) -> Result<()> {
    let is_left = query(
        "SELECT 1 FROM conversations
         WHERE agent_id = $1 AND temporary = 0 AND archived_at IS NULL AND deleted_at IS NULL LIMIT 1",
        (agent,),
    )
    .exists(&mut **tx)
    .await?;
    if !is_left {
        insert(tx, agent, now).await?;
    }
    Ok(())
}

/// Deletes it and the branches that stand in the list as one with it, and what of them nobody has read yet. A temporary
/// one is to be removed at once. What was packed of them is unpacked, since what is removed is removed by its entries;
/// what is damaged stays packed, and goes as it is.
pub(super) async fn delete_family(tx: &mut Transaction, id: &ConversationId, now: i64) -> Result<()> {
    let packed: Vec<ConversationId> = query(
        "SELECT p.conversation_id FROM packed_conversations p
         JOIN conversations o ON o.id = p.conversation_id
         WHERE o.family = (SELECT c.family FROM conversations c WHERE c.id = $1)",
        (id,),
    )
    .fetch_all(&mut **tx)
    .await?;
    for branch in &packed {
        packed::unpack_sound(tx, branch).await?;
    }
    query(
        [
            "UPDATE conversations SET pinned_at = NULL,
                    deleted_at = CASE WHEN temporary = 1 THEN 0 ELSE CAST($2 AS BIGINT) END",
            OF_FAMILY,
        ],
        (id, now),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM unread_messages WHERE conversation_id IN (
             SELECT o.id FROM conversations o JOIN conversations c ON c.family = o.family WHERE c.id = $1)",
        (id,),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Removes for good what was deleted long ago, with all that was said in it and that no branch has kept.
pub(super) async fn remove_old(tx: &mut Transaction, agent: &AgentId, now: i64) -> Result<()> {
    give_up_old(tx, agent, now).await?;
    let since = kept_deleted_since(now);
    // Whoever reads the log for its words at this moment is before or after this.
    query("UPDATE search_progress SET seq = seq WHERE agent_id = $1", (agent,)).execute(&mut **tx).await?;
    query(
        [
            "UPDATE agents SET log_bytes = log_bytes - COALESCE((
                 SELECT CAST(SUM(OCTET_LENGTH(e.body)) AS BIGINT) FROM entries e WHERE",
            IS_OLD,
            "), 0) - COALESCE((
                 SELECT CAST(SUM(p.bytes) AS BIGINT) FROM packed_conversations p WHERE",
            PIECE_IS_OLD,
            "), 0) WHERE id = $1",
        ],
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    query(
        ["DELETE FROM search_documents AS d WHERE d.agent_id = $1 AND d.seq IN (SELECT e.seq FROM entries e WHERE", IS_OLD, ")"],
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    query(
        ["DELETE FROM search_documents AS d WHERE d.agent_id = $1 AND d.packed_in IN (SELECT p.conversation_id FROM packed_conversations p WHERE", PIECE_IS_OLD, ")"],
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    query(["DELETE FROM entries AS e WHERE", IS_OLD], (agent, since)).execute(&mut **tx).await?;
    query(["DELETE FROM packed_conversations AS p WHERE", PIECE_IS_OLD], (agent, since))
        .execute(&mut **tx)
        .await?;
    query(
        "DELETE FROM drafts WHERE conversation_id IN (
             SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at < $2)",
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM snapshots WHERE conversation_id IN (
             SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at < $2)",
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM runs WHERE conversation_id IN (
             SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at < $2)
           AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.run_id = runs.id)",
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM conversations WHERE agent_id = $1 AND deleted_at < $2
           AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.conversation_id = conversations.id)
           AND NOT EXISTS (SELECT 1 FROM packed_conversations p WHERE p.conversation_id = conversations.id)",
        (agent, since),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What was deleted before this is gone, in Unix milliseconds.
pub(super) fn kept_deleted_since(now: i64) -> i64 {
    now - KEPT_DELETED_MS
}
