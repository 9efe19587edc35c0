//! Deleting one's own account: what an administrator does who removes somebody, with the person's own password.

use crate::accounts::{OwnAccount, People};
use crate::error::{Error, Result};
use crate::store::{Store, query};
use protocol::UserId;
use protocol::view::AuditAction;
use std::time::Duration;

/// Looks for runs that another node is ending.
const LOOKS: usize = 40;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

impl OwnAccount<'_> {
    /// Deletes the viewer with all that they have. Money that they spent stays spent, and the audit says what it said.
    pub async fn erase(self, password: &str) -> Result<()> {
        let (hub, viewer) = (self.scoped.hub, self.scoped.viewer);
        let again = self.password_again(password, AuditAction::PersonRemoved).await?;
        let mut tx = hub.store().write().await?;
        again.attempt.succeed(&mut tx).await?;
        tx.commit().await?;
        let (people, person) = (People { hub, viewer }, &viewer.me.id);
        let gone = async {
            people.disable(person).await?;
            people.wait_until_ended(person).await?;
            people.remove_disabled(person).await
        };
        let gone = gone.await;
        // Nobody else would let them in again.
        if gone.is_err() && is_out(hub.store(), person).await? {
            people.enable(person).await?;
        }
        gone
    }
}

async fn is_out(store: &Store, person: &UserId) -> Result<bool> {
    query("SELECT 1 FROM users WHERE id = $1 AND disabled = 1", (person,)).exists(store.read()).await
}

impl People<'_> {
    async fn wait_until_ended(self, person: &UserId) -> Result<()> {
        for _ in 0..LOOKS {
            if !self.runs_elsewhere(person).await? {
                return Ok(());
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        Err(Error::Conflict(
            "Your agents are still ending what they do. Sign in again and try it in a few seconds."
                .to_owned(),
        ))
    }
}
