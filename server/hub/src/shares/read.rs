//! What is shown to the viewer, as its readers have it.

use super::lines;
use crate::conversations::Window;
use crate::error::{Error, Result};
use crate::log::{Kinds, Lineage};
use crate::shares::Shares;
use crate::store::{FromRow, Row, query};
use protocol::view::{SharedConversation, SharedLine, SharedList, SharedPart};
use protocol::{ConversationId, ShareId};

/// Conversations listed at a time.
const PAGE: usize = 50;

/// Shares `s` with what their readers see of them; the viewer is `$1`. With a conversation that was deleted, and while
/// its owner may not sign in, there is nothing to read.
const SHOWN: &str = "SELECT s.id, s.conversation_id, s.shared_at, c.title, c.used_at, a.name AS agent_name,
                            o.name AS owner,
                            CAST(CASE WHEN a.user_id = $1 THEN 1 ELSE 0 END AS BIGINT) AS is_own
                     FROM conversation_shares s JOIN conversations c ON c.id = s.conversation_id
                     JOIN agents a ON a.id = c.agent_id JOIN users o ON o.id = a.user_id
                     WHERE c.deleted_at IS NULL AND o.disabled = 0";

/// A shared conversation, and where it is read from.
struct Shown {
    view: SharedConversation,
    conversation: ConversationId,
}

impl Shares<'_> {
    /// The conversations that others show to the viewer, those shared last first. `page` counts from 0.
    pub async fn list(self, page: u32) -> Result<SharedList> {
        let shown: Vec<Shown> = query(
            [SHOWN, "AND s.reader_id = $1 ORDER BY s.shared_at DESC, s.id DESC LIMIT $2 OFFSET $3"],
            (self.scoped.owner(), PAGE + 1, u64::from(page) * PAGE as u64),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let more = shown.len() > PAGE;
        let conversations = shown.into_iter().take(PAGE).map(|shown| shown.view).collect();
        Ok(SharedList { conversations, more })
    }

    /// What was said in one of them: its end, or what stands before this entry. Whose conversation it is reads the
    /// same.
    pub async fn read(self, id: &ShareId, before: Option<u64>) -> Result<SharedPart> {
        let (conversation, lineage) = self.shown(id).await?;
        let store = self.scoped.hub.store();
        let Window { entries, earlier, cut } =
            Window::before(store, &lineage, before.unwrap_or(u64::MAX)).await?;
        let lines = entries.iter().filter_map(|entry| lines::of_entry(entry, cut.contains(&entry.seq)));
        Ok(SharedPart { conversation, lines: lines.collect(), earlier })
    }

    /// This entry of it with all that was said in it.
    pub async fn read_whole(self, id: &ShareId, entry: u64) -> Result<SharedPart> {
        let (conversation, lineage) = self.shown(id).await?;
        let store = self.scoped.hub.store();
        let last = lineage.last(store, entry.saturating_add(1), Kinds::All, 1).await?.pop();
        let line: Option<SharedLine> =
            last.filter(|found| found.seq == entry).and_then(|found| lines::of_entry(&found, false));
        let line = line.ok_or(Error::NotFound("message"))?;
        Ok(SharedPart { conversation, lines: vec![line], earlier: None })
    }

    async fn shown(self, id: &ShareId) -> Result<(SharedConversation, Lineage)> {
        let Shown { view, conversation } = query(
            [SHOWN, "AND s.id = $2 AND (s.reader_id = $1 OR a.user_id = $1)"],
            (self.scoped.owner(), id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?
        .ok_or(Error::NotFound("shared conversation"))?;
        let lineage = Lineage::of(self.scoped.hub.store().read(), &conversation).await?;
        Ok((view, lineage))
    }
}

impl FromRow for Shown {
    fn from_row(row: &Row) -> Result<Self> {
        let view = SharedConversation {
            id: row.get("id")?,
            title: row.get("title")?,
            agent_name: row.get("agent_name")?,
            owner: row.get("owner")?,
            is_own: row.get("is_own")?,
            shared_at: row.get("shared_at")?,
            used_at: row.get("used_at")?,
        };
        Ok(Self { view, conversation: row.get("conversation_id")? })
    }
}
