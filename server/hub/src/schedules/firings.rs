//! The times that schedules were due: those that wait for their agent, and those that are over.

use super::rows::ScheduleRow;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::ScheduleId;
use protocol::schedule::{FiringCause, Overlap};

/// Times that are remembered of each schedule.
pub(super) const REMEMBERED: i64 = 50;
/// Times of a schedule that wait for its agent at once.
pub(super) const MAX_WAITING: i64 = 20;

/// Lets a schedule wait for its agent. A former time that still waits is overtaken.
pub(super) async fn queue(tx: &mut Transaction, id: &ScheduleId, at: i64, cause: FiringCause) -> Result<()> {
    set_state(tx, id, "overtaken", "").await?;
    remember(tx, id, at, cause, "waiting").await
}

/// Lets it wait behind those that do; where there are too many, it is left out.
pub(super) async fn queue_behind(
    tx: &mut Transaction,
    id: &ScheduleId,
    at: i64,
    cause: FiringCause,
) -> Result<()> {
    let waiting: i64 =
        query("SELECT COUNT(*) FROM schedule_firings WHERE schedule_id = $1 AND state = 'waiting'", (id,))
            .fetch_one(&mut **tx)
            .await?;
    let state = if waiting < MAX_WAITING { "waiting" } else { "overtaken" };
    remember(tx, id, at, cause, state).await
}

/// Lets it wait for its agent with what made it due. A number of its own, however much comes in a moment.
pub(super) async fn queue_event(
    tx: &mut Transaction,
    known: &ScheduleRow,
    now: i64,
    cause: FiringCause,
    event: &str,
) -> Result<()> {
    let id = &known.id;
    let last: Option<i64> = query("SELECT MAX(due) FROM schedule_firings WHERE schedule_id = $1", (id,))
        .fetch_one(&mut **tx)
        .await?;
    let due = last.map_or(now, |last| now.max(last + 1));
    match known.rules.overlap {
        Overlap::Each => queue_behind(tx, id, due, cause).await?,
        Overlap::Newest | Overlap::Skip => queue(tx, id, due, cause).await?,
    }
    query(
        "UPDATE schedule_firings SET event = $3 WHERE schedule_id = $1 AND due = $2 AND state = 'waiting'",
        (id, due, event),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What waits is that now. Gives how many did.
pub(super) async fn set_state(
    tx: &mut Transaction,
    id: &ScheduleId,
    state: &str,
    which: &'static str,
) -> Result<u64> {
    query(
        [
            "UPDATE schedule_firings SET state = $2, event = NULL WHERE schedule_id = $1 AND state = 'waiting'",
            which,
        ],
        (id, state),
    )
    .execute(&mut **tx)
    .await
}

pub(super) async fn remember(
    tx: &mut Transaction,
    id: &ScheduleId,
    at: i64,
    cause: FiringCause,
    state: &str,
) -> Result<()> {
    query(
        "INSERT INTO schedule_firings (schedule_id, due, state, cause) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
        (id, at, state, cause),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM schedule_firings WHERE schedule_id = $1 AND state <> 'waiting' AND due <=
             (SELECT f.due FROM schedule_firings f WHERE f.schedule_id = $1 ORDER BY f.due DESC
             LIMIT 1 OFFSET $2)",
        (id, REMEMBERED),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
