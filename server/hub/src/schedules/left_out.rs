//! What waits for its agent and is not to begin: left out, and why.

use super::firings::set_state;
use super::rows::ScheduleRow;
use crate::error::Result;
use crate::ledger::day_of;
use crate::log::EntryScope;
use crate::notifications::News;
use crate::schedules::Schedules;
use crate::store::query;
use protocol::{AgentId, ScheduleId};

impl Schedules<'_> {
    /// What waits, if this is so of it.
    pub(super) async fn leave_out(self, id: &ScheduleId, state: &str, which: &'static str) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        set_state(&mut tx, id, state, which).await?;
        tx.commit().await?;
        Ok(())
    }

    /// What waits, for a limit that is in its way, of which its person is told, unless the time before ended so too.
    pub(super) async fn leave_out_over_limit(self, known: &ScheduleRow, why: &str) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let before: Option<String> = query(
            "SELECT state FROM schedule_firings WHERE schedule_id = $1 AND state NOT IN ('waiting', 'overtaken')
             ORDER BY due DESC LIMIT 1",
            (&known.id,),
        )
        .fetch_optional(&mut *tx)
        .await?;
        // Whoever else begins what waits may have left it out at this moment.
        if set_state(&mut tx, &known.id, "over_limit", "").await? == 0 {
            return tx.rollback().await;
        }
        if before.is_some_and(|state| state == "over_limit") {
            return tx.commit().await;
        }
        let news = News::NotBegun { schedule: &known.name, why };
        let EntryScope { agent, conversation, .. } = &known.place;
        self.hub.notifications().note(&mut tx, agent, conversation.as_ref(), news).await?;
        tx.commit().await?;
        self.hub.notifications().wake();
        Ok(())
    }

    /// Its condition does not hold; the one behind it is looked at with the clock.
    pub(super) async fn leave_out_one(self, id: &ScheduleId, due: i64) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE schedule_firings SET state = 'unmet', event = NULL
             WHERE schedule_id = $1 AND due = $2 AND state = 'waiting'",
            (id, due),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.hub.clockwork().changed();
        Ok(())
    }

    /// Whether a limit that is in the way of the schedule stopped the agent today. To try again each time
    /// would fill its log with the same words; it goes on when the limit is changed, and is tried once a day.
    pub(super) async fn is_stopped_today(self, agent: &AgentId, schedule: &ScheduleId) -> Result<bool> {
        let stopped: Option<i64> = query(
            "SELECT MAX(r.finished_at) FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             JOIN runs r ON r.agent_id = a.id
             WHERE s.agent_id = $1 AND a.status = 'waiting' AND s.scope <> 'tab'
               AND (s.scope <> 'schedule' OR s.owner = $2)",
            (agent, schedule),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        Ok(stopped.is_some_and(|at| day_of(at) == day_of(self.hub.now())))
    }
}
