//! Bringing an older page back: as a new version, so that nothing is lost by it either.

use super::versions::{Drawing, find, newest, store_next};
use crate::error::{Error, Result};
use crate::log::EntryScope;
use crate::skins::OwnSkins;
use protocol::AgentId;
use protocol::view::SkinOrigin;

impl OwnSkins<'_> {
    /// Makes a new version that equals this one, and says its number. If the newest does already,
    /// nothing happens.
    pub async fn restore(self, agent: &AgentId, version: u64) -> Result<u64> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        let Some(wanted) = find(&mut *appending.tx, agent, Some(version)).await? else {
            return Err(Error::NotFound("version"));
        };
        let newest = newest(&mut appending.tx, agent).await?.map_or(wanted.clone(), |newest| newest);
        if newest.page == wanted.page {
            return Ok(newest.version);
        }
        let drawing =
            Drawing { device: self.scoped.viewer.device(), ..Drawing::new(&wanted.page, SkinOrigin::Person) };
        let place = EntryScope { agent: agent.clone(), conversation: None, run: None };
        let version = store_next(&mut appending, &place, newest.version, drawing).await?;
        self.scoped.hub.log().commit(appending).await?;
        Ok(version)
    }
}
