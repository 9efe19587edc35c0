//! What makes schedules due besides times, deliveries and what the hub asks for: a row for each that waits for an agent,
//! for files or for its person.

use super::{changed_files, devices, finished};
use crate::error::Result;
use crate::store::Transaction;
use protocol::schedule::Timing;
use protocol::{AgentId, ScheduleId};

/// Takes in what a schedule of this agent waits for, in place of what it did before.
pub(super) async fn put(
    tx: &mut Transaction,
    id: &ScheduleId,
    agent: &AgentId,
    timing: &Timing,
    now: i64,
) -> Result<()> {
    finished::put(tx, id, agent, timing).await?;
    changed_files::put(tx, id, timing).await?;
    devices::put(tx, id, timing, now).await
}

/// Only what comes from now on counts.
pub(super) async fn resume(tx: &mut Transaction, id: &ScheduleId, timing: &Timing, now: i64) -> Result<()> {
    if matches!(timing, Timing::Finished { .. }) {
        finished::require_known(tx, id).await?;
    }
    changed_files::put(tx, id, timing).await?;
    devices::put(tx, id, timing, now).await
}
