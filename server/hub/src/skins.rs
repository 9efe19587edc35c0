//! The pages that agents drew: the newest versions, one of which can be brought back, and a still
//! picture of each.

pub(crate) mod document;
mod restore;
mod saved;
mod snapshot;
pub(crate) mod still;
mod versions;

pub(crate) use saved::check_size;
pub(crate) use versions::{Drawing, drawn, newest, store_next};

use crate::Hub;
use crate::access::Scoped;
use crate::error::Result;
use crate::store::{FromRow, Row, query};
use protocol::log::Skin;
use protocol::view::{NamedConversation, SkinVersion};
use protocol::{AgentId, ConversationId};

/// The pages of the viewer's agents.
#[derive(Clone, Copy, Debug)]
pub struct OwnSkins<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn skins(&self) -> OwnSkins<'a> {
        OwnSkins { scoped: *self }
    }
}

/// The pages of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skins<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn skins(&self) -> Skins<'_> {
        Skins { hub: self }
    }
}

/// Largest page, as JSON, in bytes.
pub(crate) const PAGE: usize = 2 * 1024 * 1024;

impl OwnSkins<'_> {
    /// The newest page; `None` until the agent has drawn.
    pub async fn current(self, agent: &AgentId) -> Result<Option<Skin>> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.skins().current(agent).await
    }

    /// A page as a document in which nothing runs and which fetches nothing: the newest, or that of a
    /// version.
    pub async fn still(self, agent: &AgentId, version: Option<u64>) -> Result<Option<String>> {
        self.scoped.require_agent(agent).await?;
        let Some(skin) = versions::find(self.scoped.hub.store().read(), agent, version).await? else {
            return Ok(None);
        };
        self.scoped.hub.skins().still(&self.scoped.viewer.me.id, skin.page).await.map(Some)
    }

    /// Every version that is kept, the newest first.
    pub async fn versions(self, agent: &AgentId) -> Result<Vec<SkinVersion>> {
        self.scoped.require_agent(agent).await?;
        query(
            "SELECT s.version, s.at, s.origin, s.device, c.id AS conversation, c.agent_id AS held_by, c.title
             FROM skins s LEFT JOIN runs r ON r.id = s.run_id
             LEFT JOIN conversations c ON c.id = r.conversation_id AND c.deleted_at IS NULL
             WHERE s.agent_id = $1 ORDER BY s.version DESC",
            (agent,),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }
}

impl Skins<'_> {
    pub(crate) async fn current(self, agent: &AgentId) -> Result<Option<Skin>> {
        versions::find(self.hub.store().read(), agent, None).await
    }
}

impl FromRow for SkinVersion {
    fn from_row(row: &Row) -> Result<Self> {
        let conversation = match row.get::<Option<ConversationId>>("conversation")? {
            Some(id) => Some(NamedConversation { id, agent: row.get("held_by")?, title: row.get("title")? }),
            None => None,
        };
        Ok(Self {
            version: row.get("version")?,
            at: row.get("at")?,
            origin: row.get("origin")?,
            device: row.get("device")?,
            conversation,
        })
    }
}
