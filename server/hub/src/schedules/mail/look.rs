//! One look into a mailbox: what is new, mail by mail, each as far as it counts.

use super::imap::{Folder, LookError, Session};
use super::{MailboxRow, take};
use crate::engine::{EngineError, MailFile, MailText};
use crate::error::Error;
use crate::schedules::Schedules;
use crate::schedules::rows::ScheduleRow;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::schedule::Mailbox;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Mails of one look. What is left comes with the next.
const MAILS: usize = 20;
/// Bytes of a mail that are looked at.
pub(super) const BYTES: usize = 512 * 1024;
/// What the agent is told of a mail that nobody could read.
const UNREADABLE: &str = "(A mail came that could not be read. It is in the mailbox.)";
/// How long reading one may take.
const READING: Duration = Duration::from_secs(5);

/// How a look ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    Through,
    /// There is more.
    More,
    /// There is more, and no room for it right now.
    Full,
    /// The mailbox is somebody else's to look into, or nobody's any more.
    Away,
}

pub(super) enum Failed {
    /// In the mailbox.
    In(LookError),
    /// Of the hub.
    Of(Error),
}

impl From<LookError> for Failed {
    fn from(error: LookError) -> Self {
        Self::In(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        match error {
            // What the person reads is for them.
            Error::Conflict(why) => Self::In(LookError::Refused(why)),
            error => Self::Of(error),
        }
    }
}

impl Schedules<'_> {
    pub(super) async fn look_into(
        self,
        row: &MailboxRow,
        known: &ScheduleRow,
        mailbox: &Mailbox,
    ) -> Result<Looked, Failed> {
        let password = self.password_of(&row.owner, &row.schedule, &known.place.agent, mailbox).await?;
        let password = password.ok_or_else(|| {
            LookError::Refused("The password of the mailbox is gone. Enter it again under Edit.".to_owned())
        })?;
        // The same rule as for providers: what people name may be near by where an administrator allowed that.
        let mut session = Session::open(self.hub.outbound(), mailbox, &password).await?;
        drop(password);
        let looked = self.look_at(&mut session, row, known, mailbox).await;
        session.close().await;
        looked
    }

    async fn look_at(
        self,
        session: &mut Session,
        row: &MailboxRow,
        known: &ScheduleRow,
        mailbox: &Mailbox,
    ) -> Result<Looked, Failed> {
        let folder = session.select(&mailbox.folder).await?;
        let mut row = row.clone();
        let new = match row.uid_validity {
            Some(known) if known == folder.uid_validity => session.search(&after(row.last_uid)).await?,
            None => {
                let last = last(session, folder).await?;
                let moved = take::begin_at(self.hub, &mut row, folder.uid_validity, last).await?;
                return Ok(if moved { Looked::Through } else { Looked::Away });
            }
            // The server numbers its mails anew. Of those since the last look some were taken: these are known by
            // what they say.
            Some(_) => {
                let since = row.checked_at.unwrap_or_else(|| self.hub.now());
                let recent = session.search(&format!("SINCE {}", day_before(since))).await?;
                let begin = match recent.first() {
                    Some(first) => first - 1,
                    None => last(session, folder).await?,
                };
                if !take::begin_at(self.hub, &mut row, folder.uid_validity, begin).await? {
                    return Ok(Looked::Away);
                }
                recent
            }
        };
        let begun_at = row.last_uid;
        let new: Vec<i64> = new.into_iter().filter(|uid| *uid > row.last_uid).collect();
        for uid in new.iter().copied().take(MAILS) {
            let fetched = match session.fetch(uid, BYTES).await {
                // The looks before ended with this mail as well: the others are not held up by it.
                Err(LookError::NotYet(_)) if row.failures > 1 && row.last_uid == begun_at => {
                    let digest = format!("{}/{uid}", row.uid_validity.unwrap_or_default());
                    return match self.take_mail(&mut row, known, uid, &digest, UNREADABLE).await? {
                        take::Taken::Queued | take::Taken::Before => Ok(Looked::More),
                        take::Taken::NoRoom => Ok(Looked::Full),
                        take::Taken::Away => Ok(Looked::Away),
                    };
                }
                fetched => fetched?,
            };
            let text = match &fetched {
                Some(bytes) => self.read(&row, mailbox, bytes).await?.map(|text| (bytes, text)),
                // Somebody deleted it meanwhile.
                None => None,
            };
            let moved = match text {
                Some((bytes, text)) => {
                    let digest = STANDARD.encode(Sha256::digest(bytes));
                    match self.take_mail(&mut row, known, uid, &digest, &text).await? {
                        take::Taken::Queued => {
                            if !session.mark_seen(uid).await? {
                                tracing::debug!(schedule.id = %row.schedule, "a mail could not be marked");
                            }
                            true
                        }
                        take::Taken::Before => true,
                        // It stays in the mailbox until there is room.
                        take::Taken::NoRoom => return Ok(Looked::Full),
                        take::Taken::Away => false,
                    }
                }
                None => take::pass(self.hub, &mut row, uid).await?,
            };
            if !moved {
                return Ok(Looked::Away);
            }
        }
        Ok(if new.len() > MAILS { Looked::More } else { Looked::Through })
    }

