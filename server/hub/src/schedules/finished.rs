//! Agents whose end of a run, or of a pipeline that they lead, makes schedules of others due. What these are told is
//! queued in the commit that ends it. Who waits for whom goes round in no circle.

use super::fire::readable;
use super::firings;
use super::{rows, webhooks};
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::runs::in_words;
use crate::schedules::Schedules;
use crate::store::{Row, Transaction, query};
use protocol::log::Outcome;
use protocol::model::ModelFailureKind;
use protocol::schedule::{FiringCause, ScheduleDraft, Timing};
use protocol::{AgentId, PipelineId, RunId, ScheduleId, UserId};
use std::collections::HashSet;

/// Characters of an answer that are told.
const ANSWER: usize = 2_000;
/// Of a run. What another agent asked for its asker hears of, and what an agent thinks by itself answers nobody.
const WAITING: &str =
    "s.paused = 0 AND u.disabled = 0 AND s.id IN (SELECT t.schedule_id FROM finish_triggers t
     JOIN runs r ON r.agent_id = t.agent_id WHERE r.id = $1 AND t.pipelines = 0 AND r.ambient = 0
       AND (r.chain IS NULL OR EXISTS (SELECT 1 FROM runs f WHERE f.id = r.chain AND f.agent_id = r.agent_id)))";

/// Of a pipeline, by the same rule: not where its agent made it for what another one asked.
const WAITING_FOR_PIPELINE: &str =
    "s.paused = 0 AND u.disabled = 0 AND s.id IN (SELECT t.schedule_id FROM finish_triggers t
     JOIN pipelines p ON p.agent_id = t.agent_id WHERE p.id = $1 AND t.pipelines = 1
       AND (p.begun_by IS NULL
            OR EXISTS (SELECT 1 FROM runs f WHERE f.id = p.begun_by AND f.agent_id = p.agent_id)))";

/// What others hear of the end of a run, or of a pipeline.
pub(crate) struct EndNews {
    owner: UserId,
    text: String,
}

impl Schedules<'_> {
    /// `None`: no schedule waits for it. The end is worth more than what others hear of it: what fails while the
    /// store is there stays unsaid.
    pub(crate) async fn news_of_end(self, run: &RunId, outcome: &Outcome) -> Result<Option<EndNews>> {
        match self.read_news(run, outcome).await {
            Err(error) if !error.is_database_away() => {
                tracing::warn!(run.id = %run, error = ?error, "no schedule hears of the end of run {run}");
                Ok(None)
            }
            read => read,
        }
    }

    async fn read_news(self, run: &RunId, outcome: &Outcome) -> Result<Option<EndNews>> {
        let Some(outcome) = told(outcome) else { return Ok(None) };
        let of: Option<(UserId, String)> = query(
            "SELECT a.user_id, a.name FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.id = $1 AND r.ambient = 0
               AND (r.chain IS NULL OR EXISTS (SELECT 1 FROM runs f WHERE f.id = r.chain AND f.agent_id = r.agent_id))
               AND EXISTS (SELECT 1 FROM finish_triggers t WHERE t.agent_id = r.agent_id AND t.pipelines = 0)",
            (run,),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let Some((owner, agent)) = of else { return Ok(None) };
        let answer = self.hub.runs().final_text_of(run).await?;
        let begin: String = answer.chars().take(ANSWER).collect();
        let more = if begin.len() < answer.len() { "\n\n(The answer is longer.)" } else { "" };
        let text = format!("Agent: {agent}\nOutcome: {outcome}\n\n{begin}{more}");
        Ok(Some(EndNews { owner, text: text.trim_end().to_owned() }))
    }
}

impl EndNews {
    /// `said` is what came of each of its tasks.
    pub(crate) fn of_pipeline(owner: &UserId, title: &str, is_done: bool, said: &str) -> Self {
        let outcome = if is_done { "done" } else { "failed" };
        let begin: String = said.chars().take(ANSWER).collect();
        Self { owner: owner.clone(), text: format!("Pipeline: {title}\nOutcome: {outcome}\n\n{begin}") }
    }
}

impl Appending {
    /// Lets those schedules wait for their agents.
    pub(crate) async fn tell_end(&mut self, run: &RunId, news: &EndNews, now: i64) -> Result<()> {
        let rows = query([rows::SCHEDULES, WAITING], (run,)).fetch_all::<Row>(&mut *self.tx).await?;
        self.queue_end(&rows, news, now).await
    }

