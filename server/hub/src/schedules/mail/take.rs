//! A mail on its way from its mailbox to the agent, in the commit that notes how far the mailbox was read.

use super::MailboxRow;
use crate::Hub;
use crate::error::{Error, Result};
use crate::schedules::rows::ScheduleRow;
use crate::schedules::{Schedules, firings, webhooks};
use crate::store::{Transaction, query};
use protocol::schedule::FiringCause;

/// Mails of a schedule that are remembered.
const REMEMBERED: i64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is on the disk, and its agent hears of it.
    Queued,
    /// It was taken before.
    Before,
    NoRoom,
    /// The look is not this one's any more.
    Away,
}

impl Schedules<'_> {
    pub(super) async fn take_mail(
        self,
        row: &mut MailboxRow,
        known: &ScheduleRow,
        uid: i64,
        digest: &str,
        text: &str,
    ) -> Result<Taken> {
        let hub = self.hub;
        if hub.clockwork().rates.admit(&row.schedule, &row.owner, hub.moment()).is_err() {
            return Ok(Taken::NoRoom);
        }
        let mut tx = hub.store().write().await?;
        if !moved_on(&mut tx, row, uid).await? {
            return Ok(Taken::Away);
        }
        let is_new = query(
            "INSERT INTO taken_mails (schedule_id, digest, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            (&row.schedule, digest, hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        if is_new != 0 {
            query(
                "DELETE FROM taken_mails WHERE schedule_id = $1 AND at <
                     (SELECT t.at FROM taken_mails t WHERE t.schedule_id = $1 ORDER BY t.at DESC
                     LIMIT 1 OFFSET $2)",
                (&row.schedule, REMEMBERED),
            )
            .execute(&mut *tx)
            .await?;
            match webhooks::require_room(&mut tx, known, &row.owner, text).await {
                Ok(()) => {}
                Err(Error::Limit(_)) => return Ok(Taken::NoRoom),
                Err(error) => return Err(error),
            }
            firings::queue_event(&mut tx, known, hub.now(), FiringCause::Mail, text).await?;
        }
        tx.commit().await?;
        row.last_uid = uid;
        hub.clockwork().changed();
        Ok(if is_new == 0 { Taken::Before } else { Taken::Queued })
    }
}

/// The mail is none that counts. `false`: the look is not this one's any more.
pub(super) async fn pass(hub: &Hub, row: &mut MailboxRow, uid: i64) -> Result<bool> {
    let mut tx = hub.store().write_uncached().await?;
    let moved = moved_on(&mut tx, row, uid).await?;
    tx.commit().await?;
    row.last_uid = uid;
    Ok(moved)
}

/// Reads on from this number of this numbering.
pub(super) async fn begin_at(hub: &Hub, row: &mut MailboxRow, validity: i64, uid: i64) -> Result<bool> {
    let mut tx = hub.store().write_uncached().await?;
    let moved = query(
        "UPDATE mailboxes SET uid_validity = $3, last_uid = $4 WHERE schedule_id = $1 AND next_at = $2",
        (&row.schedule, row.next_at, validity, uid),
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    (row.uid_validity, row.last_uid) = (Some(validity), uid);
    Ok(moved != 0)
}

/// Whether the look is still this one's, and the schedule not switched off meanwhile.
async fn moved_on(tx: &mut Transaction, row: &MailboxRow, uid: i64) -> Result<bool> {
    let moved = query(
        "UPDATE mailboxes SET last_uid = $4 WHERE schedule_id = $1 AND next_at = $2 AND last_uid = $3
         AND EXISTS (SELECT 1 FROM schedules s WHERE s.id = $1 AND s.paused = 0)",
        (&row.schedule, row.next_at, row.last_uid, uid),
    )
    .execute(&mut **tx)
    .await?;
    Ok(moved != 0)
}
