//! A schedule that fails again and again is switched off, and says why. How often it failed is read off its
//! runs, so that nothing is counted twice or lost.

use super::firings::set_state;
use super::history::{Ended, ended};
use super::rows;
use crate::error::Result;
use crate::log::{EntryScope, packed};
use crate::notifications::News;
use crate::schedules::Schedules;
use crate::store::query;
use protocol::log::EntryBody;
use protocol::schedule::ScheduleEvent;
use protocol::{ConversationId, ScheduleId};

impl Schedules<'_> {
    /// A run of the schedule has ended.
    pub(super) async fn break_after_failures(self, id: &ScheduleId) -> Result<()> {
        let Some(known) = query([rows::SCHEDULES, "s.id = $1 AND s.paused = 0"], (id,))
            .fetch_optional::<rows::ScheduleRow>(self.hub.store().read())
            .await?
        else {
            return Ok(());
        };
        let Some(why) = self.failed_in_a_row(&known).await? else { return Ok(()) };
        let times = known.rules.breaker;
        self.switch_off(known, times, why, "").await
    }

    /// It failed so many times in a row, the last time because of this. `which`: of what waits, what is left out.
    pub(super) async fn switch_off(
        self,
        known: rows::ScheduleRow,
        times: u32,
        why: String,
        which: &'static str,
    ) -> Result<()> {
        let id = &known.id;
        let mut appending = self.hub.log().appending().await?;
        let broken = query(
            "UPDATE schedules SET paused = 1, next_at = NULL, broken = $2 WHERE id = $1 AND paused = 0",
            (id, &why),
        )
        .execute(&mut *appending.tx)
        .await?;
        if broken == 0 {
            return Ok(());
        }
        set_state(&mut appending.tx, id, "skipped", which).await?;
        let switched_off = News::SwitchedOff { schedule: &known.name, why: &why };
        let EntryScope { agent, conversation, .. } = &known.place;
        self.hub.notifications().note(&mut appending.tx, agent, conversation.as_ref(), switched_off).await?;
        tracing::info!(schedule.id = %id, "schedule {id} failed {times} times in a row and is switched off");
        let body = EntryBody::Schedule {
            schedule: id.clone(),
            name: known.name,
            news: ScheduleEvent::Broken { times, why },
        };
        appending.append(&known.place, body).await?;
        self.hub.log().commit(appending).await?;
        self.hub.notifications().wake();
        Ok(())
    }

    /// Why the last of so many runs failed, if all of them did.
    async fn failed_in_a_row(self, known: &rows::ScheduleRow) -> Result<Option<String>> {
        let times = known.rules.breaker;
        if times == 0 {
            return Ok(None);
        }
        let packed: Vec<ConversationId> = query(
            "SELECT DISTINCT p.conversation_id
             FROM (SELECT l.conversation_id FROM runs l
                   WHERE l.schedule_id = $1 AND l.agent_id = $3 AND l.running = 0
                   ORDER BY l.began_after DESC, l.started_at DESC LIMIT $2) r
             JOIN packed_conversations p ON p.conversation_id = r.conversation_id",
            (&known.id, times, &known.place.agent),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for conversation in &packed {
            // Of one that is damaged nobody knows how it ended.
            packed::bring_back_sound(self.hub.store(), conversation).await?;
        }
        let rows = query(
            "SELECT (SELECT e.body FROM entries e WHERE e.run_id = r.id AND e.kind = 'run_finished' LIMIT 1)
             FROM (SELECT l.id, l.began_after, l.started_at FROM runs l
                   WHERE l.schedule_id = $1 AND l.agent_id = $4 AND l.running = 0
                   ORDER BY l.began_after DESC, l.started_at DESC LIMIT $3) r
             WHERE r.started_at > $2 ORDER BY r.began_after DESC, r.started_at DESC",
            (&known.id, known.forgiven_at, times, &known.place.agent),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut reasons = Vec::new();
        for body in rows {
            match ended(body)? {
                Some(Ended::Failed { why }) => reasons.push(why),
                Some(Ended::Done | Ended::Stopped { .. } | Ended::WantsMoney { .. }) | None => {
                    return Ok(None);
                }
            }
        }
        Ok((reasons.len() == times as usize).then(|| reasons.swap_remove(0)))
    }
}
