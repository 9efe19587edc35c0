//! The password, asked again of somebody who is signed in, before what whoever sits at an open screen
//! should not be able to do.

use super::attempts::{Attempt, Counter};
use super::passwords::Verdict;
use super::rules::is_no_password;
use crate::access::Scoped;
use crate::audit::Line;
use crate::error::{Error, Result};
use protocol::view::AuditAction;
use sqlx::Row;

/// The password was right.
#[derive(Debug)]
pub(super) struct Again {
    /// Settled by whoever does what it was asked for.
    pub(super) attempt: Attempt,
    /// The hash that it fits.
    pub(super) hash: String,
}

impl Scoped<'_> {
    /// A failure is written down as one of `action`.
    pub(super) async fn password_again(&self, password: &str, action: AuditAction) -> Result<Again> {
        if is_no_password(password) {
            return Err(wrong());
        }
        let attempt = self.hub.count_attempt(vec![Counter::Password(self.owner().to_owned())]).await?;
        let row = sqlx::query("SELECT password_hash FROM users WHERE id = $1")
            .bind(self.owner())
            .fetch_one(self.hub.store.read())
            .await?;
        let hash: String = row.try_get("password_hash")?;
        match self.hub.passwords.verify(Some(hash.clone()), password).await? {
            Verdict::Right | Verdict::RightButWeak => Ok(Again { attempt, hash }),
            Verdict::Wrong => {
                self.note_refused(action, "wrong password").await?;
                Err(wrong())
            }
        }
    }

    pub(super) async fn note_refused(&self, action: AuditAction, why: &str) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        self.hub.note(&mut tx, Line::done(action, self.viewer).refused().object(why)).await?;
        tx.commit().await?;
        Ok(())
    }
}

fn wrong() -> Error {
    Error::invalid("The current password is wrong.")
}
