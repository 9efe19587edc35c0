//! Invitations, and who may make an account at all.

use super::secrets::stored;
use super::settings;
use crate::accounts::People;
use crate::audit::AuditEvent;
use crate::clock::new_secret;
use crate::error::{Error, Result};
use crate::store::{Connection, Row, name_of, query};
use protocol::view::{AuditAction, NewInvite, SignUpMode};
use sqlx::{Any, Executor};

const VALID_MS: i64 = 7 * 24 * 60 * 60 * 1000;

impl People<'_> {
    /// An invitation for one person, good for seven days.
    pub async fn invite(self) -> Result<NewInvite> {
        let (secret, now) = (new_secret(), self.hub.now());
        let expires_at = now + VALID_MS;
        let mut tx = self.hub.store().write().await?;
        query("DELETE FROM invites WHERE expires_at <= $1", (now,)).execute(&mut *tx).await?;
        query(
            "INSERT INTO invites (invite_hash, created_by, created_at, expires_at) VALUES ($1, $2, $3, $4)",
            (stored(&secret), &self.viewer.me.id, now, expires_at),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::Invited, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(NewInvite { path: format!("/sign-up?invite={secret}"), expires_at })
    }

    pub async fn set_sign_up(self, mode: SignUpMode) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        settings::set_sign_up_mode(&mut tx, mode).await?;
        let name = name_of(&mode)?;
        let line = AuditEvent::done(AuditAction::SignUpSet, self.viewer).about_nobody().object(&name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// One is good while whoever made it may invite.
pub(super) async fn check(executor: impl Executor<'_, Database = Any>, invite: &str, now: i64) -> Result<()> {
    let row = query(
        "SELECT invite_hash FROM invites JOIN users ON users.id = invites.created_by
         WHERE invite_hash = $1 AND used_at IS NULL AND expires_at > $2
           AND users.role = 'admin' AND users.disabled = 0",
        (stored(invite), now),
    )
    .fetch_optional::<Row>(executor)
    .await?;
    row.map(|_| ()).ok_or_else(stale)
}

pub(super) async fn use_up(connection: &mut Connection, invite: &str, now: i64) -> Result<()> {
    let used = query(
        "UPDATE invites SET used_at = $1 WHERE invite_hash = $2 AND used_at IS NULL AND expires_at > $1
           AND created_by IN (SELECT id FROM users WHERE role = 'admin' AND disabled = 0)",
        (now, stored(invite)),
    )
    .execute(connection)
    .await?;
    match used {
        0 => Err(stale()),
        _ => Ok(()),
    }
}

fn stale() -> Error {
    Error::invalid(
        "This invitation was used, is too old, or is from somebody who may not invite any more. Ask for a new one.",
    )
}
