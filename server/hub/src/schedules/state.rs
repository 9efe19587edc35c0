//! How a schedule stands, for its person: what came of the last time, what it spent, whether anybody looks.

use super::rows::ScheduleRow;
use crate::error::Result;
use crate::schedules::Schedules;
use protocol::schedule::ScheduleView;

impl Schedules<'_> {
    pub(super) async fn schedule_view(self, known: ScheduleRow) -> Result<ScheduleView> {
        let last = self.last_firings(&known, 1).await?.pop();
        let budget = self.hub.ledger().schedule_budget(&known.id).await?;
        let idle = self.idle(&known.id, known.seen_at).await?;
        Ok(ScheduleView {
            id: known.id,
            agent: known.place.agent,
            name: known.name,
            message: known.message,
            timing: known.timing,
            missed: known.missed,
            rules: known.rules,
            paused: known.paused,
            broken: known.broken,
            by: known.by,
            secret_made_at: known.secret_made_at,
            mailbox: known.mailbox,
            feed: known.feed,
            after: known.after,
            next_at: known.next_at,
            last,
            budget,
            idle,
        })
    }
}
