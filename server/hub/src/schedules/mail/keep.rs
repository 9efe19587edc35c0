//! How a mailbox comes to be looked into: its row, and its password in the vault, which nobody reads again.

use super::MailboxDraft;
use super::account::{account, place};
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::schedules::Schedules;
use crate::schedules::looking::MINUTE_MS;
use crate::store::{Transaction, query};
use crate::vault::{Secret, Vault, mailbox_purpose};
use protocol::schedule::{Mailbox, Timing};
use protocol::view::Right;
use protocol::{AgentId, ScheduleId, UserId};

/// Mailboxes of one person.
const MOST_MAILBOXES: i64 = 20;

/// Takes a mailbox in. What it had before is `before`: where that is the same one, the password and how far it was
/// read stay.
pub(in crate::schedules) async fn put(
    scoped: &Scoped<'_>,
    tx: &mut Transaction,
    id: &ScheduleId,
    agent: &AgentId,
    draft: &MailboxDraft,
    before: Option<&Timing>,
) -> Result<()> {
    scoped.require(Right::SaveProviders)?;
    let MailboxDraft { mailbox, password } = draft;
    let before = match before {
        Some(Timing::Mail(before)) => Some(before),
        Some(
            Timing::Once { .. }
            | Timing::Every { .. }
            | Timing::Days { .. }
            | Timing::Cron { .. }
            | Timing::Webhook
            | Timing::Feed { .. }
            | Timing::Finished { .. }
            | Timing::File { .. }
            | Timing::Device,
        )
        | None => None,
    };
    let (account, purpose) = (account(mailbox), mailbox_purpose(agent));
    let place = place(scoped.owner(), &id.0, &purpose, &account);
    match password {
        Some(password) => scoped.hub.vault().put(tx, place, password, scoped.hub.now()).await?,
        None => {
            let is_kept =
                query("SELECT 1 FROM mailboxes WHERE schedule_id = $1", (id,)).exists(&mut **tx).await?;
            if !is_kept || before.is_none_or(|before| self::account(before) != account) {
                return Err(Error::invalid(
                    "Enter the password of the mailbox. Where the server or the account changed, enter it again.",
                ));
            }
        }
    }
    let is_same =
        before.is_some_and(|before| self::account(before) == account && before.folder == mailbox.folder);
    if !is_same {
        query("DELETE FROM mailboxes WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    }
    require_room(scoped, tx, id).await?;
    // Whoever enters one password after the other has each tried a minute later.
    let now = scoped.hub.now();
    query(
        "INSERT INTO mailboxes (schedule_id, next_at) VALUES ($1, $2)
         ON CONFLICT (schedule_id) DO UPDATE SET
             next_at = CASE WHEN mailboxes.refusals > 0 THEN $3 ELSE excluded.next_at END,
             problem = NULL, failures = 0, refusals = 0",
        (id, now, now.saturating_add(MINUTE_MS)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn require_room(scoped: &Scoped<'_>, tx: &mut Transaction, id: &ScheduleId) -> Result<()> {
    let others: i64 = query(
        "SELECT COUNT(*) FROM mailboxes m JOIN schedules s ON s.id = m.schedule_id JOIN agents a ON a.id = s.agent_id
         WHERE a.user_id = $1 AND m.schedule_id <> $2",
        (scoped.owner(), id),
    )
    .fetch_one(&mut **tx)
    .await?;
    if others >= MOST_MAILBOXES {
        return Err(Error::Limit(format!(
            "You have {MOST_MAILBOXES} schedules with a mailbox. Delete one first."
        )));
    }
    Ok(())
}

/// The schedule is due by no mailbox any more.
pub(in crate::schedules) async fn forget(tx: &mut Transaction, owner: &str, id: &ScheduleId) -> Result<()> {
    query("DELETE FROM mailboxes WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    Vault::forget(tx, owner, &id.0).await
}

/// It is looked into again. Where its person had switched it off, only what comes from now on counts.
pub(in crate::schedules) async fn resume(
    tx: &mut Transaction,
    id: &ScheduleId,
    was_broken: bool,
    now: i64,
) -> Result<()> {
    let text = match was_broken {
        true => "UPDATE mailboxes SET next_at = $2, problem = NULL, failures = 0, refusals = 0 WHERE schedule_id = $1",
        false => {
            "UPDATE mailboxes SET next_at = $2, problem = NULL, failures = 0, refusals = 0, uid_validity = NULL,
                 last_uid = 0 WHERE schedule_id = $1"
        }
    };
    if query(text, (id, now)).execute(&mut **tx).await? == 0 {
        return Err(Error::Conflict("Enter the password of its mailbox under Edit first.".to_owned()));
    }
    Ok(())
}

impl Schedules<'_> {
    pub(super) async fn password_of(
        self,
        owner: &UserId,
        id: &ScheduleId,
        agent: &AgentId,
        mailbox: &Mailbox,
    ) -> Result<Option<Secret>> {
        let (account, purpose) = (account(mailbox), mailbox_purpose(agent));
        self.hub.vault().read(self.hub.store(), place(&owner.0, &id.0, &purpose, &account)).await
    }
}
