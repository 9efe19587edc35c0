//! How all schedules of the hub stand, in numbers.

use super::Schedules;
use crate::error::Result;
use crate::store::{Row, query};
use protocol::view::ScheduleStatus;

/// Due for longer than this, something should have begun.
const GRACE_MS: i64 = 60_000;

impl Schedules<'_> {
    pub(crate) async fn status(self) -> Result<ScheduleStatus> {
        let row: Row = query(
            "SELECT COUNT(*) AS active, MIN(s.next_at) AS next_at,
                    CAST(COALESCE(SUM(CASE WHEN s.next_at < $1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS overdue
             FROM schedules s JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
             WHERE s.paused = 0 AND s.next_at IS NOT NULL AND u.disabled = 0",
            (self.hub.now() - GRACE_MS,),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        Ok(ScheduleStatus {
            active: row.get("active")?,
            overdue: row.get("overdue")?,
            next_at: row.get("next_at")?,
        })
    }
}
