//! The person comes back from where they signed in.

use super::begin::{Sealed, UNTIL_MS, hash};
use super::failure::SignInFailure;
use super::grant::{Grant, standing, token, under_way};
use super::rows::{self, Connection, UnderWay};
use super::standing::Standing;
use super::token::{self as tokens, Tokens};
use crate::audit::AuditEvent;
use crate::clock::{is_good, new_id};
use crate::error::{Error, Result};
use crate::mcp_servers::{OwnMcpServers, place_of};
use crate::vault::Vault;
use protocol::McpServerId;
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpServerView};

/// What the browser brings along.
#[derive(Clone, Copy, Debug, Default)]
pub struct Returned<'a> {
    pub state: &'a str,
    pub code: Option<&'a str>,
    pub error: Option<&'a str>,
    /// Who says that they answer.
    pub iss: Option<&'a str>,
}

/// Characters of a code.
const LONGEST: usize = 4 * 1024;

impl OwnMcpServers<'_> {
    /// Takes the answer to a sign-in that this person began in this browser, once. Why one came to nothing stands with
    /// the server.
    pub async fn signed_in(self, returned: Returned<'_>) -> Result<McpServerId> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let taken = rows::take(&mut tx, owner, &hash(returned.state)).await?;
        let Some(it) = taken else {
            return Err(Error::Conflict(SignInFailure::NotUnderWay.to_string()));
        };
        let giver = it.grant.giver();
        let place = under_way(owner, &it.server, &giver);
        let sealed = self.opened(place).await?;
        Vault::forget_one(&mut tx, place).await?;
        tx.commit().await?;
        let server = self.found(&it.server).await?;
        match self.exchanged(&it, sealed, returned).await {
            Ok(given) => {
                self.keep(&server, it.grant, given).await?;
                // It knew nobody, or somebody else, by the session of before. What comes of it stands with the server.
                hub.0.mcp_servers.sessions.forget(&server.id);
                hub.0.mcp_servers.challenges.forget(&server.id);
                let _ = self.asked(&server).await;
            }
            Err(failure) => {
                let mut tx = hub.store().write().await?;
                rows::failed(&mut tx, owner, &server.id, &failure.to_string()).await?;
                tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
                tx.commit().await?;
            }
        }
        Ok(server.id)
    }

    async fn exchanged(
        self,
        it: &UnderWay,
        sealed: Option<Sealed>,
        returned: Returned<'_>,
    ) -> std::result::Result<(Tokens, Standing), SignInFailure> {
        let hub = self.scoped.hub;
        let is_here = it.device.as_ref() == self.scoped.viewer.device();
        let Some(sealed) = sealed.filter(|_| is_here && is_good(it.expires_at, UNTIL_MS, hub.now())) else {
            return Err(SignInFailure::NotUnderWay);
        };
        // Nothing of an answer counts, not even that it failed, before it is known whose it is.
        match returned.iss {
            Some(iss) if iss != it.grant.issuer => return Err(SignInFailure::ForeignIssuer),
            None if it.grant.names_issuer => return Err(SignInFailure::ForeignIssuer),
            Some(_) | None => {}
        }
        if let Some(error) = returned.error {
            return Err(SignInFailure::Refused(tokens::word(error)));
        }
        let code = returned.code.filter(|code| (1..=LONGEST).contains(&code.len()));
        let code = code.ok_or_else(|| SignInFailure::Garbled(it.grant.place()))?;
        let mut standing = Standing::new(sealed.client_secret);
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", it.grant.redirect.as_str()),
            ("code_verifier", sealed.verifier.as_str()),
            ("resource", it.grant.resource.as_str()),
        ];
        let secret = standing.client_secret();
        let mut given = tokens::ask(hub, &it.grant, secret.as_ref(), &fields).await?;
        standing.keep(given.refresh.take());
        Ok((given, standing))
    }

    async fn keep(self, server: &McpServerView, grant: Grant, given: (Tokens, Standing)) -> Result<()> {
        let (hub, owner, now) = (self.scoped.hub, self.scoped.owner(), self.scoped.hub.now());
        let (tokens, kept) = given;
        let (giver, place) = (grant.giver(), place_of(&server.url));
        let scope = tokens.scope.clone().unwrap_or_else(|| grant.scope.clone());
        let connection = Connection {
            grant: Grant { scope: super::metadata::scopes(scope.split(' ')), ..grant },
            generation: new_id(),
            expires_at: tokens.expires_at(now),
            is_over: false,
        };
        let mut tx = hub.store().write().await?;
        if crate::mcp_servers::rows::find(&mut *tx, owner, &server.id).await?.is_none() {
            return Err(Error::NotFound("server"));
        }
        rows::connect(&mut tx, &server.id, &connection, now).await?;
        hub.vault().put(&mut tx, token(owner, &server.id, &place), &tokens.access, now).await?;
        hub.vault().put(&mut tx, standing(owner, &server.id, &giver), &kept.seal()?, now).await?;
        let line = AuditEvent::done(AuditAction::McpConnected, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&server.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await
    }
}
