//! A new password for somebody who forgot theirs: an administrator, or who owns the machine, gives them
//! a link that works once.

use super::rules::check_password;
use super::secrets::stored;
use super::{pending, people};
use crate::Hub;
use crate::access::{Admin, Visitor};
use crate::audit::{Actor, Line};
use crate::clock::new_secret;
use crate::error::{Error, Result};
use protocol::UserId;
use protocol::view::{AuditAction, NewReset};
use sqlx::Row as _;

const VALID_MS: i64 = 24 * 60 * 60 * 1000;

impl Admin<'_> {
    /// A link for this person, good for a day. It voids the one before; their password works until
    /// they have used it.
    pub async fn reset_password(&self, person: &UserId) -> Result<NewReset> {
        self.hub.make_reset(person, Actor::from(self.viewer)).await
    }
}

impl Hub {
    /// The same for who owns the machine, and knows the name alone: the last way in, for a lone
    /// administrator too.
    pub async fn reset_password_of(&self, name: &str) -> Result<NewReset> {
        let person = people::named(self.store.read(), name).await?;
        self.make_reset(&person, Actor::terminal()).await
    }

    async fn make_reset(&self, person: &UserId, actor: Actor<'_>) -> Result<NewReset> {
        let (secret, now) = (new_secret(), self.now());
        let expires_at = now + VALID_MS;
        let mut tx = self.store.write().await?;
        let me = people::lock(&mut tx, person).await?;
        sqlx::query(
            "INSERT INTO password_resets (user_id, code_hash, expires_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at",
        )
        .bind(&person.0)
        .bind(stored(&secret))
        .bind(expires_at)
        .execute(&mut *tx)
        .await?;
        let line = Line::done(AuditAction::ResetLinkMade, actor).about(&me.id.0, &me.name);
        self.note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(NewReset { path: format!("/reset/{secret}"), name: me.name, expires_at })
    }

    /// Whose password a link resets; nobody's if it was used or is too old.
    pub async fn reset_for(&self, code: &str) -> Result<Option<String>> {
        let row = sqlx::query(
            "SELECT users.name FROM password_resets JOIN users ON users.id = password_resets.user_id
             WHERE code_hash = $1 AND expires_at > $2 AND users.disabled = 0",
        )
        .bind(stored(code))
        .bind(self.now())
        .fetch_optional(self.store.read())
        .await?;
        Ok(row.map(|row| row.try_get("name")).transpose()?)
    }

    /// Takes the new password, uses the link up and signs all devices out. Signing in, with a second
    /// factor if there is one, comes after it.
    pub async fn choose_password<'a>(
        &self,
        code: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<()> {
        let visitor = visitor.into();
        if self.reset_for(code).await?.is_none() {
            return Err(stale());
        }
        check_password(password)?;
        let hash = self.passwords.hash(password).await?;
        let mut tx = self.store.write().await?;
        let used = sqlx::query(
            "DELETE FROM password_resets WHERE code_hash = $1 AND expires_at > $2 RETURNING user_id",
        )
        .bind(stored(code))
        .bind(self.now())
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(stale)?;
        let person = UserId(used.try_get("user_id")?);
        let me = people::lock(&mut tx, &person).await?;
        sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2")
            .bind(hash)
            .bind(&person.0)
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM devices WHERE user_id = $1").bind(&person.0).execute(&mut *tx).await?;
        pending::forget(&mut tx, &person.0).await?;
        let line = Line::done(AuditAction::PasswordReset, Actor::from(&visitor)).about(&me.id.0, &me.name);
        self.note(&mut tx, line).await?;
        tx.commit().await?;
        self.live.end_devices_of(&person);
        Ok(())
    }
}

fn stale() -> Error {
    Error::invalid("This link was used or is too old. Ask an administrator of this hub for a new one.")
}
