//! Who may read a conversation: its owner says so, and takes it back.

use crate::agents;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::shares::Shares;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::{AuditAction, ConversationShare, ConversationShares, ConversationView};
use protocol::{ConversationId, ShareId, UserId};

/// Most readers of a conversation.
const MAX_READERS: i64 = 20;

/// One that is taken back.
struct Ended {
    id: ShareId,
    agent_name: String,
    owner: UserId,
    owner_name: String,
    reader: UserId,
    reader_name: String,
}

/// Shares `s` with what is said of them when they end.
const ENDED: &str = "SELECT s.id, a.name AS agent_name, o.id AS owner, o.name AS owner_name,
                            r.id AS reader, r.name AS reader_name
                     FROM conversation_shares s JOIN conversations c ON c.id = s.conversation_id
                     JOIN agents a ON a.id = c.agent_id JOIN users o ON o.id = a.user_id
                     JOIN users r ON r.id = s.reader_id";

impl Shares<'_> {
    /// Who may read this conversation of the viewer's.
    pub async fn of(self, conversation: &ConversationId) -> Result<ConversationShares> {
        let conversation = self.own(conversation).await?;
        let shares: Vec<ConversationShare> = query(
            "SELECT s.id, u.name AS reader, s.shared_at
             FROM conversation_shares s JOIN users u ON u.id = s.reader_id
             JOIN conversations c ON c.id = s.conversation_id JOIN agents a ON a.id = c.agent_id
             WHERE s.conversation_id = $1 AND a.user_id = $2 ORDER BY s.shared_at, s.id",
            (&conversation.id, self.scoped.owner()),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let agent_name = self.scoped.agents().get(&conversation.agent).await?.name;
        Ok(ConversationShares { conversation, agent_name, shares })
    }

    /// Lets the person of this name read it, from now on until that is taken back.
    pub async fn give(self, conversation: &ConversationId, name: &str) -> Result<()> {
        let ConversationView { id, agent, .. } = self.own(conversation).await?;
        let agent_name = self.scoped.agents().get(&agent).await?.name;
        let reader = self.scoped.account().person_named(name).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        agents::lock(&mut tx, &agent).await?;
        let others: i64 = query(
            "SELECT COUNT(*) FROM conversation_shares WHERE conversation_id = $1 AND reader_id <> $2",
            (&id, &reader.id),
        )
        .fetch_one(&mut *tx)
        .await?;
        if others >= MAX_READERS {
            return Err(Error::Limit(format!(
                "A conversation has at most {MAX_READERS} readers. Take it back from somebody first."
            )));
        }
        let given = query(
            "INSERT INTO conversation_shares (id, conversation_id, reader_id, shared_at)
             SELECT $1, c.id, $3, CAST($4 AS BIGINT) FROM conversations c JOIN agents a ON a.id = c.agent_id
             WHERE c.id = $2 AND c.deleted_at IS NULL AND a.user_id = $5
             ON CONFLICT (conversation_id, reader_id) DO NOTHING",
            (ShareId(new_id()), &id, &reader.id, self.scoped.hub.now(), self.scoped.owner()),
        )
        .execute(&mut *tx)
        .await?;
        // They may read it already.
        if given > 0 {
            let line = AuditEvent::done(AuditAction::ConversationShared, self.scoped.viewer)
                .about(&reader.id.0, &reader.name)
                .object(&agent_name);
            self.scoped.hub.audit().note(&mut tx, line).await?;
        }
        tx.commit().await
    }

    /// Takes it back; a reader can put away what is shown to them, too.
    pub async fn end(self, id: &ShareId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let ended: Ended = query(
            [ENDED, "WHERE s.id = $1 AND (a.user_id = $2 OR s.reader_id = $2)"],
            (id, self.scoped.owner()),
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(no_share)?;
        if !self.remove(&mut tx, &ended).await? {
            return Err(no_share());
        }
        tx.commit().await
    }

    /// Nobody reads a conversation of this family any more. It comes last in a transaction, as lines of the audit do.
    pub(crate) async fn end_of_family(
        self,
        tx: &mut Transaction,
        conversation: &ConversationId,
    ) -> Result<()> {
        let ended: Vec<Ended> = query(
            [
                ENDED,
                "WHERE a.user_id = $2 AND c.family = (SELECT f.family FROM conversations f WHERE f.id = $1)",
            ],
            (conversation, self.scoped.owner()),
        )
        .fetch_all(&mut **tx)
        .await?;
        for ended in &ended {
            self.remove(tx, ended).await?;
        }
        Ok(())
    }

    /// Whether it was there. What is written down concerns the other of the two.
    async fn remove(self, tx: &mut Transaction, ended: &Ended) -> Result<bool> {
        let removed = query(
            "DELETE FROM conversation_shares WHERE id = $1 AND reader_id = $2",
            (&ended.id, &ended.reader),
        )
        .execute(&mut **tx)
        .await?;
        if removed == 0 {
            return Ok(false);
        }
        let (other, name) = if ended.reader == self.scoped.viewer.me.id {
            (&ended.owner, &ended.owner_name)
        } else {
            (&ended.reader, &ended.reader_name)
        };
        let line = AuditEvent::done(AuditAction::ConversationUnshared, self.scoped.viewer)
            .about(&other.0, name)
            .object(&ended.agent_name);
        self.scoped.hub.audit().note(tx, line).await?;
        Ok(true)
    }

    /// One of the viewer's that is not deleted.
    async fn own(self, conversation: &ConversationId) -> Result<ConversationView> {
        let own = self.scoped.conversations().get(conversation).await?;
        if own.deleted { Err(Error::NotFound("conversation")) } else { Ok(own) }
    }
}

impl FromRow for ConversationShare {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { id: row.get("id")?, reader: row.get("reader")?, shared_at: row.get("shared_at")? })
    }
}

impl FromRow for Ended {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            agent_name: row.get("agent_name")?,
            owner: row.get("owner")?,
            owner_name: row.get("owner_name")?,
            reader: row.get("reader")?,
            reader_name: row.get("reader_name")?,
        })
    }
}

fn no_share() -> Error {
    Error::NotFound("shared conversation")
}
