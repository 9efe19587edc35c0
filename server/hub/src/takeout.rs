//! Everything that a person has here as one zip file, written while it is read: it may be larger than the memory that
//! a person may take. What cannot go along is named in it.

mod contents;
mod names;
mod writer;

use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use protocol::UserId;
use protocol::view::AuditAction;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{self, Receiver};
use writer::{Piece, ZipWriter};

/// Parts of the file that are ready before somebody takes them.
const AHEAD: usize = 2;

/// Whose is being written. A reader may be as slow as they like: they hold up nobody else.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnderWay(Arc<Mutex<HashSet<UserId>>>);

/// Given back when it is dropped.
#[derive(Debug)]
struct Turn(UnderWay, UserId);

impl UnderWay {
    /// `None`: this person's is being written already.
    fn enter(&self, person: &UserId) -> Option<Turn> {
        let is_first = self.lock().insert(person.clone());
        is_first.then(|| Turn(self.clone(), person.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<UserId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.lock().remove(&self.1);
    }
}

/// A file that is still being written.
#[derive(Debug)]
pub struct Takeout {
    pub file_name: String,
    parts: Receiver<Piece>,
    is_over: bool,
}

impl Takeout {
    /// The next part of it. `None`: that was all. After an error the file is not whole, also where whoever wrote it
    /// went without a word.
    pub async fn next(&mut self) -> Option<Result<Vec<u8>>> {
        if self.is_over {
            return None;
        }
        let part = match self.parts.recv().await {
            Some(Piece::Bytes(bytes)) => return Some(Ok(bytes)),
            Some(Piece::End) => None,
            Some(Piece::Broken(error)) => Some(Err(error)),
            None => Some(Err(Error::Conflict("The hub stopped before it was whole. Try again.".to_owned()))),
        };
        self.is_over = true;
        part
    }
}

impl Scoped<'_> {
    /// Begins to write all of the viewer's. One who stops reading ends it.
    pub async fn take_out(&self) -> Result<Takeout> {
        let (hub, viewer) = (self.hub.clone(), self.viewer.clone());
        let turn = self.hub.0.takeouts.enter(&viewer.me.id).ok_or_else(|| {
            Error::Limit("You are taking out everything already. Let that end, or stop it first.".to_owned())
        })?;
        self.note().await?;
        let (sender, parts) = mpsc::channel(AHEAD);
        let file_name = format!("vivarium-{}.zip", names::plain(&viewer.me.name));
        self.hub.tasks().spawn(async move {
            let mut zip = ZipWriter::new(sender);
            tokio::select! {
                biased;
                () = hub.tasks().closing() => {}
                written = contents::write(hub.for_viewer(&viewer), &mut zip) => zip.end(written).await,
            }
            drop(turn);
        });
        Ok(Takeout { file_name, parts, is_over: false })
    }

    async fn note(&self) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        self.hub.audit().note(&mut tx, AuditEvent::done(AuditAction::TakenOut, self.viewer)).await?;
        tx.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_that_was_not_written_to_its_end_does_not_look_whole() {
        for (pieces, is_whole) in [(vec![Piece::End], true), (Vec::new(), false)] {
            let (sender, parts) = mpsc::channel(AHEAD);
            let mut takeout = Takeout { file_name: String::new(), parts, is_over: false };
            sender.send(Piece::Bytes(vec![1])).await.unwrap();
            for piece in pieces {
                sender.send(piece).await.unwrap();
            }
            drop(sender);
            assert_eq!(takeout.next().await.unwrap().unwrap(), [1]);
            assert_eq!(takeout.next().await.is_none(), is_whole);
            assert!(takeout.next().await.is_none());
        }
    }

    #[test]
    fn a_person_has_one_at_a_time_and_nobody_waits_for_another() {
        let (under_way, ada, ben) = (UnderWay::default(), UserId("ada".to_owned()), UserId("ben".to_owned()));
        let turn = under_way.enter(&ada);
        assert!(turn.is_some() && under_way.enter(&ada).is_none() && under_way.enter(&ben).is_some());
        drop(turn);
        assert!(under_way.enter(&ada).is_some());
    }
}
