//! Changing one's own password.

use super::passwords::HashPriority;
use super::reauthenticate::Reauthenticated;
use super::rules::check_password;
use super::sessions::{self, RenewedSession};
use super::{attempts, pending};
use crate::accounts::OwnAccount;
use crate::audit::AuditEvent;
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::store::{Row, query};
use protocol::DeviceId;
use protocol::view::AuditAction;

/// What became of the sessions.
struct PasswordChange {
    ended: Vec<DeviceId>,
    renewed: Option<RenewedSession>,
}

impl OwnAccount<'_> {
    /// Takes the new password and signs every other device out. The session of the one that asks goes on
    /// under the secret in the answer: who has copied the former one is out as well.
    pub async fn change_password(self, old: &str, new: &str) -> Result<Option<RenewedSession>> {
        check_password(new)?;
        let again = self.password_again(old, AuditAction::PasswordChanged).await?;
        let new_hash =
            self.scoped.hub.passwords().hash(&HashPriority::person(self.scoped.owner()), new).await?;
        let PasswordChange { ended, renewed } = self.store_password(&again, &new_hash).await?;
        for device in ended {
            self.scoped.hub.live().end_device(&device);
            self.scoped.hub.cluster().tell(Signal::DeviceEnded { device }).await;
        }
        Ok(renewed)
    }

    async fn store_password(self, again: &Reauthenticated, new_hash: &str) -> Result<PasswordChange> {
        let mut tx = self.scoped.hub.store().write().await?;
        again.attempt.succeed(&mut tx).await?;
        let changed = query(
            "UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3",
            (new_hash, self.scoped.owner(), &again.hash),
        )
        .execute(&mut *tx)
        .await?;
        if changed == 0 {
            return Err(Error::Conflict("The password was changed from another device just now.".to_owned()));
        }
        pending::forget(&mut tx, self.scoped.owner()).await?;
        attempts::forget_codes(&mut tx, self.scoped.owner()).await?;
        let this_one = self.scoped.viewer.device().map_or("", |device| &device.0);
        let ended = query(
            "DELETE FROM devices WHERE user_id = $1 AND id <> $2 RETURNING id",
            (self.scoped.owner(), this_one),
        )
        .fetch_all::<Row>(&mut *tx)
        .await?;
        let ended = ended.iter().map(|row| row.get("id")).collect::<Result<_>>()?;
        let renewed = match self.scoped.viewer.device() {
            Some(device) => sessions::renew(&mut tx, device, self.scoped.hub.now()).await?,
            None => None,
        };
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::PasswordChanged, self.scoped.viewer))
            .await?;
        tx.commit().await?;
        Ok(PasswordChange { ended, renewed })
    }
}
