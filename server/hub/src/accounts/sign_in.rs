//! Signing in with name and password.

use super::passwords::Verdict;
use super::people;
use super::rules::{PersonName, is_no_password};
use super::sessions::{self, NewSession};
use crate::Hub;
use crate::error::{Error, Result};
use protocol::view::Me;
use sqlx::Row;

impl Hub {
    /// Opens a fresh session: one that the browser had before is never taken over.
    pub async fn sign_in(&self, name: &str, password: &str, user_agent: &str) -> Result<NewSession> {
        let Ok(PersonName { login, .. }) = PersonName::parse(name) else { return Err(wrong()) };
        if is_no_password(password) {
            return Err(wrong());
        }
        self.count_attempt(&login).await?;
        let me = self.person_with_password(&login, password).await?;
        self.forget_attempts(&login).await?;
        let mut tx = self.store.write().await?;
        let session = sessions::open(&mut tx, me, user_agent, self.now()).await?;
        tx.commit().await?;
        Ok(session)
    }

    async fn person_with_password(&self, login: &str, password: &str) -> Result<Me> {
        let row = sqlx::query("SELECT id, name, role, disabled, password_hash FROM users WHERE login = $1")
            .bind(login)
            .fetch_optional(self.store.read())
            .await?;
        let hash: Option<String> = row.as_ref().map(|row| row.try_get("password_hash")).transpose()?;
        let verdict = self.passwords.verify(hash.clone(), password).await?;
        let (Some(row), Some(hash)) = (row, hash) else { return Err(wrong()) };
        let me = people::me(&row)?;
        match verdict {
            Verdict::Wrong => return Err(wrong()),
            Verdict::Right => {}
            Verdict::RightButWeak => self.strengthen(&me, &hash, password).await?,
        }
        match row.try_get::<i64, _>("disabled")? {
            0 => Ok(me),
            _ => Err(Error::Forbidden("This account is disabled. Ask the administrator of this hub.")),
        }
    }

    /// Stores a hash of today's work, unless the password was changed in the meantime.
    async fn strengthen(&self, me: &Me, weak_hash: &str, password: &str) -> Result<()> {
        let hash = self.passwords.hash(password).await?;
        let mut tx = self.store.write().await?;
        sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
            .bind(hash)
            .bind(&me.id.0)
            .bind(weak_hash)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

/// The same for an unknown name and for a wrong password.
fn wrong() -> Error {
    Error::invalid("The name or the password is wrong.")
}
