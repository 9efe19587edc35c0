//! The last times that a schedule was due: why, what came of each, and what it cost.

use super::firings::REMEMBERED;
use super::rows::ScheduleRow;
use crate::agents;
use crate::error::{Error, Result};
use crate::log::packed;
use crate::runs::in_words;
use crate::schedules::{OwnSchedules, Schedules};
use crate::store::{FromRow, Json, Row, query};
use protocol::log::{EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::schedule::{Firing, FiringCause, FiringState};
use protocol::{ConversationId, Micros, RunId, ScheduleId};
use std::collections::BTreeMap;

/// Runs that are looked at for each time: one that a limit stopped goes on in another one.
const RUNS_PER_FIRING: i64 = 4;

/// How a run of a schedule ended.
pub(super) enum Ended {
    Done,
    Failed {
        why: String,
    },
    Stopped {
        why: String,
    },
    /// A limit on spending stopped it.
    WantsMoney {
        why: String,
    },
}

/// What to say of conversations whose ends of runs cannot be read.
type Damages = BTreeMap<ConversationId, String>;

struct FiringRow {
    due: i64,
    state: String,
    cause: FiringCause,
    run: Option<RunId>,
}

struct RunRow {
    id: RunId,
    conversation: ConversationId,
    running: bool,
    cost: Micros,
    ended: Option<Json<EntryBody>>,
}

impl OwnSchedules<'_> {
    /// The newest first.
    pub async fn history(self, id: &ScheduleId) -> Result<Vec<Firing>> {
        let known = self.known_schedule(id).await?;
        self.scoped.hub.schedules().last_firings(&known, REMEMBERED).await
    }
}

impl Schedules<'_> {
    pub(super) async fn last_firings(self, known: &ScheduleRow, count: i64) -> Result<Vec<Firing>> {
        let firings = query(
            "SELECT due, state, cause, run_id FROM schedule_firings WHERE schedule_id = $1
             ORDER BY due DESC LIMIT $2",
            (&known.id, count),
        )
        .fetch_all::<FiringRow>(self.hub.store().read())
        .await?;
        let mut runs = self.newest_runs(known, count).await?;
        let (came, damaged) = self.bring_back_ends(&runs).await?;
        if came {
            runs = self.newest_runs(known, count).await?;
        }
        let mut runs = runs.into_iter();
        let is_paused = agents::is_paused(self.hub.store().read(), &known.place.agent).await?;
        let mut history = Vec::new();
        for firing in firings {
            let mut own = Vec::new();
            if firing.state == "begun" {
                // Newest first, down to the one that it began.
                for run in runs.by_ref() {
                    let is_first = firing.run.as_ref().is_none_or(|first| *first == run.id);
                    own.push(run);
                    if is_first {
                        break;
                    }
                }
            }
            let firing = self.firing(known, firing, &own, &damaged)?;
            history.push(match firing.state {
                FiringState::Queued | FiringState::NoPage if is_paused => {
                    Firing { state: FiringState::Paused, ..firing }
                }
                _ => firing,
            });
        }
        Ok(history)
    }

    async fn newest_runs(self, known: &ScheduleRow, count: i64) -> Result<Vec<RunRow>> {
        query(
            "SELECT r.id, r.conversation_id, r.running,
                    CAST(r.cost + COALESCE((SELECT SUM(c.cost) FROM runs c WHERE c.chain = r.id
                    AND c.agent_id <> r.agent_id), 0) AS BIGINT) AS cost,
                    (SELECT e.body FROM entries e WHERE e.run_id = r.id AND e.kind = 'run_finished'
                    LIMIT 1) AS ended
             FROM runs r WHERE r.schedule_id = $1 AND r.agent_id = $3
             ORDER BY r.began_after DESC, r.started_at DESC LIMIT $2",
            (&known.id, count * RUNS_PER_FIRING, &known.place.agent),
        )
        .fetch_all::<RunRow>(self.hub.store().read())
        .await
    }

    /// Unpacks the conversations of those whose end is not found, and gives whether there were some, and what to say of
    /// those that are damaged.
    async fn bring_back_ends(self, runs: &[RunRow]) -> Result<(bool, Damages)> {
        let (mut came, mut damages) = (false, Damages::new());
        for run in runs.iter().filter(|run| !run.running && run.ended.is_none()) {
            let (is_there, damaged) = packed::bring_back_sound(self.hub.store(), &run.conversation).await?;
            came |= is_there;
            if let Some(damaged) = damaged.first() {
                damages.insert(run.conversation.clone(), damaged.in_words());
            }
        }
        Ok((came, damages))
    }

    fn firing(
        self,
        known: &ScheduleRow,
        firing: FiringRow,
        runs: &[RunRow],
        damaged: &Damages,
    ) -> Result<Firing> {
        let FiringRow { due, state, cause, .. } = firing;
        let state = match state.as_str() {
            "waiting" if self.hub.runs().is_active(&known.place.agent) || !known.in_browser => {
                FiringState::Queued
            }
            "waiting" => FiringState::NoPage,
            "begun" => outcome(known, runs.first(), damaged)?,
            "missed" => FiringState::Missed,
            "overtaken" => FiringState::Overtaken,
            "over_limit" => FiringState::OverLimit,
            "skipped" => FiringState::Skipped,
            "unmet" => FiringState::Unmet,
            state => return Err(Error::internal(format!("a schedule is in the unknown state {state:?}"))),
        };
        let cost = Micros(runs.iter().map(|run| run.cost.0).sum());
        let conversation = runs.last().map(|run| run.conversation.clone());
        Ok(Firing { due, cause, state, cost, conversation })
    }
}

fn outcome(known: &ScheduleRow, newest: Option<&RunRow>, damaged: &Damages) -> Result<FiringState> {
    let Some(run) = newest else { return Ok(FiringState::Done) };
    if run.running {
        return Ok(if known.agent_waits { FiringState::WaitsForYou } else { FiringState::Running });
    }
    Ok(match ended(run.ended.clone())? {
        None => match damaged.get(&run.conversation) {
            Some(why) => FiringState::Failed { why: why.clone() },
            None => FiringState::Running,
        },
        Some(Ended::Done) => FiringState::Done,
        Some(Ended::WantsMoney { .. }) if known.agent_waits => FiringState::WaitsForYou,
        Some(Ended::WantsMoney { why } | Ended::Failed { why } | Ended::Stopped { why }) => {
            FiringState::Failed { why }
        }
    })
}

/// `None`: its end is not written yet.
pub(super) fn ended(body: Option<Json<EntryBody>>) -> Result<Option<Ended>> {
    let Some(Json(body)) = body else { return Ok(None) };
    let EntryBody::RunFinished { outcome, .. } = body else {
        return Err(Error::internal("the end of a run is no end"));
    };
    let why = in_words(&outcome);
    Ok(Some(match outcome {
        Outcome::Completed => Ended::Done,
        Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => {
            Ended::WantsMoney { why }
        }
        Outcome::Stopped => Ended::Stopped { why },
        Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => Ended::Failed { why },
    }))
}

impl FromRow for FiringRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            due: row.get("due")?,
            state: row.get("state")?,
            cause: row.get("cause")?,
            run: row.get("run_id")?,
        })
    }
}

impl FromRow for RunRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            conversation: row.get("conversation_id")?,
            running: row.get("running")?,
            cost: row.get("cost")?,
            ended: row.get("ended")?,
        })
    }
}
