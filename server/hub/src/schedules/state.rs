//! How a schedule stands, for its person: what came of the last time, what it spent, whether anybody looks.

use super::rows::Known;
use crate::Hub;
use crate::error::{Error, Result};
use crate::runs::in_words;
use protocol::log::{EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::schedule::{Firing, FiringState, ScheduleView};
use sqlx::Row as _;

impl Hub {
    pub(super) async fn schedule_view(&self, known: Known) -> Result<ScheduleView> {
        let last = self.last_firing(&known).await?;
        let budget = self.schedule_budget(&known.id).await?;
        let idle = self.idle(&known.id, known.seen_at).await?;
        let Known { id, place, name, message, timing, missed, paused, by, next_at, .. } = known;
        let agent = place.agent;
        Ok(ScheduleView { id, agent, name, message, timing, missed, paused, by, next_at, last, budget, idle })
    }

    async fn last_firing(&self, known: &Known) -> Result<Option<Firing>> {
        let query = sqlx::query(
            "SELECT due, state FROM schedule_firings WHERE schedule_id = $1 ORDER BY due DESC LIMIT 1",
        );
        let Some(row) = query.bind(&known.id.0).fetch_optional(self.store.read()).await? else {
            return Ok(None);
        };
        let agent = &known.place.agent;
        let state = match row.try_get::<String, _>("state")?.as_str() {
            "waiting" if self.runs.is_active(agent) || !known.in_browser => FiringState::Queued,
            "waiting" => FiringState::NoPage,
            "begun" => self.outcome_of_the_run(known).await?,
            "missed" => FiringState::Missed,
            "overtaken" => FiringState::Overtaken,
            "over_limit" => FiringState::OverLimit,
            state => return Err(Error::internal(format!("a schedule is in the unknown state {state:?}"))),
        };
        Ok(Some(Firing { due: row.try_get("due")?, state }))
    }

    /// Of the newest run of the schedule: one that a limit stopped goes on in another one.
    async fn outcome_of_the_run(&self, known: &Known) -> Result<FiringState> {
        let row = sqlx::query(
            "SELECT r.running,
                    (SELECT e.body FROM entries e WHERE e.run_id = r.id AND e.kind = 'run_finished' LIMIT 1) AS ended
             FROM runs r WHERE r.schedule_id = $1 ORDER BY r.started_at DESC LIMIT 1",
        )
        .bind(&known.id.0)
        .fetch_optional(self.store.read())
        .await?;
        let Some(row) = row else { return Ok(FiringState::Done) };
        if row.try_get::<i64, _>("running")? == 1 {
            return Ok(if known.agent_waits { FiringState::WaitsForYou } else { FiringState::Running });
        }
        let Some(ended) = row.try_get::<Option<String>, _>("ended")? else { return Ok(FiringState::Running) };
        let EntryBody::RunFinished { outcome, .. } = serde_json::from_str(&ended)? else {
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
