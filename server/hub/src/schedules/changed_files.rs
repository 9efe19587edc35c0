//! Files whose changes make a schedule due. Which have changed is noted with the change itself (`files/awaited.rs`);
//! here it is told, at most once a minute, all that changed meanwhile at once.

use super::fire::{OF_THIS_NODE, readable};
use super::firings;
use super::{rows, webhooks};
use crate::error::{Error, Result};
use crate::files::{AwaitedPath, MOST_NOTED, forget_awaited};
use crate::schedules::Schedules;
use crate::schedules::rows::ScheduleRow;
use crate::store::{Json, Row, Transaction, query};
use protocol::schedule::{FiringCause, ScheduleDraft, Timing};
use protocol::{ScheduleId, UserId};
use std::collections::BTreeSet;

/// Schedules that are told at one look.
const AT_ONCE: i64 = 200;

pub(super) fn check(draft: &ScheduleDraft) -> Result<Timing> {
    check_brought(&draft.file_path)?;
    Ok(Timing::File { path: draft.file_path.trim().to_owned() })
}

pub(super) fn check_brought(path: &str) -> Result<()> {
    AwaitedPath::parse(path).map(|_| ())
}

/// Takes in which files a schedule waits for, if it does. What changed before is not told.
pub(super) async fn put(tx: &mut Transaction, id: &ScheduleId, timing: &Timing) -> Result<()> {
    match timing {
        Timing::File { path } => AwaitedPath::parse(path)?.put(tx, id).await,
        Timing::Once { .. }
        | Timing::Every { .. }
        | Timing::Days { .. }
        | Timing::Cron { .. }
        | Timing::Webhook
        | Timing::Mail(_)
        | Timing::Feed { .. }
        | Timing::Finished { .. }
        | Timing::Device => forget_awaited(tx, id).await,
    }
}

impl Schedules<'_> {
    /// Lets those wait for their agents whose files have changed, a number of them, in which everybody has a share: the
    /// others are for the next look. Whether there were any.
    pub(super) async fn take_changed_files(self) -> Result<bool> {
        let rows = query(
            [
                rows::SCHEDULES,
                OF_THIS_NODE,
                "AND s.paused = 0 AND u.disabled = 0
                 AND s.id IN (SELECT t.schedule_id FROM file_triggers t WHERE t.due_at <= $2)
                 ORDER BY ROW_NUMBER() OVER (PARTITION BY u.id ORDER BY s.id), s.id LIMIT $3",
            ],
            (self.hub.cluster().own_id(), self.hub.now(), AT_ONCE),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let known = readable(&rows);
        for known in &known {
            if let Err(error) = self.tell_changed_files(known).await {
                let (id, failure) = (&known.id, error.into_failure());
                tracing::warn!(schedule.id = %id, "schedule {id} does not hear of files yet: {failure}");
            }
        }
        Ok(!known.is_empty())
    }

    async fn tell_changed_files(self, known: &ScheduleRow) -> Result<()> {
        let now = self.hub.now();
        let mut tx = self.hub.store().write().await?;
        // Another hub that tells it at the same moment waits here, and finds nothing.
        query("UPDATE file_triggers SET mount = mount WHERE schedule_id = $1", (&known.id,))
            .execute(&mut *tx)
            .await?;
        let changed: Option<(UserId, Json<BTreeSet<String>>)> = query(
            "SELECT a.user_id, t.changed FROM file_triggers t JOIN schedules s ON s.id = t.schedule_id
             JOIN agents a ON a.id = s.agent_id
             WHERE t.schedule_id = $1 AND t.due_at <= $2 AND t.changed IS NOT NULL AND s.paused = 0",
            (&known.id, now),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some((owner, Json(changed))) = changed else { return Ok(()) };
        let text = told(&changed);
        match webhooks::require_room(&mut tx, known, &owner, &text).await {
            Ok(()) => firings::queue_event(&mut tx, known, now, FiringCause::File, &text).await?,
            // It is told when there is.
            Err(Error::Limit(_)) => return Ok(()),
            Err(error) => return Err(error),
        }
        query(
            "UPDATE file_triggers SET changed = NULL, due_at = NULL, told_at = $2 WHERE schedule_id = $1",
            (&known.id, now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}

/// As the agent reads it: which, not what is in them.
fn told(changed: &BTreeSet<String>) -> String {
    let mut told = "Changed or deleted files:".to_owned();
    for path in changed.iter().take(MOST_NOTED) {
        told.push_str(&format!("\n{path}"));
    }
    if changed.len() > MOST_NOTED {
        told.push_str("\n(And more.)");
    }
    told
}
