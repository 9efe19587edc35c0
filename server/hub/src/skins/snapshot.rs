//! What a page made of itself while a person used it: sent by the stage, kept as a version. Those
//! that follow each other within ten minutes replace one another, so that a page in use does not
//! push what its agent drew out of the versions that are kept.

use super::PAGE;
use super::versions::{Drawing, Grown, newest, store_next};
use crate::error::{Error, Result};
use crate::live::Tab;
use crate::log::{Appending, EntryScope};
use crate::store::query;
use protocol::AgentId;
use protocol::page::SkinPage;
use protocol::view::SkinOrigin;

/// How long one version takes in what the page makes of itself, in milliseconds.
const WINDOW: i64 = 10 * 60 * 1000;

impl Tab {
    /// Ignored from any tab but the stage, and of any version but the newest: another page has taken
    /// its place.
    pub async fn page_snapshot(&self, agent: &AgentId, version: u64, page: &SkinPage) -> Result<()> {
        let hub = self.hub();
        hub.for_viewer(self.viewer()).require_agent(agent).await?;
        let link = self.link();
        if hub.live().stage(agent).is_none_or(|stage| stage.key != link.key) {
            return Ok(());
        }
        link.writes.pass(agent, hub.moment())?;
        if serde_json::to_string(page)?.len() > PAGE {
            return Err(Error::Limit("The page is larger than 2 MB and was not kept.".to_owned()));
        }
        hub.spaces().require(&self.viewer().me.id).await?;
        let mut appending = hub.log().appending().await?;
        let Some(skin) = newest(&mut appending.tx, agent).await? else { return Ok(()) };
        if skin.version != version || skin.page == *page {
            return Ok(());
        }
        let grown = grow(&mut appending, agent, version).await?;
        let drawing = Drawing {
            device: link.device.as_ref(),
            by: Some(link.id.clone()),
            grown: Some(grown),
            ..Drawing::new(page, SkinOrigin::Page)
        };
        let place = EntryScope { agent: agent.clone(), conversation: None, run: None };
        store_next(&mut appending, &place, version, drawing).await?;
        hub.log().commit(appending).await?;
        Ok(())
    }
}

/// What the next version grows from. A version that grew from the same and is young gives way to it.
async fn grow(appending: &mut Appending, agent: &AgentId, version: u64) -> Result<Grown> {
    let version = i64::try_from(version).map_err(Error::internal)?;
    let now = appending.now();
    let (base, since): (i64, i64) =
        query("SELECT base, since FROM skins WHERE agent_id = $1 AND version = $2", (agent, version))
            .fetch_one(&mut *appending.tx)
            .await?;
    if base == 0 {
        return Ok(Grown { base: version, since: now });
    }
    if now - since >= WINDOW {
        return Ok(Grown { base, since: now });
    }
    query("DELETE FROM skins WHERE agent_id = $1 AND version = $2", (agent, version))
        .execute(&mut *appending.tx)
        .await?;
    Ok(Grown { base, since })
}
