//! A backup that an administrator has made now, beside those that come by themselves.

use crate::Hub;
use crate::access::{Admin, Viewer};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use protocol::view::AuditAction;
use std::time::Duration;
use tokio::time::timeout;

/// How long who asked for one waits for it. It goes on without them.
const PATIENCE: Duration = Duration::from_secs(30);

/// The backups of the hub, for who runs it.
#[derive(Clone, Copy, Debug)]
pub struct HubBackups<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn backups(&self) -> HubBackups<'a> {
        HubBackups { hub: self.hub, viewer: self.viewer }
    }
}

impl HubBackups<'_> {
    /// Makes one where those go that the hub makes by itself, and counts it among them. `false`: it takes a while, and
    /// the status says how it went.
    pub async fn back_up_now(self) -> Result<bool> {
        let hub = self.hub.clone();
        let plan = hub.backups().plan().clone().ok_or_else(|| {
            Error::invalid(
                "The hub has no place for backups. Whoever runs it can name one, with VIVARIUM_BACKUP_DIR.",
            )
        })?;
        let making = hub.begin_backup().ok_or_else(|| {
            Error::Conflict("A backup is being made already. Wait until it is done.".to_owned())
        })?;
        let mut tx = hub.store().write().await?;
        let line = AuditEvent::done(AuditAction::BackupBegun, self.viewer).about_nobody();
        hub.audit().note(&mut tx, line.object(&plan.place.to_string())).await?;
        tx.commit().await?;
        let making = async move {
            let made = hub.back_up(&plan, making).await;
            made.inspect_err(|why| hub.no_backup_was_made(why))
        };
        match timeout(PATIENCE, self.hub.tasks().complete(making)).await {
            Err(_) => Ok(false),
            Ok(made) => made?.map(|()| true).map_err(Error::Upstream),
        }
    }
}
