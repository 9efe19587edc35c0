//! How a schedule stands, for its person: what came of the last time, what it spent, whether anybody looks.

use super::rows::ScheduleRow;
use crate::error::{Error, Result};
use crate::runs::in_words;
use crate::schedules::Schedules;
use crate::store::{Json, Row, query};
use protocol::log::{EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::schedule::{Firing, FiringState, ScheduleView};

impl Schedules<'_> {
    pub(super) async fn schedule_view(self, known: ScheduleRow) -> Result<ScheduleView> {
        let last = self.last_firing(&known).await?;
        let budget = self.hub.ledger().schedule_budget(&known.id).await?;
        let idle = self.idle(&known.id, known.seen_at).await?;
        let ScheduleRow { id, place, name, message, timing, missed, paused, by, next_at, .. } = known;
        let agent = place.agent;
        Ok(ScheduleView { id, agent, name, message, timing, missed, paused, by, next_at, last, budget, idle })
    }

    async fn last_firing(self, known: &ScheduleRow) -> Result<Option<Firing>> {
        let query = query(
            "SELECT due, state FROM schedule_firings WHERE schedule_id = $1 ORDER BY due DESC LIMIT 1",
            (&known.id,),
        );
        let Some((due, state)) = query.fetch_optional::<(i64, String)>(self.hub.store().read()).await? else {
            return Ok(None);
        };
        let agent = &known.place.agent;
        let state = match state.as_str() {
            "waiting" if self.hub.runs().is_active(agent) || !known.in_browser => FiringState::Queued,
            "waiting" => FiringState::NoPage,
            "begun" => self.outcome_of_the_run(known).await?,
            "missed" => FiringState::Missed,
            "overtaken" => FiringState::Overtaken,
            "over_limit" => FiringState::OverLimit,
            state => return Err(Error::internal(format!("a schedule is in the unknown state {state:?}"))),
        };
        Ok(Some(Firing { due, state }))
    }

    /// Of the newest run of the schedule: one that a limit stopped goes on in another one.
    async fn outcome_of_the_run(self, known: &ScheduleRow) -> Result<FiringState> {
        let row = query(
            "SELECT r.running,
                    (SELECT e.body FROM entries e WHERE e.run_id = r.id AND e.kind = 'run_finished'
                    LIMIT 1) AS ended
             FROM runs r WHERE r.schedule_id = $1 ORDER BY r.began_after DESC, r.started_at DESC LIMIT 1",
            (&known.id,),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        let Some(row) = row else { return Ok(FiringState::Done) };
        if row.get::<bool>("running")? {
            return Ok(if known.agent_waits { FiringState::WaitsForYou } else { FiringState::Running });
        }
        let Some(Json(ended)) = row.get("ended")? else { return Ok(FiringState::Running) };
        let EntryBody::RunFinished { outcome, .. } = ended else {
            return Err(Error::internal("the end of a run is no end"));
        };
        Ok(match &outcome {
            Outcome::Completed => FiringState::Done,
            Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => {
                if known.agent_waits {
                    FiringState::WaitsForYou
                } else {
                    FiringState::Failed { why: in_words(&outcome) }
                }
            }
            Outcome::Stopped | Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => {
                FiringState::Failed { why: in_words(&outcome) }
            }
        })
    }
}
