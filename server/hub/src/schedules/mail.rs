//! Mailboxes whose new mails make schedules due: when each is looked into, and what comes of a look. Whoever looks
//! moves the next time on first, and everything that follows holds only while it stands there. So no mail is taken
//! twice or left out, wherever the process dies.

mod account;
mod imap;
mod keep;
mod look;
mod take;

pub(super) use account::{MailboxDraft, check_brought};
pub(super) use keep::{forget, put, resume};

use super::fire::OF_THIS_NODE;
use super::looking::{AT_ONCE, LOOKS_MS, Looks, OF_ONE, pause_ms};
use super::rows::{self, ScheduleRow};
use crate::error::Result;
use crate::schedules::Schedules;
use crate::store::{FromRow, Row, query};
use imap::LookError;
use protocol::schedule::{Mailbox, Timing};
use protocol::{ScheduleId, UserId};
use std::sync::atomic::{AtomicBool, Ordering};

/// How long one look may take.
const PATIENCE_MS: i64 = 60_000;
/// For so long nobody else looks.
const CLAIM_MS: i64 = 2 * PATIENCE_MS;
/// After something that could not be written down.
const AGAIN_MS: i64 = 1_000;
/// From one look to the next at most, where the last ones failed and a person waits no longer anyway.
const LONGEST_MINUTES: i64 = 60;
/// After so many refusals without a look that went well in between nobody tries any more.
const MOST_REFUSALS: u32 = 5;

/// Who looks right now.
#[derive(Default)]
pub(super) struct InMemory {
    looks: Looks,
    /// Something could not be written down since mailboxes were looked at.
    has_failed: AtomicBool,
}

impl InMemory {
    /// A mailbox may be due at another time than before.
    pub(super) fn changed(&self) {
        self.looks.changed();
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}

/// A mailbox as far as it was read.
#[derive(Clone, Debug)]
struct MailboxRow {
    schedule: ScheduleId,
    owner: UserId,
    /// While it stands there, the look is this one's.
    next_at: i64,
    uid_validity: Option<i64>,
    last_uid: i64,
    checked_at: Option<i64>,
    failures: i64,
    refusals: i64,
}

impl FromRow for MailboxRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            schedule: row.get("schedule_id")?,
            owner: row.get("user_id")?,
            next_at: row.get("next_at")?,
            uid_validity: row.get("uid_validity")?,
            last_uid: row.get("last_uid")?,
            checked_at: row.get("checked_at")?,
            failures: row.get("failures")?,
            refusals: row.get("refusals")?,
        })
    }
}