    /// The same of a pipeline.
    pub(crate) async fn tell_end_of_pipeline(
        &mut self,
        pipeline: &PipelineId,
        news: &EndNews,
        now: i64,
    ) -> Result<()> {
        let rows = query([rows::SCHEDULES, WAITING_FOR_PIPELINE], (pipeline,))
            .fetch_all::<Row>(&mut *self.tx)
            .await?;
        self.queue_end(&rows, news, now).await
    }

    async fn queue_end(&mut self, rows: &[Row], news: &EndNews, now: i64) -> Result<()> {
        for known in readable(rows) {
            match webhooks::require_room(&mut self.tx, &known, &news.owner, &news.text).await {
                Ok(()) => {
                    firings::queue_event(&mut self.tx, &known, now, FiringCause::Finished, &news.text)
                        .await?;
                }
                Err(Error::Limit(why)) => {
                    tracing::info!(schedule.id = %known.id, "schedule {} does not hear of an end: {why}", known.id);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// How a run came out. `None`: its person stopped it, or it goes on in another one when a limit is raised.
fn told(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Completed => Some("done".to_owned()),
        Outcome::Stopped => None,
        Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => None,
        Outcome::Failed { .. } | Outcome::RoundLimit | Outcome::Interrupted { .. } => {
            Some(format!("failed. {}", in_words(outcome)))
        }
    }
}

pub(super) fn check(draft: &ScheduleDraft) -> Result<Timing> {
    match draft.after_agent.trim() {
        "" => Err(Error::invalid("Choose the agent after which it is due.")),
        agent => Ok(Timing::Finished { agent: agent.into(), pipelines: draft.after_pipelines }),
    }
}

/// Takes in after whom a schedule of this agent is due, if it is.
pub(super) async fn put(
    tx: &mut Transaction,
    id: &ScheduleId,
    agent: &AgentId,
    timing: &Timing,
) -> Result<()> {
    query("DELETE FROM finish_triggers WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    let Timing::Finished { agent: of, pipelines } = timing else { return Ok(()) };
    // Of two that would make a circle together one waits here.
    query("UPDATE users SET role = role WHERE id = (SELECT user_id FROM agents WHERE id = $1)", (agent,))
        .execute(&mut **tx)
        .await?;
    require_no_circle(tx, agent, of).await?;
    if !insert(tx, id, agent, of, *pipelines).await? {
        return Err(Error::NotFound("agent"));
    }
    Ok(())
}

/// The same of one that came along, which may have left that agent behind.
pub(super) async fn bring(
    tx: &mut Transaction,
    id: &ScheduleId,
    agent: &AgentId,
    timing: &Timing,
) -> Result<()> {
    if let Timing::Finished { agent: of, pipelines } = timing {
        insert(tx, id, agent, of, *pipelines).await?;
    }
    Ok(())
}

/// Fails where that agent is gone.
pub(super) async fn require_known(tx: &mut Transaction, id: &ScheduleId) -> Result<()> {
    let is_known =
        query("SELECT 1 FROM finish_triggers WHERE schedule_id = $1", (id,)).exists(&mut **tx).await?;
    if is_known {
        return Ok(());
    }
    Err(Error::Conflict(
        "The agent after which it is due is not here any more. Choose another one under Edit first."
            .to_owned(),
    ))
}

/// `false`: there is no such agent of the same person.
async fn insert(
    tx: &mut Transaction,
    id: &ScheduleId,
    agent: &AgentId,
    of: &AgentId,
    pipelines: bool,
) -> Result<bool> {
    let inserted = query(
        "INSERT INTO finish_triggers (schedule_id, agent_id, pipelines)
         SELECT $1, o.id, CAST($4 AS BIGINT) FROM agents o JOIN agents a ON a.user_id = o.user_id
         WHERE o.id = $2 AND o.root_id IS NULL AND a.id = $3",
        (id, of, agent, i64::from(pipelines)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted != 0)
}

/// Whether whom it waits for waits for it, by way of others too.
async fn require_no_circle(tx: &mut Transaction, agent: &AgentId, of: &AgentId) -> Result<()> {
    let (mut open, mut seen) = (vec![of.clone()], HashSet::new());
    while let Some(at) = open.pop() {
        if at == *agent {
            return Err(Error::invalid(
                "That would go round in a circle: the one agent would wake the other, and that one this. Choose another agent.",
            ));
        }
        let next: Vec<AgentId> = query(
            "SELECT t.agent_id FROM finish_triggers t JOIN schedules s ON s.id = t.schedule_id
             WHERE s.agent_id = $1",
            (&at,),
        )
        .fetch_all(&mut **tx)
        .await?;
        if seen.insert(at) {
            open.extend(next);
        }
    }
    Ok(())
}
