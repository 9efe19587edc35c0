//! Schedules that run while nobody looks: it is said once, with what they cost, until somebody does.

use super::rows;
use crate::Hub;
use crate::access::Scoped;
use crate::error::Result;
use protocol::log::EntryBody;
use protocol::schedule::{Idle, News, ScheduleView};
use protocol::{AgentId, Micros, ScheduleId};
use sqlx::Row as _;

/// Runs that nobody looked at.
const TIMES: u32 = 5;

impl Scoped<'_> {
    /// The schedules of all agents at which nobody looks.
    pub async fn idle_schedules(&self) -> Result<Vec<ScheduleView>> {
        let query =
            sqlx::query(rows::select!("a.user_id = $1 AND s.idle_told = 1 AND s.paused = 0 ORDER BY s.id"));
        let rows = query.bind(self.owner()).fetch_all(self.hub.store.read()).await?;
        let mut views = Vec::new();
        for row in &rows {
            views.push(self.hub.schedule_view(rows::known(row)?).await?);
        }
        Ok(views)
    }
}

impl Hub {
    /// Somebody looks at the agent, or speaks to it.
    pub(crate) async fn was_seen(&self, agent: &AgentId) -> Result<()> {
        let unseen = sqlx::query(
            "SELECT 1 FROM schedules s WHERE s.agent_id = $1
             AND EXISTS (SELECT 1 FROM runs r WHERE r.schedule_id = s.id AND r.started_at > s.seen_at)",
        )
        .bind(&agent.0)
        .fetch_optional(self.store.read())
        .await?;
        if unseen.is_none() {
            return Ok(());
        }
        let mut tx = self.store.write_aside().await?;
        sqlx::query("UPDATE schedules SET seen_at = $2, idle_told = 0 WHERE agent_id = $1")
            .bind(&agent.0)
            .bind(self.now())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// A run of the schedule has ended: if nobody looks, that is said.
    pub(crate) async fn note_idle(&self, id: &ScheduleId) -> Result<()> {
        let Some(row) = sqlx::query(rows::select!("s.id = $1 AND s.idle_told = 0"))
            .bind(&id.0)
            .fetch_optional(self.store.read())
            .await?
        else {
            return Ok(());
        };
        let known = rows::known(&row)?;
        let Some(Idle { times, cost }) = self.idle(id, known.seen_at).await? else { return Ok(()) };
        let mut appending = self.appending().await?;
        let told = sqlx::query("UPDATE schedules SET idle_told = 1 WHERE id = $1 AND idle_told = 0")
            .bind(&id.0)
            .execute(&mut *appending.tx)
            .await?;
        if told.rows_affected() == 0 {
            return Ok(());
        }
        let news = News::Idle { times, cost };
        let body = EntryBody::Schedule { schedule: id.clone(), name: known.name, news };
        appending.append(&known.place, body).await?;
        self.commit(appending).await?;
        Ok(())
    }

    pub(super) async fn idle(&self, id: &ScheduleId, seen_at: i64) -> Result<Option<Idle>> {
        let row = sqlx::query(
            "SELECT COUNT(*), CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM runs
             WHERE schedule_id = $1 AND started_at > $2 AND running = 0",
        )
        .bind(&id.0)
        .bind(seen_at)
        .fetch_one(self.store.read())
        .await?;
        let times = u32::try_from(row.try_get::<i64, _>(0)?).unwrap_or(u32::MAX);
        Ok((times >= TIMES).then_some(Idle { times, cost: Micros(row.try_get(1)?) }))
    }
}
