//! Servers that administrators share. Whoever uses one has a server of their own by its address, whose tools they say yes
//! to and where they sign in themselves; what is sent along is the administrator's, and nobody else sees it.

use super::{MAX_SERVERS, McpFailure, McpServers, OwnMcpServers, rows};
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{Row, query};
use protocol::hub::Noun;
use protocol::view::{
    AuditAction, McpConnection, McpLent, McpServerView, McpSharing, OfferedMcpServer, Right,
};
use protocol::{GroupId, McpServerId, UserId};

/// That a server, `s`, is its person's own, or still lent to them.
pub(super) const USABLE: &str = "(s.lent_from IS NULL OR EXISTS (SELECT 1 FROM lent_mcp_servers l
    WHERE l.server_id = s.lent_from AND l.user_id = s.user_id))";

impl OwnMcpServers<'_> {
    /// Those that administrators lend to the viewer, by name.
    pub async fn offered(self) -> Result<Vec<OfferedMcpServer>> {
        let rows: Vec<Row> = query(
            "SELECT s.id, s.name, s.url, o.name AS lender, m.id AS used_as
             FROM lent_mcp_servers l CROSS JOIN mcp_servers s JOIN users o ON o.id = l.owner_id
             LEFT JOIN mcp_servers m ON m.user_id = l.user_id AND m.lent_from = s.id
             WHERE l.user_id = $1 AND s.id = l.server_id ORDER BY s.name, s.id",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(OfferedMcpServer {
                    id: row.get("id")?,
                    name: row.get("name")?,
                    url: row.get("url")?,
                    by: row.get("lender")?,
                    used_as: row.get("used_as")?,
                })
            })
            .collect()
    }

    /// Begins to use a server that is lent to the viewer, and asks it which tools it has. Removing theirs ends that.
    pub async fn take(self, id: &McpServerId) -> Result<McpServerView> {
        let offered = self.offered().await?.into_iter().find(|offered| offered.id == *id);
        let Some(offered) = offered else {
            self.found(id).await?;
            return Err(Error::Conflict("This server is yours already.".to_owned()));
        };
        if let Some(used) = &offered.used_as {
            return self.found(used).await;
        }
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let existing = rows::list(&mut *tx, owner).await?;
        if existing.len() >= MAX_SERVERS {
            return Err(Error::Limit(format!("You have {MAX_SERVERS} servers. Remove one first.")));
        }
        if existing.iter().any(|server| server.name == offered.name) {
            let name = &offered.name;
            return Err(Error::Conflict(format!(
                "You have a server {name} already, and agents could not tell the two apart. Remove yours first."
            )));
        }
        let server = McpServerView {
            id: McpServerId(new_id()),
            name: offered.name,
            url: offered.url,
            headers: Vec::new(),
            looked_at: None,
            failure: None,
            tools_on: 0,
            tools_off: 0,
            tools_changed: 0,
            tools_new: 0,
            left_out: 0,
            connection: McpConnection::None,
            sign_in_failure: None,
            lent: Some(McpLent::By { name: offered.by }),
        };
        rows::insert(&mut tx, owner, &server, hub.now()).await?;
        query(
            "UPDATE mcp_servers SET lent_from = $3 WHERE user_id = $1 AND id = $2",
            (owner, &server.id, id),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::McpServerAdded, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&server.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await?;
        // What came of it stands with the server.
        let _ = self.asked(&server).await;
        self.found(&server.id).await
    }

    /// Shares an administrator's own server, in place of how it was shared before.
    pub async fn share(self, id: &McpServerId, everyone: bool, groups: &[GroupId]) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let server = self.found(id).await?;
        hub.as_admin(self.scoped.viewer)
            .ok_or(Error::Forbidden("MCP servers are shared by administrators."))?;
        if server.lent.is_some() {
            return Err(Error::invalid("It is lent to you. Only a server of your own can be shared."));
        }
        let mut tx = hub.store().write().await?;
        query("UPDATE mcp_servers SET everyone = $3 WHERE user_id = $1 AND id = $2", (owner, id, everyone))
            .execute(&mut *tx)
            .await?;
        query("DELETE FROM mcp_shared_with_groups WHERE server_id = $1", (id,)).execute(&mut *tx).await?;
        for group in groups {
            // One that is not there, or no more, is left out.
            query(
                "INSERT INTO mcp_shared_with_groups (server_id, group_id)
                 SELECT $1, id FROM people_groups WHERE id = $2 ON CONFLICT DO NOTHING",
                (id, group),
            )
            .execute(&mut *tx)
            .await?;
        }
        let with = if everyone { "everyone".to_owned() } else { format!("groups: {}", groups.len()) };
        let line = AuditEvent::done(AuditAction::McpServerShared, self.scoped.viewer).about_nobody();
        hub.audit().note(&mut tx, line.object(&format!("{}, {with}", server.name))).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await
    }

    /// With whom a server is shared; `None` where that is not the viewer's to say.
    pub(super) async fn sharing(self, server: &McpServerView) -> Result<Option<McpSharing>> {
        let hub = self.scoped.hub;
        let Some(admin) = hub.as_admin(self.scoped.viewer).filter(|_| server.lent.is_none()) else {
            return Ok(None);
        };
        let pool = hub.store().read();
        let everyone: bool =
            query("SELECT everyone FROM mcp_servers WHERE id = $1", (&server.id,)).fetch_one(pool).await?;
        let shared: Vec<GroupId> =
            query("SELECT group_id FROM mcp_shared_with_groups WHERE server_id = $1", (&server.id,))
                .fetch_all(pool)
                .await?;
        let groups = admin.groups().list().await?.into_iter();
        let groups = groups.map(|group| (shared.contains(&group.id), group)).map(|(is, group)| (group, is));
        Ok(Some(McpSharing { everyone, groups: groups.collect() }))
    }

    /// Fails unless the viewer may bring servers in, or this one is lent to them.
    pub(super) fn require_use(self, server: &McpServerView) -> Result<()> {
        match server.lent {
            Some(_) => Ok(()),
            None => self.scoped.require(Right::SaveProviders),
        }
    }
}

impl McpServers<'_> {
    /// Whose, and of which server, is what is sent along to this one.
    pub(super) async fn sealed_for(
        self,
        owner: &UserId,
        id: &McpServerId,
    ) -> std::result::Result<(UserId, McpServerId), McpFailure> {
        let found: Option<(Option<McpServerId>, Option<UserId>)> = query(
            "SELECT s.lent_from, (SELECT l.owner_id FROM lent_mcp_servers l
                                  WHERE l.server_id = s.lent_from AND l.user_id = s.user_id)
             FROM mcp_servers s WHERE s.user_id = $1 AND s.id = $2",
            (owner, id),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        match found {
            Some((Some(lent), Some(lender))) => Ok((lender, lent)),
            Some((Some(_), None)) => Err(McpFailure::NotLent),
            Some((None, _)) | None => Ok((owner.clone(), id.clone())),
        }
    }
}
