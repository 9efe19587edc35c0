//! A program brings a code, or what renews its token, and gets a token.

use super::failure::OAuthFailure;
use super::parameters::Parameters;
use super::request::{is_for_mcp, scope_words};
use super::rows::{self, Grant, Renewed};
use super::{ACCESS_SECONDS, OAuthServer};
use crate::accounts::{Granted, new_token, secret_digest};
use crate::audit::{Actor, AuditEvent};
use crate::clock::{new_id, new_secret};
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::TokenId;
use protocol::view::AuditAction;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A grant ends when its program was away for so long.
const REFRESH_MS: i64 = 60 * 24 * 3600 * 1000;
/// RFC 7636, section 4.1.
const VERIFIER: std::ops::RangeInclusive<usize> = 43..=128;

#[derive(Debug, Serialize)]
pub struct GivenTokens {
    pub access_token: String,
    pub token_type: &'static str,
    /// Seconds.
    pub expires_in: i64,
    pub refresh_token: String,
    pub scope: String,
}

impl OAuthServer<'_> {
    /// Either is good once. What comes a second time ends the grant: somebody else has it too.
    pub async fn exchange(self, form: &[u8]) -> std::result::Result<GivenTokens, OAuthFailure> {
        let asked = Parameters::parse(form)?;
        match asked.need("grant_type")? {
            "authorization_code" => self.redeem(&asked).await,
            "refresh_token" => self.refresh(&asked).await,
            _ => Err(OAuthFailure::GrantType),
        }
    }

    async fn redeem(self, asked: &Parameters) -> std::result::Result<GivenTokens, OAuthFailure> {
        const STALE: OAuthFailure =
            OAuthFailure::Grant("This code is not good any more. Ask the person again.");
        let mut tx = self.hub.store().write().await?;
        let Some(grant) = rows::by_code(&mut tx, &secret_digest(asked.need("code")?)).await? else {
            return Err(STALE);
        };
        if let Some(token) = &grant.token {
            drop(tx);
            self.end(&grant, token).await?;
            return Err(STALE);
        }
        let now = self.hub.now();
        if grant.code_ends_at < now {
            return Err(STALE);
        }
        check(&grant, asked)?;
        if asked.get("redirect_uri").is_some_and(|redirect| redirect != grant.redirect_uri) {
            return Err(OAuthFailure::Grant("The answer went to another address."));
        }
        let verifier = asked.need("code_verifier")?;
        let fits = VERIFIER.contains(&verifier.len())
            && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == grant.challenge;
        if !fits {
            return Err(OAuthFailure::Grant("Another program asked for this code."));
        }
        self.hub.accounts().require_room_for_token(&mut tx, &grant.owner).await?;
        let token = TokenId(new_id());
        let granted = Granted {
            id: &token,
            owner: &grant.owner,
            name: &grant.name,
            scope: grant.scope,
            relays: grant.relays,
            at: now,
        };
        let access = self.hub.accounts().add_granted(&mut tx, &granted).await?;
        self.given(tx, &grant, &token, None, access).await
    }

    async fn refresh(self, asked: &Parameters) -> std::result::Result<GivenTokens, OAuthFailure> {
        const STALE: OAuthFailure = OAuthFailure::Grant("What this renews has ended. Ask the person again.");
        let brought = secret_digest(asked.need("refresh_token")?);
        let mut tx = self.hub.store().write().await?;
        let Some(grant) = rows::by_refresh(&mut tx, &brought).await? else {
            if let Some(grant) = rows::by_used_refresh(&mut tx, &brought).await?
                && let Some(token) = &grant.token
            {
                drop(tx);
                self.end(&grant, token).await?;
            }
            return Err(STALE);
        };
        check(&grant, asked)?;
        let Some(token) =
            grant.token.clone().filter(|_| grant.refresh_ends_at.is_some_and(|end| end > self.hub.now()))
        else {
            return Err(STALE);
        };
        let is_disabled = query("SELECT 1 FROM users WHERE id = $1 AND disabled = 1", (&grant.owner,))
            .exists(&mut *tx)
            .await?;
        if is_disabled {
            return Err(STALE);
        }
        let access = new_token();
        query("UPDATE tokens SET token_hash = $1 WHERE id = $2", (secret_digest(&access), &token))
            .execute(&mut *tx)
            .await?;
        self.given(tx, &grant, &token, Some(&brought), access).await
    }

    async fn given(
        self,
        mut tx: Transaction,
        grant: &Grant,
        token: &TokenId,
        used: Option<&str>,
        access_token: String,
    ) -> std::result::Result<GivenTokens, OAuthFailure> {
        let (now, refresh_token) = (self.hub.now(), new_secret());
        let renewed = Renewed {
            token,
            refresh: &secret_digest(&refresh_token),
            access_ends_at: now + ACCESS_SECONDS * 1000,
            refresh_ends_at: now + REFRESH_MS,
        };
        if !rows::renew(&mut tx, grant, used, &renewed).await? {
            return Err(OAuthFailure::Grant("This was brought twice at the same time."));
        }
        tx.commit().await.map_err(Error::from)?;
        Ok(GivenTokens {
            access_token,
            token_type: "Bearer",
            expires_in: ACCESS_SECONDS,
            refresh_token,
            scope: scope_words(grant.scope),
        })
    }

    /// Ends the grant whose token this is, of either kind (RFC 7009). Of one that nobody has nothing is said.
    pub async fn revoke(self, form: &[u8]) -> std::result::Result<(), OAuthFailure> {
        let brought = secret_digest(Parameters::parse(form)?.need("token")?);
        let mut tx = self.hub.store().write().await?;
        let found = match rows::by_refresh(&mut tx, &brought).await? {
            Some(grant) => Some(grant),
            None => rows::by_access(&mut tx, &brought).await?,
        };
        drop(tx);
        match found.as_ref().and_then(|grant| Some((grant, grant.token.as_ref()?))) {
            Some((grant, token)) => Ok(self.end(grant, token).await?),
            None => Ok(()),
        }
    }

    async fn end(self, grant: &Grant, token: &TokenId) -> Result<()> {
        let name: Option<String> = query("SELECT name FROM users WHERE id = $1", (&grant.owner,))
            .fetch_optional(self.hub.store().read())
            .await?;
        let name = name.unwrap_or_default();
        let line = AuditEvent::done(AuditAction::TokenRevoked, Actor::hub()).about(&grant.owner, &name);
        match self.hub.accounts().end_token(&grant.owner, token, line).await {
            // Somebody else was faster.
            Err(Error::NotFound(_)) => Ok(()),
            ended => ended,
        }
    }
}

fn check(grant: &Grant, asked: &Parameters) -> std::result::Result<(), OAuthFailure> {
    if asked.need("client_id")? != grant.client {
        return Err(OAuthFailure::Grant("Another program asked for this."));
    }
    match asked.get("resource") {
        Some(resource) if !is_for_mcp(resource, &grant.origin) => Err(OAuthFailure::Target),
        Some(_) | None => Ok(()),
    }
}
