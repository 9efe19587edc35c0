//! A person's answer.

use super::failure::OAuthFailure;
use super::request::Asked;
use super::{OwnGrants, rows};
use crate::access::OpenedAgents;
use crate::accounts::{Words, secret_digest, token_name};
use crate::audit::AuditEvent;
use crate::clock::{new_id, new_secret};
use crate::error::Error;
use protocol::view::{AuditAction, Right, TokenScope};

/// Behind the name of a program for which nobody vouches.
const UNVERIFIED: &str = "unverified";
/// A code is good for so long (RFC 6749, section 4.1.2).
pub(super) const CODE_MS: i64 = 60_000;

impl OwnGrants<'_> {
    /// Gives the program a code, which it brings for a token, and returns the address to which the browser goes. `words`
    /// says whose words it will say to agents; `files` whether it may read theirs, if it asks for that;
    /// `opened` which of them there are for it.
    pub async fn allow(
        self,
        query: &str,
        origin: &str,
        words: Words,
        files: bool,
        opened: &OpenedAgents,
    ) -> Result<String, OAuthFailure> {
        self.require_person()?;
        self.scoped.require(Right::MakeTokens)?;
        self.scoped.require_opened(opened).await?;
        let asked = self.asked(query, origin).await?;
        let (hub, viewer) = (self.scoped.hub, self.scoped.viewer);
        let (name, scope) = (name_of(&asked), if files { asked.scope } else { TokenScope::Agents });
        let code = new_secret();
        let now = hub.now();
        for token in rows::over(hub.store(), self.scoped.owner(), now).await? {
            self.scoped.account().revoke_token(&token).await?;
        }
        let mut tx = hub.store().write().await?;
        rows::forget_unused(&mut tx, self.scoped.owner(), now).await?;
        hub.accounts().require_room_for_token(&mut tx, self.scoped.owner()).await?;
        let grant = rows::NewGrant {
            id: &new_id(),
            owner: self.scoped.owner(),
            client: &asked.client.id,
            name: &name,
            redirect_uri: &asked.redirect_uri,
            origin,
            scope,
            relays: words == Words::OfOthers,
            opened,
            challenge: &asked.challenge,
            code: &secret_digest(&code),
            code_ends_at: now + CODE_MS,
        };
        rows::add(&mut tx, &grant).await?;
        let line = AuditEvent::done(AuditAction::TokenMade, viewer).object(&name);
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(asked.answered("code", &code, origin))
    }

    /// Tells the program that it gets nothing.
    pub async fn deny(self, query: &str, origin: &str) -> Result<String, OAuthFailure> {
        self.require_person()?;
        Ok(self.asked(query, origin).await?.answered("error", "access_denied", origin))
    }

    /// A program cannot let another one in.
    fn require_person(self) -> Result<(), Error> {
        match self.scoped.viewer.device() {
            Some(_) => Ok(()),
            None => Err(Error::Forbidden("Only a person in their browser lets a program in.")),
        }
    }
}

/// What the person sees in their list: the program's word for itself, and who vouches for it.
fn name_of(asked: &Asked) -> String {
    token_name(&asked.client.name, asked.client.host.as_deref().unwrap_or(UNVERIFIED))
}
