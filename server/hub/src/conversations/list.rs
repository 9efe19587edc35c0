//! Which conversations an agent has.

use super::changes::kept_deleted_since;
use crate::conversations::OwnConversations;
use crate::error::{Error, Result};
use crate::log;
use crate::store::{FromRow, Row, query};
use protocol::view::{ConversationFilter, ConversationList, ConversationView, NamedConversation};
use protocol::{AgentId, ConversationId};

/// Conversations listed at a time.
const PAGE: usize = 50;
/// Conversations of all agents.
const RECENT: i64 = 200;

impl OwnConversations<'_> {
    /// The conversations of the agent: pinned ones first, then by when they were last used. `page` counts
    /// from 0.
    pub async fn list(
        self,
        agent: &AgentId,
        filter: ConversationFilter,
        page: u32,
    ) -> Result<ConversationList> {
        self.list_folder(agent, filter, "", page).await
    }

    /// The same of one folder; without a name of all of them.
    pub async fn list_folder(
        self,
        agent: &AgentId,
        filter: ConversationFilter,
        folder: &str,
        page: u32,
    ) -> Result<ConversationList> {
        self.scoped.require_agent(agent).await?;
        let among = match filter {
            ConversationFilter::Active => "archived_at IS NULL AND deleted_at IS NULL",
            ConversationFilter::Archived => "archived_at IS NOT NULL AND deleted_at IS NULL",
            ConversationFilter::Deleted => "deleted_at IS NOT NULL",
        };
        let since = kept_deleted_since(self.scoped.hub.now());
        let mut conversations: Vec<ConversationView> = query(
            [
                "SELECT id, agent_id, title, model, created_at, used_at, pinned_at, archived_at, deleted_at, temporary, folder,
                        (SELECT COUNT(*) FROM conversations f WHERE f.family = conversations.family
                         AND f.answered_seq > f.read_seq) AS unread
                 FROM conversations
                 WHERE agent_id = $1 AND (deleted_at IS NULL OR deleted_at >= $4)
                   AND ($5 = '' OR folder = $5) AND",
                among,
                // Of branches the one that was used last.
                "AND NOT EXISTS (SELECT 1 FROM conversations o WHERE o.family = conversations.family
                     AND (o.place > conversations.place
                          OR (o.place = conversations.place AND o.id > conversations.id)))
                 ORDER BY CASE WHEN pinned_at IS NULL THEN 1 ELSE 0 END, place DESC, id DESC
                 LIMIT $2 OFFSET $3",
            ],
            (agent, PAGE + 1, u64::from(page) * PAGE as u64, since, folder),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let more = conversations.len() > PAGE;
        conversations.truncate(PAGE);
        Ok(ConversationList { conversations, more, folders: self.folders(agent).await? })
    }

    /// Of all agents those that were used last, without temporary ones.
    pub async fn recent(self) -> Result<Vec<ConversationView>> {
        query(
            "SELECT c.id, c.agent_id, c.title, c.model, c.created_at, c.used_at, c.pinned_at, c.archived_at,
                    c.deleted_at, c.temporary, c.folder,
                    (SELECT COUNT(*) FROM conversations f WHERE f.family = c.family
                     AND f.answered_seq > f.read_seq) AS unread
             FROM conversations c JOIN agents a ON a.id = c.agent_id
             WHERE a.user_id = $1 AND c.temporary = 0 AND c.archived_at IS NULL AND c.deleted_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM conversations o WHERE o.family = c.family AND o.place > c.place)
             ORDER BY c.used_at DESC, c.id DESC LIMIT $2",
            (self.scoped.owner(), RECENT),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// One of the viewer's, deleted ones too.
    /// What it is called, for a link to it. `None`: it is gone, or not the viewer's.
    pub(crate) async fn named(self, conversation: &ConversationId) -> Result<Option<NamedConversation>> {
        let named: Option<(ConversationId, AgentId, String)> = query(
            "SELECT c.id, c.agent_id, c.title FROM conversations c JOIN agents a ON a.id = c.agent_id
             WHERE c.id = $1 AND a.user_id = $2 AND c.deleted_at IS NULL",
            (conversation, self.scoped.owner()),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        Ok(named.map(|(id, agent, title)| NamedConversation { id, agent, title }))
    }

    pub async fn get(self, conversation: &ConversationId) -> Result<ConversationView> {
        query(
            "SELECT c.id, c.agent_id, c.title, c.model, c.created_at, c.used_at, c.pinned_at, c.archived_at,
                    c.deleted_at, c.temporary, c.folder,
                    (SELECT COUNT(*) FROM conversations f WHERE f.family = c.family
                     AND f.answered_seq > f.read_seq) AS unread
             FROM conversations c JOIN agents a ON a.id = c.agent_id
             WHERE c.id = $1 AND a.user_id = $2",
            (conversation, self.scoped.owner()),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?
        .ok_or(Error::NotFound("conversation"))
    }

    /// The one in which this entry of the agent's log stands.
    pub(crate) async fn of_entry(self, agent: &AgentId, seq: u64) -> Result<ConversationId> {
        log::entry_at(self.scoped.hub.store(), agent, seq)
            .await?
            .and_then(|entry| entry.conversation)
            .ok_or(Error::NotFound("conversation"))
    }

    /// The one of this agent that is meant: this one, or without a word the one that was used last.
    pub(crate) async fn meant(
        self,
        agent: &AgentId,
        conversation: Option<&ConversationId>,
    ) -> Result<ConversationId> {
        let Some(conversation) = conversation else {
            return self.scoped.hub.conversations().current(agent).await;
        };
        let found = self.get(conversation).await?;
        if found.agent != *agent || found.deleted {
            return Err(Error::NotFound("conversation"));
        }
        Ok(found.id)
    }
}

impl FromRow for ConversationView {
    fn from_row(row: &Row) -> Result<Self> {
        let is_set = |column| row.get::<Option<i64>>(column).map(|at| at.is_some());
        Ok(Self {
            id: row.get("id")?,
            agent: row.get("agent_id")?,
            title: row.get("title")?,
            model: row.get("model")?,
            created_at: row.get("created_at")?,
            used_at: row.get("used_at")?,
            pinned: is_set("pinned_at")?,
            archived: is_set("archived_at")?,
            deleted: is_set("deleted_at")?,
            unread: row.get::<i64>("unread")? > 0,
            temporary: row.get::<i64>("temporary")? != 0,
            folder: row.get::<Option<String>>("folder")?.unwrap_or_default(),
        })
    }
}
