//! Which nodes have the files of which build: while nodes of two versions serve side by side, a page of one asks
//! whichever node it reaches for its files.

use super::{Cluster, NodeId};
use crate::error::Result;
use crate::store::query;

impl Cluster<'_> {
    /// Tells the others whose files this node has.
    pub async fn announce_build(self, build: &str) -> Result<()> {
        let Some(id) = self.own_id() else { return Ok(()) };
        query("UPDATE nodes SET build = $1 WHERE id = $2", (build, id))
            .execute(self.hub.store().read())
            .await?;
        Ok(())
    }

    /// Another node that has the files of this build. `None`: there is none any more.
    pub async fn node_of_build(self, build: &str) -> Result<Option<NodeId>> {
        // The one that said last that it is there.
        let id: Option<String> = query(
            "SELECT id FROM nodes WHERE build = $1 AND id <> $2 ORDER BY alive_until DESC LIMIT 1",
            (build, self.own_id()),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(id.map(NodeId))
    }
}
