//! Everything that a person has here as one zip file, written while it is read: it may be larger than the memory that
//! a person may take. What cannot go along is named in it.

mod contents;
mod names;
mod writer;

use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::fair_queue::FairQueue;
use protocol::UserId;
use protocol::view::AuditAction;
use tokio::sync::mpsc::{self, Receiver};
use writer::{Piece, ZipWriter};

/// Written at a time for all people.
const AT_ONCE: usize = 4;
/// Parts of the file that are ready before somebody takes them.
const AHEAD: usize = 2;

#[derive(Debug)]
pub(crate) struct InMemory(FairQueue<UserId>);

impl Default for InMemory {
    fn default() -> Self {
        Self(FairQueue::new(AT_ONCE, 0))
    }
}

/// A file that is still being written.
#[derive(Debug)]
pub struct Takeout {
    pub file_name: String,
    parts: Receiver<Piece>,
}

impl Takeout {
    /// The next part of it. `None`: that was all. After an error the file is not whole.
    pub async fn next(&mut self) -> Option<Result<Vec<u8>>> {
        match self.parts.recv().await? {
            Piece::Bytes(bytes) => Some(Ok(bytes)),
            Piece::Broken(error) => Some(Err(error)),
        }
    }
}

impl Scoped<'_> {
    /// Begins to write all of the viewer's. One who stops reading ends it.
    pub async fn take_out(&self) -> Result<Takeout> {
        let (hub, viewer) = (self.hub.clone(), self.viewer.clone());
        let place = self.hub.0.takeouts.0.enter(&viewer.me.id).await.map_err(|_| {
            Error::Limit("You are taking out everything already. Let that end, or stop it first.".to_owned())
        })?;
        self.note().await?;
        let (sender, parts) = mpsc::channel(AHEAD);
        let file_name = format!("vivarium-{}.zip", names::plain(&viewer.me.name));
        self.hub.tasks().spawn(async move {
            let mut zip = ZipWriter::new(sender);
            let written = contents::write(hub.for_viewer(&viewer), &mut zip).await;
            zip.end(written).await;
            drop(place);
        });
        Ok(Takeout { file_name, parts })
    }

    async fn note(&self) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        self.hub.audit().note(&mut tx, AuditEvent::done(AuditAction::TakenOut, self.viewer)).await?;
        tx.commit().await
    }
}
