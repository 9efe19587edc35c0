//! Where the master key is lost for good: a hub goes on with another one, and without what was sealed.

use super::{Secrets, lock_sealing, seal_with, signing};
use crate::audit::{Actor, AuditEvent};
use crate::error::Result;
use protocol::view::AuditAction;

impl Secrets<'_> {
    /// For the command line, while no hub runs. Fails if a key that is here opens what is kept.
    pub async fn begin_anew(self) -> Result<()> {
        let vault = self.hub.vault();
        let mut tx = self.hub.store().write().await?;
        lock_sealing(&mut tx).await?;
        signing::replace_lost(&mut tx, &vault.keyring, vault.root()).await?;
        seal_with(&mut tx, &vault.keyring.newest()).await?;
        let line = AuditEvent::done(AuditAction::MasterKeyRotated, Actor::terminal());
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }
}