/// Those of schedules that are not switched off.
const DUE: &str = "SELECT q.schedule_id, q.next_at, q.uid_validity, q.last_uid, q.checked_at, q.failures, q.refusals,
         q.user_id
     FROM (SELECT m.schedule_id, m.next_at, m.uid_validity, m.last_uid, m.checked_at, m.failures, m.refusals, a.user_id,
               ROW_NUMBER() OVER (PARTITION BY a.user_id ORDER BY m.next_at) AS place
           FROM mailboxes m JOIN schedules s ON s.id = m.schedule_id
           JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
           WHERE m.next_at <= $2 AND s.paused = 0 AND u.disabled = 0 AND";
const IN_TURN: &str = ") q WHERE q.place <= $3 ORDER BY q.next_at, q.schedule_id LIMIT $4";

impl Schedules<'_> {
    /// Looks into mailboxes for as long as the hub is open.
    pub(crate) fn keep_mailboxes(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let pause_ms = match hub.schedules().look_into_due().await {
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(0, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("mailboxes could not be looked at: {failure}");
                        LOOKS_MS
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.clockwork().mail.looks.until_changed() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
                if hub.clockwork().mail.has_failed() {
                    tokio::select! {
                        () = hub.tasks().closing() => return,
                        () = hub.clock().until(hub.moment().plus_ms(AGAIN_MS)) => {}
                    }
                }
            }
        });
    }

    /// Begins with those that are due. Gives when the next one is.
    async fn look_into_due(self) -> Result<Option<i64>> {
        let now = self.hub.now();
        self.hub.clockwork().mail.has_failed.store(false, Ordering::Relaxed);
        let due = query([DUE, OF_THIS_NODE, IN_TURN], (self.hub.cluster().own_id(), now, OF_ONE, AT_ONCE))
            .fetch_all::<MailboxRow>(self.hub.store().read())
            .await?;
        for row in due {
            if !self.hub.clockwork().mail.looks.begin(&row.schedule) {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let id = row.schedule.clone();
                let looking = hub.schedules().look_in_turn(row);
                let looked = tokio::select! {
                    looked = looking => looked,
                    // What was not finished is due to the next one.
                    () = hub.tasks().closing() => Ok(false),
                };
                let mail = &hub.clockwork().mail;
                if let Err(error) = &looked {
                    tracing::warn!(schedule.id = %id, error = ?error, "the mailbox of schedule {id} could not be looked into");
                    mail.has_failed.store(true, Ordering::Relaxed);
                }
                mail.looks.end(&id);
                if looked.unwrap_or(true) {
                    mail.changed();
                }
            });
        }
        query(
            [
                "SELECT MIN(m.next_at) FROM mailboxes m JOIN schedules s ON s.id = m.schedule_id
                 JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
                 WHERE s.paused = 0 AND u.disabled = 0 AND m.next_at > $2 AND",
                OF_THIS_NODE,
            ],
            (self.hub.cluster().own_id(), now),
        )
        .fetch_one(self.hub.store().read())
        .await
    }

    /// Looks as soon as there is a place for it. `false`: its turn did not come, and nothing is to be looked at for
    /// that.
    async fn look_in_turn(self, row: MailboxRow) -> Result<bool> {
        let mail = &self.hub.clockwork().mail;
        // Too many wait, each of which is followed by another look; or the next look finds what this one could not
        // write down.
        let Ok(_place) = mail.looks.enter(&row.owner).await else { return Ok(false) };
        if mail.has_failed() {
            return Ok(false);
        }
        self.look_now(row).await?;
        Ok(true)
    }

    async fn look_now(self, row: MailboxRow) -> Result<()> {
        let claim = self.hub.now().saturating_add(CLAIM_MS);
        let mut tx = self.hub.store().write_uncached().await?;
        let claimed = query(
            "UPDATE mailboxes SET next_at = $3 WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, claim),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        if claimed == 0 {
            return Ok(());
        }
        let row = MailboxRow { next_at: claim, ..row };
        let known: Option<ScheduleRow> =
            query([rows::SCHEDULES, "s.id = $1 AND s.paused = 0"], (&row.schedule,))
                .fetch_optional(self.hub.store().read())
                .await?;
        let Some(known) = known else { return Ok(()) };
        let Timing::Mail(mailbox) = known.timing.clone() else { return Ok(()) };
        let until = self.hub.moment().plus_ms(PATIENCE_MS);
        let looked = tokio::select! {
            looked = self.look_into(&row, &known, &mailbox) => looked,
            () = self.hub.clock().until(until) => Err(look::Failed::In(LookError::NotYet(format!(
                "{} took too long to answer. The hub tries again by itself.",
                mailbox.server
            )))),
        };
        match looked {
            Ok(look::Looked::Through) => {
                let now = self.hub.now();
                self.note_looked(&row, &mailbox, Some(now), pause_ms(mailbox.minutes, 0, LONGEST_MINUTES))
                    .await
            }
            Ok(look::Looked::More) => self.note_looked(&row, &mailbox, row.checked_at, 0).await,
            Ok(look::Looked::Full) => {
                self.note_looked(
                    &row,
                    &mailbox,
                    row.checked_at,
                    pause_ms(mailbox.minutes, 0, LONGEST_MINUTES),
                )
                .await
            }
            Ok(look::Looked::Away) => Ok(()),
            Err(look::Failed::In(error)) => self.note_failed(&row, known, &mailbox, &error).await,
            Err(look::Failed::Of(error)) => Err(error),
        }
    }

    /// `checked`: until when all that came is taken.
    async fn note_looked(
        self,
        row: &MailboxRow,
        mailbox: &Mailbox,
        checked: Option<i64>,
        pause_ms: i64,
    ) -> Result<()> {
        let now = self.hub.now();
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE mailboxes SET next_at = $3, checked_at = $4, problem = NULL, failures = 0, refusals = 0
             WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, now.saturating_add(pause_ms), checked),
        )
        .execute(&mut *tx)
        .await?;
        tracing::debug!(schedule.id = %row.schedule, "the mailbox at {} was looked into", mailbox.server);
        tx.commit().await
    }

    /// Says so on its page, tries later, and switches the schedule off where it was for nothing too often.
    async fn note_failed(
        self,
        row: &MailboxRow,
        known: ScheduleRow,
        mailbox: &Mailbox,
        error: &LookError,
    ) -> Result<()> {
        let refusals = match error {
            LookError::NotYet(_) => row.refusals,
            LookError::Refused(_) => row.refusals + 1,
        };
        let (why, failures) = (error.to_string(), row.failures + 1);
        let next = self.hub.now().saturating_add(pause_ms(mailbox.minutes, failures, LONGEST_MINUTES));
        let mut tx = self.hub.store().write_uncached().await?;
        let noted = query(
            "UPDATE mailboxes SET next_at = $3, problem = $4, failures = $5, refusals = $6
             WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, next, &why, failures, refusals),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        // A server takes it for an attack, and locks the account, if somebody goes on.
        let times = match known.rules.breaker {
            0 => MOST_REFUSALS,
            times => times.min(MOST_REFUSALS),
        };
        if noted == 0 || refusals < i64::from(times) {
            return Ok(());
        }
        // What came before is told all the same.
        self.switch_off(known, times, why, "AND event IS NULL").await
    }
}
