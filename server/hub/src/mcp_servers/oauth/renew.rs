//! The token that goes to a server: the one that is good, or a new one. Of all who want a new one at a time one asks for
//! it, whichever hub they are at: the token for the next token is good once.

use super::grant;
use super::rows::{self, Connection};
use super::standing::Standing;
use super::token::{self, Tokens};
use crate::clock::new_id;
use crate::mcp_servers::{McpFailure, McpServers};
use crate::vault::Secret;
use protocol::hub::Noun;
use protocol::{McpServerId, UserId};
use std::time::Duration;
use tokio::time::sleep;

/// A token is renewed while it is good for so long still.
const AHEAD_MS: i64 = 30_000;
/// For one who renews, who may go down while they do.
const CLAIM_MS: i64 = 40_000;
/// How often those who wait look, and how many times.
const PAUSE: Duration = Duration::from_millis(200);
const LOOKS: usize = 200;

/// What says who asks, and which one it is.
pub(in super::super) struct Access {
    pub(in super::super) token: Secret,
    generation: String,
}

impl McpServers<'_> {
    /// `None`: nobody is signed in there.
    pub(in super::super) async fn access(
        self,
        owner: &UserId,
        id: &McpServerId,
        place: &str,
    ) -> Result<Option<Access>, McpFailure> {
        for _ in 0..LOOKS {
            let Some(it) = rows::connection(self.hub.store().read(), &owner.0, id).await? else {
                return Ok(None);
            };
            if it.is_over {
                return Err(McpFailure::SignedOut);
            }
            let ends = it.expires_at.map(|at| at.saturating_sub(self.hub.now()));
            if ends.is_none_or(|left| left > AHEAD_MS) {
                let token = self.hub.vault().read(self.hub.store(), grant::token(&owner.0, id, place)).await;
                let token = token.ok().flatten().ok_or(McpFailure::SignedOut)?;
                return Ok(Some(Access { token, generation: it.generation }));
            }
            if !self.renew(owner, id, place, &it).await? {
                sleep(PAUSE).await;
            }
        }
        Err(McpFailure::Busy)
    }

    /// The server knows nobody by this token. With a new one it is asked once more.
    pub(in super::super) async fn access_after(
        self,
        owner: &UserId,
        id: &McpServerId,
        place: &str,
        refused: &Access,
    ) -> Result<Option<Access>, McpFailure> {
        if let Some(it) = rows::connection(self.hub.store().read(), &owner.0, id).await?
            && it.generation == refused.generation
        {
            self.renew(owner, id, place, &it).await?;
        }
        self.access(owner, id, place).await
    }

    /// Nobody is known by it any more, and its person has to sign in.
    pub(in super::super) async fn end(
        self,
        owner: &UserId,
        id: &McpServerId,
        refused: &Access,
    ) -> Result<(), McpFailure> {
        self.over(owner, id, &refused.generation).await
    }

    /// `false`: somebody else does.
    async fn renew(
        self,
        owner: &UserId,
        id: &McpServerId,
        place: &str,
        it: &Connection,
    ) -> Result<bool, McpFailure> {
        let now = self.hub.now();
        let mut tx = self.hub.store().write().await?;
        let is_ours = rows::claim(&mut tx, id, &it.generation, now, now.saturating_add(CLAIM_MS)).await?;
        tx.commit().await?;
        if !is_ours {
            return Ok(false);
        }
        let giver = it.grant.giver();
        let at = grant::standing(&owner.0, id, &giver);
        let sealed = self.hub.vault().read(self.hub.store(), at).await.ok().flatten();
        let mut standing = Standing::opened(sealed.as_ref());
        let Some(refresh) = standing.refresh() else {
            self.over(owner, id, &it.generation).await?;
            return Err(McpFailure::SignedOut);
        };
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.expose()),
            ("resource", it.grant.resource.as_str()),
        ];
        match token::ask(self.hub, &it.grant, standing.client_secret().as_ref(), &fields).await {
            Ok(mut tokens) => {
                standing.keep(tokens.refresh.take());
                self.keep(owner, id, place, it, &tokens, &standing).await?;
                Ok(true)
            }
            Err(failure) if failure.is_for_good() => {
                self.over(owner, id, &it.generation).await?;
                Err(McpFailure::SignedOut)
            }
            Err(failure) => {
                let mut tx = self.hub.store().write().await?;
                rows::let_go(&mut tx, id, &it.generation).await?;
                tx.commit().await?;
                Err(McpFailure::NotRenewed(failure.to_string()))
            }
        }
    }

    async fn keep(
        self,
        owner: &UserId,
        id: &McpServerId,
        place: &str,
        it: &Connection,
        tokens: &Tokens,
        standing: &Standing,
    ) -> Result<(), McpFailure> {
        let now = self.hub.now();
        let giver = it.grant.giver();
        let sealed = standing.seal()?;
        let mut tx = self.hub.store().write().await?;
        // Who disconnected or signed in anew meanwhile has nothing of this one.
        if rows::renewed(&mut tx, id, &it.generation, &new_id(), tokens.expires_at(now)).await? {
            self.hub.vault().put(&mut tx, grant::token(&owner.0, id, place), &tokens.access, now).await?;
            self.hub.vault().put(&mut tx, grant::standing(&owner.0, id, &giver), &sealed, now).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    async fn over(self, owner: &UserId, id: &McpServerId, generation: &str) -> Result<(), McpFailure> {
        let mut tx = self.hub.store().write().await?;
        rows::over(&mut tx, id, generation).await?;
        tx.changes(owner, Noun::McpServers);
        tx.commit().await?;
        Ok(())
    }
}

impl Tokens {
    pub(super) fn expires_at(&self, now: i64) -> Option<i64> {
        self.seconds.map(|seconds| now.saturating_add(seconds.saturating_mul(1000)))
    }
}
