//! A program brings a code, or what renews its token, and gets a token.

use super::failure::OAuthFailure;
use super::pair::{Pair, pair, renewing};
use super::parameters::Parameters;
use super::request::{is_for_mcp, scope_words};
use super::rows::{self, Grant, Rotated};
use super::{ACCESS_SECONDS, OAuthServer};
use crate::accounts::{Granted, secret_digest};
use crate::audit::{Actor, AuditEvent};
use crate::clock::new_id;
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
/// So long what was renewed may be brought again: by a program that did so twice at once, or lost the answer.
const AGAIN_MS: i64 = 60_000;
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
    /// A code is good once, and so is what renews a token, but for a minute. What comes later ends the grant: somebody
    /// else has it too.
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
        let found = rows::by_code(self.hub.store(), &secret_digest(asked.need("code")?)).await?;
        let Some(grant) = found else { return Err(STALE) };
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
        if let Some(token) = &grant.token {
            self.end(&grant, token).await?;
            return Err(STALE);
        }
        let now = self.hub.now();
        if grant.code_ends_at < now {
            return Err(STALE);
        }
        let mut tx = self.hub.store().write().await?;
        require_enabled(&mut tx, &grant.owner, STALE).await?;
        self.hub.accounts().require_room_for_token(&mut tx, &grant.owner).await?;
        let token = TokenId(new_id());
        let granted = Granted {
            id: &token,
            owner: &grant.owner,
            name: &grant.name,
            scope: grant.scope,
            relays: grant.relays,
            opened: &grant.opened,
            at: now,
        };
        let made = pair(self.hub, &grant.id, grant.rotation + 1);
        self.hub.accounts().add_granted(&mut tx, &granted, &made.access).await?;
        match self.rotate(tx, &grant, &token).await? {
            true => Ok(given(&grant, made, ACCESS_SECONDS)),
            false => Err(STALE),
        }
    }

    async fn refresh(self, asked: &Parameters) -> std::result::Result<GivenTokens, OAuthFailure> {
        const STALE: OAuthFailure = OAuthFailure::Grant("What this renews has ended. Ask the person again.");
        let Some(brought) = renewing(self.hub, asked.need("refresh_token")?) else { return Err(STALE) };
        // What is brought twice at once is found changed once.
        for _ in 0..2 {
            let mut tx = self.hub.store().write().await?;
            let Some(grant) = rows::by_id(&mut tx, &brought.grant).await? else { return Err(STALE) };
            check(&grant, asked)?;
            let Some(token) = grant.token.clone() else { return Err(STALE) };
            let now = self.hub.now();
            if grant.refresh_ends_at.is_none_or(|end| end < now) {
                return Err(STALE);
            }
            if brought.rotation == grant.rotation {
                require_enabled(&mut tx, &grant.owner, STALE).await?;
                let made = pair(self.hub, &grant.id, grant.rotation + 1);
                query(
                    "UPDATE tokens SET token_hash = $1 WHERE id = $2",
                    (secret_digest(&made.access), &token),
                )
                .execute(&mut *tx)
                .await?;
                if self.rotate(tx, &grant, &token).await? {
                    return Ok(given(&grant, made, ACCESS_SECONDS));
                }
                continue;
            }
            drop(tx);
            let age = grant.rotated_at.map_or(i64::MAX, |at| (now - at).abs());
            if brought.rotation + 1 == grant.rotation && age <= AGAIN_MS {
                let left = ACCESS_SECONDS - age / 1000;
                return Ok(given(&grant, pair(self.hub, &grant.id, grant.rotation), left));
            }
            self.end(&grant, &token).await?;
            return Err(STALE);
        }
        Err(STALE)
    }

    /// `false`: somebody else was faster, and nothing was written.
    async fn rotate(self, mut tx: Transaction, grant: &Grant, token: &TokenId) -> Result<bool> {
        let now = self.hub.now();
        let rotated = Rotated {
            token,
            at: now,
            access_ends_at: now + ACCESS_SECONDS * 1000,
            refresh_ends_at: now + REFRESH_MS,
        };
        let is_first = rows::rotate(&mut tx, grant, &rotated).await?;
        if is_first {
            tx.commit().await?;
        }
        Ok(is_first)
    }

    /// Ends the grant whose token this is, of either kind (RFC 7009). Of one that nobody has nothing is said.
    pub async fn revoke(self, form: &[u8]) -> std::result::Result<(), OAuthFailure> {
        let asked = Parameters::parse(form)?;
        let brought = asked.need("token")?;
        let found = match renewing(self.hub, brought) {
            Some(renewing) => rows::by_id(&mut self.hub.store().write().await?, &renewing.grant).await?,
            None => rows::by_access(self.hub.store(), &secret_digest(brought)).await?,
        };
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

fn given(grant: &Grant, made: Pair, seconds: i64) -> GivenTokens {
    GivenTokens {
        access_token: made.access,
        token_type: "Bearer",
        expires_in: seconds,
        refresh_token: made.refresh,
        scope: scope_words(grant.scope),
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

/// Fails so for somebody who is disabled.
async fn require_enabled(
    tx: &mut Transaction,
    owner: &str,
    failure: OAuthFailure,
) -> std::result::Result<(), OAuthFailure> {
    let is_enabled =
        query("SELECT 1 FROM users WHERE id = $1 AND disabled = 0", (owner,)).exists(&mut **tx).await?;
    if is_enabled { Ok(()) } else { Err(failure) }
}
