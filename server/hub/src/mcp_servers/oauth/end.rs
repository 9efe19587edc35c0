//! Nobody is signed in any more, and what they were known by is taken back.

use super::grant;
use super::rows;
use super::standing::Standing;
use super::token::revoke;
use crate::audit::AuditEvent;
use crate::error::Result;
use crate::mcp_servers::{OwnMcpServers, PARTING, place_of};
use crate::vault::{Secret, Vault};
use protocol::McpServerId;
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpServerView};
use tokio::time::timeout;

/// What is taken back where it was given.
pub(in super::super) struct Leaving {
    grant: grant::Grant,
    access: Option<Secret>,
    standing: Standing,
}

impl OwnMcpServers<'_> {
    /// Signs out, and gives up a sign-in under way.
    pub async fn disconnect(self, id: &McpServerId) -> Result<McpServerView> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let server = self.found(id).await?;
        let leaving = self.leaving(&server).await?;
        let mut tx = hub.store().write().await?;
        rows::give_up(&mut tx, id).await?;
        rows::disconnect(&mut tx, id).await?;
        for place in [grant::token, grant::standing, grant::under_way].map(|place| place(owner, id, "")) {
            Vault::forget_one(&mut tx, place).await?;
        }
        let line = AuditEvent::done(AuditAction::McpDisconnected, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&server.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await?;
        hub.0.mcp_servers.sessions.forget(id);
        hub.0.mcp_servers.challenges.forget(id);
        hub.0.mcp_servers.has_others(id);
        self.take_back(leaving).await;
        self.found(id).await
    }

    pub(in super::super) async fn leaving(self, server: &McpServerView) -> Result<Option<Leaving>> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let Some(it) = rows::connection(hub.store().read(), owner, &server.id).await? else {
            return Ok(None);
        };
        let standing = self.standing(&server.id, &it.grant).await.unwrap_or_default();
        let place = place_of(&server.url);
        let access =
            hub.vault().read(hub.store(), grant::token(owner, &server.id, &place)).await.ok().flatten();
        Ok(Some(Leaving { grant: it.grant, access, standing }))
    }

    /// Tells whoever gave them, once nothing of them is kept here.
    pub(in super::super) async fn take_back(self, leaving: Option<Leaving>) {
        let Some(Leaving { grant, access, standing }) = leaving else { return };
        let (hub, secret) = (self.scoped.hub, standing.client_secret());
        let telling = async {
            if let Some(refresh) = standing.refresh() {
                revoke(hub, &grant, secret.as_ref(), &refresh, "refresh_token").await;
            }
            if let Some(access) = access {
                revoke(hub, &grant, secret.as_ref(), &access, "access_token").await;
            }
        };
        // It is not waited for longer than for a good-bye.
        let _ = timeout(PARTING, telling).await;
    }
}
