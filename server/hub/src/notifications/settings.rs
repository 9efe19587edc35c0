//! Of what a person wants to hear, when, and of which of their agents.

use super::OwnNotifications;
use super::quiet::Quiet;
use crate::error::Result;
use crate::store::{Json, query};
use protocol::AgentId;
use protocol::view::NotificationSettings;
use sqlx::{Any, Executor};

impl OwnNotifications<'_> {
    pub async fn settings(self) -> Result<NotificationSettings> {
        settings_of(self.scoped.hub.store().read(), self.scoped.owner()).await
    }

    pub async fn set(self, mut settings: NotificationSettings) -> Result<()> {
        if let Some(quiet) = &settings.quiet {
            Quiet::of(quiet)?;
        }
        settings.kinds.sort();
        settings.kinds.dedup();
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            "INSERT INTO notification_settings (user_id, settings) VALUES ($1, $2)
             ON CONFLICT (user_id) DO UPDATE SET settings = excluded.settings",
            (self.scoped.owner(), Json(&settings)),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// The viewer's agents of which they hear nothing.
    pub async fn muted(self) -> Result<Vec<AgentId>> {
        query(
            "SELECT m.agent_id FROM muted_agents m JOIN agents a ON a.id = m.agent_id WHERE a.user_id = $1",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    pub async fn mute(self, agent: &AgentId, muted: bool) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let statement = match muted {
            true => "INSERT INTO muted_agents (agent_id) VALUES ($1) ON CONFLICT DO NOTHING",
            false => "DELETE FROM muted_agents WHERE agent_id = $1",
        };
        query(statement, (agent,)).execute(&mut *tx).await?;
        tx.commit().await
    }
}

pub(super) async fn settings_of(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
) -> Result<NotificationSettings> {
    let stored: Option<Json<NotificationSettings>> =
        query("SELECT settings FROM notification_settings WHERE user_id = $1", (owner,))
            .fetch_optional(db)
            .await?;
    Ok(stored.map(|Json(settings)| settings).unwrap_or_default())
}
