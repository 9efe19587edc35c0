//! A new password for somebody who forgot theirs: an administrator, or who owns the machine, gives them
//! a link that works once.

use super::passwords::HashPriority;
use super::rules::check_password;
use super::secrets::stored;
use super::{attempts, pending, people};
use crate::access::Visitor;
use crate::accounts::{Accounts, People};
use crate::audit::{Actor, AuditEvent};
use crate::clock::new_secret;
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::UserId;
use protocol::view::{AuditAction, NewReset};

const VALID_MS: i64 = 24 * 60 * 60 * 1000;

impl People<'_> {
    /// A link for this person, good for a day. It voids the one before; their password works until
    /// they have used it.
    pub async fn reset_password(self, person: &UserId) -> Result<NewReset> {
        // It would be a way into a browser, for whoever has the token.
        if *person == self.viewer.me.id && self.hub.is_limited(self.viewer).await? {
            return Err(Error::Forbidden("This token has a limit. Change your own password in a browser."));
        }
        self.hub.accounts().make_reset(person, Actor::from(self.viewer)).await
    }
}

impl Accounts<'_> {
    /// The same for who owns the machine, and knows the name alone: the last way in, for a lone
    /// administrator too.
    pub async fn reset_password_of(self, name: &str) -> Result<NewReset> {
        let person = people::named(self.hub.store().read(), name).await?;
        self.make_reset(&person, Actor::terminal()).await
    }

    async fn make_reset(self, person: &UserId, actor: Actor<'_>) -> Result<NewReset> {
        let (secret, now) = (new_secret(), self.hub.now());
        let expires_at = now + VALID_MS;
        let mut tx = self.hub.store().write().await?;
        let me = people::lock(&mut tx, person).await?;
        query(
            "INSERT INTO password_resets (user_id, code_hash, expires_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash,
             expires_at = excluded.expires_at",
            (person, stored(&secret), expires_at),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::ResetLinkMade, actor).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(NewReset { path: format!("/reset/{secret}"), name: me.name, expires_at })
    }

    /// Whose password a link resets; nobody's if it was used or is too old.
    pub async fn reset_for(self, code: &str) -> Result<Option<String>> {
        query(
            "SELECT users.name FROM password_resets JOIN users ON users.id = password_resets.user_id
             WHERE code_hash = $1 AND expires_at > $2 AND users.disabled = 0",
            (stored(code), self.hub.now()),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }

    /// Takes the new password, uses the link up and signs all devices out. Signing in, with a second
    /// factor if there is one, comes after it.
    pub async fn choose_password<'a>(
        self,
        code: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<()> {
        let visitor = visitor.into();
        if self.reset_for(code).await?.is_none() {
            return Err(stale());
        }
        check_password(password)?;
        let hash = self.hub.passwords().hash(&HashPriority::visitor(&visitor), password).await?;
        let mut tx = self.hub.store().write().await?;
        let person: UserId = query(
            "DELETE FROM password_resets WHERE code_hash = $1 AND expires_at > $2 RETURNING user_id",
            (stored(code), self.hub.now()),
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(stale)?;
        let me = people::lock(&mut tx, &person).await?;
        query("UPDATE users SET password_hash = $1 WHERE id = $2", (hash, &person)).execute(&mut *tx).await?;
        query("DELETE FROM devices WHERE user_id = $1", (&person,)).execute(&mut *tx).await?;
        pending::forget(&mut tx, &person.0).await?;
        attempts::forget_codes(&mut tx, &person.0).await?;
        let line =
            AuditEvent::done(AuditAction::PasswordReset, Actor::from(&visitor)).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.hub.live().end_devices_of(&person);
        self.hub.cluster().tell(Signal::DevicesEnded { person }).await;
        Ok(())
    }
}

fn stale() -> Error {
    Error::invalid("This link was used or is too old. Ask an administrator of this hub for a new one.")
}
