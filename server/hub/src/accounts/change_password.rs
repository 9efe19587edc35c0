//! Changing one's own password.

use super::again::Again;
use super::pending;
use super::rules::check_password;
use crate::access::Scoped;
use crate::audit::Line;
use crate::error::{Error, Result};
use protocol::DeviceId;
use protocol::view::AuditAction;
use sqlx::Row;

impl Scoped<'_> {
    /// Takes the new password and signs every other device out.
    pub async fn change_password(&self, old: &str, new: &str) -> Result<()> {
        check_password(new)?;
        let again = self.password_again(old, AuditAction::PasswordChanged).await?;
        let new_hash = self.hub.passwords.hash(new).await?;
        for device in self.store_password(&again, &new_hash).await? {
            self.hub.live.end_device(&device);
        }
        Ok(())
    }

    /// Gives the devices whose sessions ended.
    async fn store_password(&self, again: &Again, new_hash: &str) -> Result<Vec<DeviceId>> {
        let mut tx = self.hub.store.write().await?;
        again.attempt.succeed(&mut tx).await?;
        let changed = sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
            .bind(new_hash)
            .bind(self.owner())
            .bind(&again.hash)
            .execute(&mut *tx)
            .await?;
        if changed.rows_affected() == 0 {
            return Err(Error::Conflict("The password was changed from another device just now.".to_owned()));
        }
        pending::forget(&mut tx, self.owner()).await?;
        let this_one = self.viewer.device().map_or("", |device| &device.0);
        let ended = sqlx::query("DELETE FROM devices WHERE user_id = $1 AND id <> $2 RETURNING id")
            .bind(self.owner())
            .bind(this_one)
            .fetch_all(&mut *tx)
            .await?;
        let ended = ended.iter().map(|row| Ok(DeviceId(row.try_get("id")?))).collect::<Result<_>>()?;
        self.hub.note(&mut tx, Line::done(AuditAction::PasswordChanged, self.viewer)).await?;
        tx.commit().await?;
        Ok(ended)
    }
}
