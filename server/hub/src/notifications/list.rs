//! What a person was told of, as they read it.

use super::OwnNotifications;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use protocol::view::{Delivery, NotificationList, NotificationView};
use protocol::{AgentId, ConversationId, NotificationId, PipelineId};
use std::collections::HashMap;

/// Shown at a time.
const PAGE: usize = 50;

impl OwnNotifications<'_> {
    /// The newest first, those before `before` if there is one.
    pub async fn list(self, before: Option<&NotificationId>) -> Result<NotificationList> {
        let mut list: Vec<NotificationView> = query(
            "SELECT id, agent_id, conversation_id, pipeline_id, kind, title, body, at, quiet, read_at
             FROM notifications WHERE user_id = $1 AND ($2 IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
            (self.scoped.owner(), before, PAGE + 1),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let more = list.len() > PAGE;
        list.truncate(PAGE);
        self.add_deliveries(&mut list).await?;
        Ok(NotificationList { list, unread: self.unread().await?, more })
    }

    /// Where each was sent.
    async fn add_deliveries(self, list: &mut [NotificationView]) -> Result<()> {
        let (Some(newest), Some(oldest)) = (list.first(), list.last()) else { return Ok(()) };
        let rows = query(
            "SELECT d.notification_id, d.kind, d.name, d.state, d.failure
             FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id
             WHERE n.user_id = $1 AND n.id <= $2 AND n.id >= $3 ORDER BY d.target",
            (self.scoped.owner(), &newest.id, &oldest.id),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        let mut deliveries: HashMap<NotificationId, Vec<Delivery>> = HashMap::new();
        for row in rows {
            deliveries.entry(row.get("notification_id")?).or_default().push(Delivery {
                kind: row.get("kind")?,
                name: row.get("name")?,
                state: row.get("state")?,
                failure: row.get("failure")?,
            });
        }
        for told in list {
            told.deliveries = deliveries.remove(&told.id).unwrap_or_default();
        }
        Ok(())
    }

    pub async fn unread(self) -> Result<u32> {
        query(
            "SELECT COUNT(*) FROM notifications WHERE user_id = $1 AND read_at IS NULL",
            (self.scoped.owner(),),
        )
        .fetch_one(self.scoped.hub.store().read())
        .await
    }

    pub async fn mark_read(self, id: &NotificationId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write_uncached().await?;
        let is_there = query(
            "UPDATE notifications SET read_at = COALESCE(read_at, $3) WHERE user_id = $1 AND id = $2",
            (self.scoped.owner(), id, self.scoped.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        if is_there == 0 {
            return Err(Error::NotFound("notification"));
        }
        tx.commit().await?;
        self.tell_pages();
        Ok(())
    }

    pub async fn mark_all_read(self) -> Result<()> {
        let mut tx = self.scoped.hub.store().write_uncached().await?;
        query(
            "UPDATE notifications SET read_at = $2 WHERE user_id = $1 AND read_at IS NULL",
            (self.scoped.owner(), self.scoped.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.tell_pages();
        Ok(())
    }

    /// How much is unread is other than it was.
    fn tell_pages(self) {
        self.scoped.hub.live().changed_beside_agents(&self.scoped.viewer.me.id);
    }
}

/// Path of the page where what this row tells of is seen.
pub(super) fn link_of(row: &Row) -> Result<String> {
    if let Some(pipeline) = row.get::<Option<PipelineId>>("pipeline_id")? {
        return Ok(format!("/pipelines/{pipeline}"));
    }
    let agent: AgentId = row.get("agent_id")?;
    Ok(match row.get::<Option<ConversationId>>("conversation_id")? {
        Some(conversation) => format!("/agents/{agent}/conversations/{conversation}"),
        None => format!("/agents/{agent}"),
    })
}

impl FromRow for NotificationView {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            link: link_of(row)?,
            agent: row.get("agent_id")?,
            title: row.get("title")?,
            body: row.get("body")?,
            at: row.get("at")?,
            quiet: row.get::<i64>("quiet")? != 0,
            read: row.get::<Option<i64>>("read_at")?.is_some(),
            deliveries: Vec::new(),
        })
    }
}
