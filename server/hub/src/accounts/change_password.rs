//! Changing one's own password.

use super::attempts::{self, Counter};
use super::passwords::Verdict;
use super::rules::{check_password, is_no_password};
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
        if is_no_password(old) {
            return Err(wrong());
        }
        let guesses = [Counter::Password(self.owner().to_owned())];
        self.hub.count_attempt(guesses.to_vec()).await?;
        let row = sqlx::query("SELECT password_hash FROM users WHERE id = $1")
            .bind(self.owner())
            .fetch_one(self.hub.store.read())
            .await?;
        let old_hash: String = row.try_get("password_hash")?;
        match self.hub.passwords.verify(Some(old_hash.clone()), old).await? {
            Verdict::Wrong => {
                self.note_wrong_password().await?;
                return Err(wrong());
            }
            Verdict::Right | Verdict::RightButWeak => {}
        }
        let new_hash = self.hub.passwords.hash(new).await?;
        for device in self.store_password(&old_hash, &new_hash, &guesses).await? {
            self.hub.live.end_device(&device);
        }
        Ok(())
    }

    /// Gives the devices whose sessions ended.
    async fn store_password(
        &self,
        old_hash: &str,
        new_hash: &str,
        guesses: &[Counter],
    ) -> Result<Vec<DeviceId>> {
        let mut tx = self.hub.store.write().await?;
        attempts::forget(&mut tx, guesses).await?;
        let changed = sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
            .bind(new_hash)
            .bind(self.owner())
            .bind(old_hash)
            .execute(&mut *tx)
            .await?;
        if changed.rows_affected() == 0 {
            return Err(Error::Conflict("The password was changed from another device just now.".to_owned()));
        }
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

    async fn note_wrong_password(&self) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        let line = Line::done(AuditAction::PasswordChanged, self.viewer).refused();
        self.hub.note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }
}

fn wrong() -> Error {
    Error::invalid("The current password is wrong.")
}
