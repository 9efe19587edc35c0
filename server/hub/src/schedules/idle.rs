//! Schedules that run while nobody looks: it is said once, with what they cost, until somebody does.

use super::fire::readable;
use super::rows;
use crate::error::Result;
use crate::schedules::{OwnSchedules, Schedules};
use crate::store::{Row, query};
use protocol::log::EntryBody;
use protocol::schedule::{Idle, ScheduleEvent, ScheduleView};
use protocol::{AgentId, Micros, ScheduleId};

/// Runs that nobody looked at.
const TIMES: u32 = 5;

impl OwnSchedules<'_> {
    /// The schedules of all agents at which nobody looks.
    pub async fn idle_schedules(self) -> Result<Vec<ScheduleView>> {
        let rows = query(
            [rows::SCHEDULES, "a.user_id = $1 AND s.idle_told = 1 AND s.paused = 0 ORDER BY s.id"],
            (self.scoped.owner(),),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        let mut views = Vec::new();
        for known in readable(&rows) {
            views.push(self.scoped.hub.schedules().schedule_view(known).await?);
        }
        Ok(views)
    }
}

impl Schedules<'_> {
    /// Somebody looks at the agent, or speaks to it.
    pub(crate) async fn was_seen(self, agent: &AgentId) -> Result<()> {
        let unseen = query(
            "SELECT 1 FROM schedules s WHERE s.agent_id = $1
             AND EXISTS (SELECT 1 FROM runs r WHERE r.schedule_id = s.id AND r.started_at > s.seen_at)",
            (agent,),
        )
        .exists(self.hub.store().read())
        .await?;
        if !unseen {
            return Ok(());
        }
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE schedules SET seen_at = $2, idle_told = 0 WHERE agent_id = $1",
            (agent, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// A run of the schedule has ended: if nobody looks, that is said.
    pub(crate) async fn note_idle(self, id: &ScheduleId) -> Result<()> {
        let Some(known) = query([rows::SCHEDULES, "s.id = $1 AND s.idle_told = 0"], (id,))
            .fetch_optional::<rows::ScheduleRow>(self.hub.store().read())
            .await?
        else {
            return Ok(());
        };
        let Some(Idle { times, cost }) = self.idle(id, known.seen_at).await? else { return Ok(()) };
        let mut appending = self.hub.log().appending().await?;
        let told = query("UPDATE schedules SET idle_told = 1 WHERE id = $1 AND idle_told = 0", (id,))
            .execute(&mut *appending.tx)
            .await?;
        if told == 0 {
            return Ok(());
        }
        let news = ScheduleEvent::Idle { times, cost };
        let body = EntryBody::Schedule { schedule: id.clone(), name: known.name, news };
        appending.append(&known.place, body).await?;
        self.hub.log().commit(appending).await?;
        Ok(())
    }

    pub(super) async fn idle(self, id: &ScheduleId, seen_at: i64) -> Result<Option<Idle>> {
        let (times, cost): (i64, Micros) = query(
            "SELECT COUNT(CASE WHEN r.agent_id = s.agent_id THEN 1 END),
                    CAST(COALESCE(SUM(r.cost), 0) AS BIGINT)
             FROM runs r JOIN schedules s ON s.id = r.schedule_id
             WHERE r.schedule_id = $1 AND r.started_at > $2 AND r.running = 0",
            (id, seen_at),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        Ok((times >= TIMES).then_some(Idle { times, cost }))
    }
}
