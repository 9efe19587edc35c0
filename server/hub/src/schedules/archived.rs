//! Schedules on their way out of one agent and into another, where they rest until its person lets them run.

use super::{MOST, draft, due::Times, rows};
use crate::Hub;
use crate::access::Scoped;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::put_schedule_caps;
use crate::log::{Appending, Place};
use protocol::archive::ArchivedSchedule;
use protocol::schedule::News;
use protocol::view::{AuditAction, Caps};
use protocol::{AgentId, ScheduleId};

impl Hub {
    /// In the order in which they were made.
    pub(crate) async fn archived_schedules(&self, agent: &AgentId) -> Result<Vec<ArchivedSchedule>> {
        let query = sqlx::query(rows::select!("s.agent_id = $1 ORDER BY s.created_at, s.id"));
        let mut archived = Vec::new();
        for row in query.bind(&agent.0).fetch_all(self.store.read()).await? {
            let rows::Known { id, name, message, timing, missed, by, .. } = rows::known(&row)?;
            let caps = self.schedule_budget(&id).await?.caps;
            archived.push(ArchivedSchedule { name, message, timing, missed, by, caps });
        }
        Ok(archived)
    }
}

/// As they would be kept. Fails with a sentence about the first that is not in order.
pub(crate) fn check(archived: Vec<ArchivedSchedule>) -> Result<Vec<ArchivedSchedule>> {
    if archived.len() > usize::try_from(MOST).unwrap_or(usize::MAX) {
        return Err(Error::Limit(format!(
            "There are more than {MOST} schedules, which an agent cannot have."
        )));
    }
    archived.into_iter().map(check_one).collect()
}

/// A time that has passed is in order: the schedule rests.
fn check_one(archived: ArchivedSchedule) -> Result<ArchivedSchedule> {
    let (name, message) = draft::words(&archived.name, &archived.message)?;
    Times::of(&archived.timing, 0).map_err(Error::Invalid)?;
    Ok(ArchivedSchedule { name, message, ..archived })
}

impl Scoped<'_> {
    /// Gives them to an agent that is being made, switched off.
    pub(crate) async fn put_resting(
        &self,
        appending: &mut Appending,
        place: &Place,
        archived: &[ArchivedSchedule],
    ) -> Result<()> {
        let now = self.hub.now();
        for ArchivedSchedule { name, message, timing, missed, by, caps } in archived {
            let id = ScheduleId(new_id());
            sqlx::query(
                "INSERT INTO schedules (id, agent_id, name, message, timing, counted_from, missed, paused, made_by,
                                        created_at, next_at, seen_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $6, NULL, $6)",
            )
            .bind(&id.0)
            .bind(&place.agent.0)
            .bind(name)
            .bind(message)
            .bind(serde_json::to_string(timing)?)
            .bind(now)
            .bind(rows::missed_text(*missed))
            .bind(rows::author_text(*by))
            .execute(&mut *appending.tx)
            .await?;
            if *caps != Caps::default() {
                put_schedule_caps(self, &mut appending.tx, &id, caps).await?;
            }
            appending.tell(place, &id, name, News::Brought).await?;
            self.note_schedule(appending, AuditAction::ScheduleMade, name).await?;
        }
        Ok(())
    }
}
