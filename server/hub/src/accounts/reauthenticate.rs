//! The password, asked again of somebody who is signed in, before what whoever sits at an open screen
//! should not be able to do.

use super::attempts::{Attempt, Counter};
use super::passwords::{HashPriority, PasswordCheck};
use super::rules::is_no_password;
use crate::accounts::OwnAccount;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::AuditAction;

/// The password was right.
#[derive(Debug)]
pub(super) struct Reauthenticated {
    /// Settled by whoever does what it was asked for.
    pub(super) attempt: Attempt,
    /// The hash that it fits.
    pub(super) hash: String,
}

impl OwnAccount<'_> {
    /// A failure is written down as one of `action`.
    pub(super) async fn password_again(self, password: &str, action: AuditAction) -> Result<Reauthenticated> {
        if is_no_password(password) {
            return Err(wrong());
        }
        let attempt = self
            .scoped
            .hub
            .accounts()
            .count_attempt(vec![Counter::Password(self.scoped.owner().to_owned())])
            .await?;
        let hash: String = query("SELECT password_hash FROM users WHERE id = $1", (self.scoped.owner(),))
            .fetch_one(self.scoped.hub.store().read())
            .await?;
        match self
            .scoped
            .hub
            .passwords()
            .verify(&HashPriority::person(self.scoped.owner()), Some(hash.clone()), password)
            .await?
        {
            PasswordCheck::Right | PasswordCheck::RightButWeak => Ok(Reauthenticated { attempt, hash }),
            PasswordCheck::Wrong => {
                self.note_refused(action, "wrong password").await?;
                Err(wrong())
            }
        }
    }

    pub(super) async fn note_refused(self, action: AuditAction, why: &str) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(action, self.scoped.viewer).refused().object(why))
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

fn wrong() -> Error {
    Error::invalid("The current password is wrong.")
}
