//! Which calls in the background a person wants.

use super::{OwnSideCalls, SideCalls, Usual};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::UserId;
use protocol::view::SideCallSettings;

impl OwnSideCalls<'_> {
    pub async fn settings(self) -> Result<SideCallSettings> {
        self.scoped.hub.side_calls().settings_of(&self.scoped.viewer.me.id).await
    }

    pub async fn set(self, settings: SideCallSettings) -> Result<()> {
        let SideCallSettings { titles, memories } = settings;
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            "UPDATE users SET side_titles = $2, side_memories = $3 WHERE id = $1",
            (self.scoped.owner(), i64::from(titles), i64::from(memories)),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}

impl SideCalls<'_> {
    pub(super) async fn settings_of(self, person: &UserId) -> Result<SideCallSettings> {
        let Usual(usual) = self.hub.usual_side_calls();
        let chosen: Option<(Option<i64>, Option<i64>)> =
            query("SELECT side_titles, side_memories FROM users WHERE id = $1", (person,))
                .fetch_optional(self.hub.store().read())
                .await?;
        let (titles, memories) = chosen.ok_or(Error::NotFound("person"))?;
        let is_on = |chosen: Option<i64>| chosen.map_or(usual, |chosen| chosen != 0);
        Ok(SideCallSettings { titles: is_on(titles), memories: is_on(memories) })
    }
}
