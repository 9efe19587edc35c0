//! Signing in with name and password.

use super::attempts::{self, Counter};
use super::passwords::Verdict;
use super::people;
use super::rules::{PersonName, is_no_password};
use super::secrets::stored;
use super::sessions::{self, NewSession};
use crate::Hub;
use crate::access::Visitor;
use crate::audit::{Actor, Line};
use crate::error::{Error, Result};
use protocol::view::{AuditAction, Me};
use sqlx::Row;

impl Hub {
    /// Opens a fresh session: one that the browser had before is never taken over.
    pub async fn sign_in<'a>(
        &self,
        name: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<NewSession> {
        let visitor = visitor.into();
        let Ok(PersonName { login, .. }) = PersonName::parse(name) else { return Err(wrong()) };
        if is_no_password(password) {
            return Err(wrong());
        }
        let counters = self.counters(&login, &visitor).await?;
        let used_up = self.count_attempt(counters.clone()).await?;
        let me = match self.person_with_password(&login, password).await {
            Ok(me) => me,
            Err(error) => {
                self.note_failure(&login, &visitor, &used_up).await?;
                return Err(error);
            }
        };
        let mut tx = self.store.write().await?;
        attempts::forget(&mut tx, &counters).await?;
        let session = sessions::open(&mut tx, me, &visitor, self.now()).await?;
        let device = sessions::device_name_of(&visitor);
        self.note(&mut tx, Line::done(AuditAction::SignedIn, &session.viewer).object(&device)).await?;
        tx.commit().await?;
        Ok(session)
    }

    /// What an attempt is counted by: for a browser that is known the browser alone, so that strangers
    /// who guess cannot keep the person out.
    async fn counters(&self, login: &str, visitor: &Visitor<'_>) -> Result<Vec<Counter>> {
        if let Some(secret) = visitor.known
            && self.is_known(secret, login).await?
        {
            return Ok(vec![Counter::Known(format!("{} {login}", stored(secret)))]);
        }
        let name = Counter::name(&self.vault.signing_key("names that somebody tried"), login);
        Ok(visitor.address.map(Counter::address).into_iter().chain([name]).collect())
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

    /// Records a failure. A name that nobody has is not written down: it may be a password in the wrong
    /// field.
    async fn note_failure(&self, login: &str, visitor: &Visitor<'_>, used_up: &[Counter]) -> Result<()> {
        let row = sqlx::query("SELECT id, name FROM users WHERE login = $1")
            .bind(login)
            .fetch_optional(self.store.read())
            .await?;
        let person: Option<(String, String)> =
            row.map(|row| Ok::<_, Error>((row.try_get("id")?, row.try_get("name")?))).transpose()?;
        let line = |action| {
            let line = Line::done(action, Actor::from(visitor)).refused();
            match &person {
                Some((id, name)) => line.about(id, name),
                None => line.object("a name that nobody has"),
            }
        };
        let mut tx = self.store.write().await?;
        self.note(&mut tx, line(AuditAction::SignedIn)).await?;
        if !used_up.is_empty() {
            self.note(&mut tx, line(AuditAction::Locked)).await?;
        }
        tx.commit().await?;
        Ok(())
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
