//! Conversations.

mod branch;
mod branch_points;
mod changes;
mod copied;
mod drafts;
mod export;
mod folders;
mod handed;
mod list;
mod markdown;
mod naming;
mod packing;
mod past;
mod ratings;
mod reading;
mod retention;
mod shorten;
mod temporary;
mod title;
mod window;

pub(crate) use branch::Branch;
pub use drafts::DraftChange;
pub use export::{ConversationExport, ExportFormat};
pub(crate) use markdown::fenced;
pub(crate) use packing::PackingInMemory;
pub(crate) use past::{Held, PastBranch};
pub(crate) use retention::InMemory;
pub(crate) use title::{by_model as title_by_model, of_elsewhere as title_of_elsewhere};
pub(crate) use window::Window;

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::log;
use crate::store::query;
use protocol::log::Entry;
use protocol::{AgentId, ConversationId};

/// The conversations of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnConversations<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn conversations(&self) -> OwnConversations<'a> {
        OwnConversations { scoped: *self }
    }
}

/// The conversations of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversations<'a> {
    hub: &'a Hub,
}

impl Hub {
    fn conversations_in_memory(&self) -> &InMemory {
        &self.0.conversations
    }

    fn packing_in_memory(&self) -> &PackingInMemory {
        &self.0.packing
    }

    pub(crate) fn conversations(&self) -> Conversations<'_> {
        Conversations { hub: self }
    }
}

/// The conversation of the agent `$1` that was used last.
const CURRENT: &str = "SELECT id FROM conversations
     WHERE agent_id = $1 AND temporary = 0 AND archived_at IS NULL AND deleted_at IS NULL
     ORDER BY place DESC, id DESC LIMIT 1";

impl Conversations<'_> {
    /// The conversation that was used last: what schedules, programs and the agent's page say joins it.
    pub(crate) async fn current(self, agent: &AgentId) -> Result<ConversationId> {
        query(CURRENT, (agent,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("agent"))
    }

    /// Whether it is there, and not deleted.
    pub(crate) async fn is_kept(self, conversation: &ConversationId) -> Result<bool> {
        query("SELECT 1 FROM conversations WHERE id = $1 AND deleted_at IS NULL", (conversation,))
            .exists(self.hub.store().read())
            .await
    }
}

impl OwnConversations<'_> {
    /// Entries of the agent's log with `seq > after`, oldest first: at most 500, and no more once they have a
    /// megabyte.
    pub async fn entries(self, agent: &AgentId, after: u64) -> Result<Vec<Entry>> {
        self.scoped.require_agent(agent).await?;
        Ok(log::entries_after(self.scoped.hub.store(), agent, after).await?.entries)
    }
}