    /// What the agent is told of a mail. `None`: it does not count.
    async fn read(self, row: &MailboxRow, mailbox: &Mailbox, bytes: &[u8]) -> Result<Option<String>, Failed> {
        let file = MailFile { bytes: STANDARD.encode(bytes) };
        let mail = match self.hub.engine().perform(&row.owner, file, READING).await {
            Ok(Ok(mail)) => mail,
            Err(EngineError::TimedOut) if row.failures == 0 => {
                return Err(Failed::In(LookError::NotYet("A mail took too long to be read.".to_owned())));
            }
            // Nobody knows who wrote it, or about what.
            Ok(Err(_)) | Err(EngineError::Died | EngineError::TimedOut) => {
                return Ok(Some(UNREADABLE.to_owned()));
            }
            Err(error @ (EngineError::Busy | EngineError::NotStarted(_))) => {
                return Err(Failed::In(LookError::NotYet(format!("A mail could not be read: {error}."))));
            }
        };
        let is_own = mail.ends_at.as_deref().is_some_and(|link| self.hub.notifications().has_sent(link));
        // What the hub itself tells its person begins nothing, or one would lead to the next.
        if is_own || !super::account::is_meant(mailbox, &mail.senders, &mail.subject) {
            return Ok(None);
        }
        Ok(Some(told(&mail, bytes.len() >= BYTES)))
    }
}

/// As the agent reads it.
fn told(mail: &MailText, is_longer: bool) -> String {
    let MailText { from, subject, date, text, attachments, .. } = mail;
    let mut told = format!("From: {from}\nSubject: {subject}\n");
    if let Some(date) = date {
        told.push_str(&format!("Date: {date}\n"));
    }
    if !attachments.is_empty() {
        told.push_str(&format!("Attached, and not read: {}\n", attachments.join(", ")));
    }
    told.push('\n');
    told.push_str(text);
    if mail.is_cut || is_longer {
        told.push_str("\n\n(The mail is longer. The rest is in the mailbox.)");
    }
    told
}

/// The number of the newest mail.
async fn last(session: &mut Session, folder: Folder) -> Result<i64, LookError> {
    match folder.uid_next {
        Some(next) => Ok(next - 1),
        None => Ok(session.search("ALL").await?.last().copied().unwrap_or_default()),
    }
}

fn after(uid: i64) -> String {
    format!("UID {}:*", uid + 1)
}

/// As IMAP writes a day: `25-Nov-2026`. The one before, whatever the server's clock says.
fn day_before(at: i64) -> String {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    crate::clock::in_utc(at.saturating_sub(DAY_MS)).strftime("%d-%b-%Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_said_as_servers_take_them() {
        assert_eq!(day_before(1_764_151_200_000), "25-Nov-2025");
        assert_eq!(day_before(0), "31-Dec-1969");
    }
}
