//! Schedules on their way out of one agent and into another, where they rest until its person lets them run.

use super::{MAX_SCHEDULES_PER_AGENT, changed_files, draft, due::Times, feeds, finished, mail, rows};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::put_schedule_caps;
use crate::log::{Appending, EntryScope};
use crate::schedules::{OwnSchedules, Schedules};
use crate::store::{Json, query};
use protocol::Caps;
use protocol::archive::ArchivedSchedule;
use protocol::schedule::{ScheduleEvent, Timing};
use protocol::view::AuditAction;
use protocol::{AgentId, ScheduleId};

impl Schedules<'_> {
    /// In the order in which they were made.
    pub(crate) async fn archived_schedules(self, agent: &AgentId) -> Result<Vec<ArchivedSchedule>> {
        let query = query([rows::SCHEDULES, "s.agent_id = $1 ORDER BY s.created_at, s.id"], (agent,));
        let mut archived = Vec::new();
        for known in query.fetch_all(self.hub.store().read()).await? {
            let rows::ScheduleRow { id, name, message, timing, missed, rules, by, .. } = known;
            let caps = self.hub.ledger().schedule_budget(&id).await?.caps;
            archived.push(ArchivedSchedule { name, message, timing, missed, rules, by, caps });
        }
        Ok(archived)
    }
}

/// As they would be kept. Fails with a sentence about the first that is not in order.
pub(crate) fn check(archived: Vec<ArchivedSchedule>) -> Result<Vec<ArchivedSchedule>> {
    if archived.len() > usize::try_from(MAX_SCHEDULES_PER_AGENT).unwrap_or(usize::MAX) {
        return Err(Error::Limit(format!(
            "There are more than {MAX_SCHEDULES_PER_AGENT} schedules, which an agent cannot have."
        )));
    }
    archived.into_iter().map(check_one).collect()
}

/// A time that has passed is in order: the schedule rests.
fn check_one(archived: ArchivedSchedule) -> Result<ArchivedSchedule> {
    let (name, message) = draft::words(&archived.name, &archived.message)?;
    Times::of(&archived.timing, 0).map_err(Error::Invalid)?;
    if let Timing::Mail(mailbox) = &archived.timing {
        mail::check_brought(mailbox)?;
    }
    if let Timing::Feed { url, minutes } = &archived.timing {
        feeds::check_brought(url, *minutes)?;
    }
    if let Timing::File { path } = &archived.timing {
        changed_files::check_brought(path)?;
    }
    let rules = draft::check_rules(archived.rules)?;
    Ok(ArchivedSchedule { name, message, rules, ..archived })
}

impl OwnSchedules<'_> {
    /// Gives them to an agent that is being made, switched off.
    pub(crate) async fn put_resting(
        self,
        appending: &mut Appending,
        place: &EntryScope,
        archived: &[ArchivedSchedule],
    ) -> Result<()> {
        let now = self.scoped.hub.now();
        for ArchivedSchedule { name, message, timing, missed, rules, by, caps } in archived {
            let id = ScheduleId(new_id());
            query(
                "INSERT INTO schedules (id, agent_id, name, message, timing, counted_from, missed, paused,
                                        made_by, created_at, next_at, seen_at, rules)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $6, NULL, $6, $9)",
                (&id, &place.agent, name, message, Json(timing), now, missed, by, Json(rules)),
            )
            .execute(&mut *appending.tx)
            .await?;
            finished::bring(&mut appending.tx, &id, &place.agent, timing).await?;
            if *caps != Caps::default() {
                put_schedule_caps(&self.scoped, &mut appending.tx, &id, caps).await?;
            }
            appending.tell(place, &id, name, ScheduleEvent::Brought).await?;
            self.note_schedule(appending, AuditAction::ScheduleMade, name).await?;
        }
        Ok(())
    }
}
