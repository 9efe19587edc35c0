//! The machine's clock may be set back.

use super::fire::readable;
use super::rows;
use crate::error::Result;
use crate::schedules::Schedules;
use crate::store::{Row, query};

impl Schedules<'_> {
    /// A clock that was ahead has taken times that are yet to come: their schedules are due at them again.
    /// What began for one of them then does not begin twice.
    pub(super) async fn count_next_times_anew(self) -> Result<()> {
        let now = self.hub.now();
        let rows = query([rows::SCHEDULES, "s.paused = 0 AND s.next_at > $1 AND u.disabled = 0"], (now,))
            .fetch_all::<Row>(self.hub.store().read())
            .await?;
        for known in readable(&rows) {
            let next = known.times.after(now);
            if next >= known.next_at {
                continue;
            }
            let mut tx = self.hub.store().write().await?;
            query(
                "UPDATE schedules SET next_at = $3 WHERE id = $1 AND next_at = $2 AND paused = 0",
                (&known.id, known.next_at, next),
            )
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
        }
        Ok(())
    }
}
