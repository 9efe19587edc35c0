//! Going on: what came of the tasks under way is noted, and what can begin begins, in one commit.

use super::Pipelines;
use super::answer;
use super::budget;
use super::ready::step;
use super::rows::{PIPELINES, Pipeline, Task, graph_of, stored, tasks_of};
use super::view::activity;
use crate::delegations::{Assignee, BudgetStop, PipelineTask};
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::notifications::{News, pipeline_is_answered};
use crate::schedules::EndNews;
use crate::store::query;
use protocol::hub::Noun;
use protocol::view::{DelegationKind, DelegationState, PipelineState, TaskBy, TaskState};
use protocol::{AgentId, DelegationId, PipelineId, UserId};

/// Characters of a result that are kept.
const RESULT: usize = 16_000;
/// Of all results that a task is given, characters; of one at most.
const GIVEN: usize = 60_000;
const GIVEN_OF_ONE: usize = 8_000;

/// Pipelines that would wait for nothing.
/// Of the people of this node.
const LEFT_UNDONE: &str = "state = 'running'
     AND (CAST($1 AS TEXT) IS NULL OR user_id IN (SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 1)) AND (
    
     EXISTS (SELECT 1 FROM pipeline_tasks t JOIN delegations d ON d.id = t.delegation_id
             WHERE t.pipeline_id = pipelines.id AND t.state = 'running' AND d.state NOT IN ('queued', 'running'))
     OR NOT EXISTS (SELECT 1 FROM pipeline_tasks t
                    WHERE t.pipeline_id = pipelines.id AND t.state IN ('running', 'asking')))";
const LEFT_AT_WORK: &str = "SELECT d.id FROM delegations d CROSS JOIN pipeline_tasks t
     JOIN pipelines p ON p.id = t.pipeline_id WHERE t.delegation_id = d.id AND d.state IN ('queued', 'running') AND p.state = 'stopped'
       AND (CAST($1 AS TEXT) IS NULL OR p.user_id IN (SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 1))";

/// What came of an attempt.
struct Ended {
    task: String,
    delegation: DelegationId,
    state: TaskState,
    result: String,
    why: String,
    untrusted: bool,
    budget_stop: Option<BudgetStop>,
}

/// Who stopped one.
#[derive(Clone, Copy, Debug)]
pub(super) enum StopReason {
    Person,
    /// The agent that leads it.
    Agent,
    /// The run that made it was stopped.
    Maker,
}

impl StopReason {
    fn words(self) -> &'static str {
        match self {
            Self::Person => "You stopped it.",
            Self::Agent => "Its agent stopped it.",
            Self::Maker => "The run that made it was stopped.",
        }
    }
}

impl Pipelines<'_> {
    /// Whatever of this person's can go on does, or of everybody's.
    pub(crate) async fn recover(self, person: Option<&UserId>) -> Result<()> {
        let running = "state = 'running' AND (CAST($1 AS TEXT) IS NULL OR user_id = $1)";
        self.advance_these(running, person.map(|person| person.0.as_str())).await
    }

    /// What was left undone while the store was away, or by a process that died: an end that was not noted, a step
    /// that nobody took, and what is still at work for a pipeline that was stopped.
    pub(crate) async fn catch_up(self) -> Result<()> {
        let node = self.hub.cluster().own_id();
        self.end_unanswered(node).await?;
        self.advance_these(LEFT_UNDONE, node).await?;
        let left: Vec<DelegationId> = query(LEFT_AT_WORK, (node,)).fetch_all(self.hub.store().read()).await?;
        for id in left {
            if let Some(of) = self.hub.delegations().find(&id).await? {
                self.hub.delegations().stop(&of).await?;
            }
        }
        Ok(())
    }

    async fn advance_these(self, which: &'static str, value: Option<&str>) -> Result<()> {
        let ids: Vec<Pipeline> =
            query([PIPELINES, which], (value,)).fetch_all(self.hub.store().read()).await?;
        for pipeline in ids {
            if let Err(error) = self.advance(&pipeline.id).await {
                let failure = error.into_failure();
                tracing::warn!("pipeline {} does not go on: {failure}", pipeline.id);
            }
        }
        Ok(())
    }

    pub(super) async fn advance(self, id: &PipelineId) -> Result<()> {
        loop {
            let ended = self.ended(id).await?;
            let Some(owner) = self.step(id, &ended).await? else { return Ok(()) };
            self.hub.delegations().begin_queued(&owner).await?;
            // What could not even begin is over at once.
            if self.ended(id).await?.is_empty() {
                return Ok(());
            }
        }
    }

    async fn ended(self, id: &PipelineId) -> Result<Vec<Ended>> {
        let mut ended = Vec::new();
        for task in tasks_of(self.hub.store().read(), id).await? {
            let Task { state: TaskState::Running, delegation: Some(delegation), id, .. } = task else {
                continue;
            };
            let end = match self.hub.delegations().find(&delegation).await? {
                None => Ended {
                    task: id,
                    delegation,
                    state: TaskState::Failed,
                    result: String::new(),
                    why: "Its agent was deleted.".to_owned(),
                    untrusted: false,
                    budget_stop: None,
                },
                Some(of) if of.state.is_over() => {
                    let (said, untrusted) = self.hub.delegations().said(&of).await?;
                    let budget_stop = self.hub.delegations().stopped_by_budget_of_pipeline(&of).await?;
                    Ended {
                        task: id,
                        delegation,
                        state: match of.state {
                            DelegationState::Completed => TaskState::Completed,
                            DelegationState::Stopped => TaskState::Stopped,
                            DelegationState::Queued
                            | DelegationState::Running
                            | DelegationState::Failed
                            | DelegationState::TimedOut
                            | DelegationState::OverBudget => TaskState::Failed,
                        },
                        result: said.chars().take(RESULT).collect(),
                        why: match budget_stop {
                            // It says so itself.
                            Some(BudgetStop::NoPrice) => of.why.clone(),
                            Some(BudgetStop::UsedUp) | None => why(of.state, &of.why),
                        },
                        untrusted,
                        budget_stop,
                    }
                }
                Some(_) => continue,
            };
            ended.push(end);
        }
        Ok(ended)
    }

    /// Notes these and begins what follows. Gives whose it is if it still runs.
    async fn step(self, id: &PipelineId, ended: &[Ended]) -> Result<Option<UserId>> {
        let mut appending = self.hub.log().appending().await?;
        // Who comes second waits here.
        query("UPDATE pipelines SET id = id WHERE id = $1", (id,)).execute(&mut *appending.tx).await?;
        let running: Option<Pipeline> = query([PIPELINES, "id = $1 AND state = 'running'"], (id,))
            .fetch_optional(&mut *appending.tx)
            .await?;
        let Some(pipeline) = running else {
            appending.give_up().await?;
            return Ok(None);
        };
        let now = self.hub.now();
        for end in ended {
            note(&mut appending, id, end, now).await?;
        }
        let mut is_other = !ended.is_empty();
        let tasks = loop {
            let tasks = tasks_of(&mut *appending.tx, id).await?;
            let at_once = usize::try_from(pipeline.at_once).unwrap_or(1);
            let next = step(&graph_of(&tasks), at_once);
            if next.is_empty() {
                break tasks;
            }
            is_other = true;
            for (task, lost) in next.skip {
                let why = format!("\"{}\" was not done.", tasks[lost].title);
                settle(&mut appending, id, &tasks[task].id, TaskState::Skipped, &why, now).await?;
            }
            for task in next.begin {
                self.begin(&mut appending, &pipeline, &tasks, &tasks[task]).await?;
            }
        };
        let goes_on = tasks.iter().any(|task| !task.state.is_over());
        if is_other || !goes_on {
            appending.tx.changes(&pipeline.owner, Noun::Pipelines);
        }
        if goes_on {
            self.hub.log().commit(appending).await?;
            self.hub.notifications().wake();
            return Ok(Some(pipeline.owner));
        }
        let is_done = tasks.iter().all(|task| task.state == TaskState::Completed);
        let is_stopped = |by: BudgetStop| tasks.iter().any(|task| task.budget_stop == Some(by));
        let state = match is_done {
            true => PipelineState::Completed,
            false if is_stopped(BudgetStop::UsedUp) => PipelineState::OverBudget,
            false if is_stopped(BudgetStop::NoPrice) => PipelineState::Unpriced,
            false => PipelineState::Failed,
        };
        query("UPDATE pipelines SET state = $2, finished_at = $3 WHERE id = $1", (id, state, now))
            .execute(&mut *appending.tx)
            .await?;
        let news = EndNews::of_pipeline(&pipeline.owner, &pipeline.title, is_done, &said(&tasks));
        appending.tell_end_of_pipeline(id, &news, now).await?;
        self.commit_and_tell(appending, &pipeline, state, &tasks).await?;
        self.hub.schedules().look_soon();
        self.hub.pipelines_changed().notify_waiters();
        Ok(None)
    }

    async fn begin(
        self,
        appending: &mut Appending,
        pipeline: &Pipeline,
        all: &[Task],
        task: &Task,
    ) -> Result<()> {
        let now = self.hub.now();
        if task.by != TaskBy::Person && budget::is_used_up(appending, pipeline, task, now).await? {
            return Ok(());
        }
        let agent = AgentId(task.who.clone());
        let assignee = match task.by {
            TaskBy::Person => {
                settle(appending, &pipeline.id, &task.id, TaskState::Asking, "", now).await?;
                answer::give_time(appending, &pipeline.id, task, now).await?;
                let news = News::TaskAsks {
                    pipeline: &pipeline.id,
                    title: &pipeline.title,
                    task_id: &task.id,
                    task: &task.title,
                };
                self.hub.notifications().note(&mut appending.tx, &pipeline.lead, None, news).await?;
                return Ok(());
            }
            TaskBy::Agent => Assignee::Agent(&agent),
            TaskBy::SubAgent => Assignee::SubAgent { label: &task.title, role: &task.who },
        };
        let before: Vec<&Task> = all.iter().filter(|other| task.depends_on.contains(&other.id)).collect();
        let attempt = PipelineTask {
            owner: &pipeline.owner,
            lead: &pipeline.lead,
            asker: &pipeline.asker,
            chain: &pipeline.chain,
            depth: pipeline.depth,
            assignee,
            text: &told(task, &before),
            minutes: task.minutes,
            untrusted: before.iter().any(|task| task.untrusted),
            before: task.delegation.as_ref(),
        };
        match self.hub.delegations().insert_task(&mut appending.tx, &attempt).await {
            Ok(delegation) => {
                query(
                    "UPDATE pipeline_tasks SET state = 'running', attempts = attempts + 1, delegation_id = $3,
                                               why = '', result = '', over_budget = 0, finished_at = NULL
                     WHERE pipeline_id = $1 AND task_id = $2",
                    (&pipeline.id, &task.id, &delegation),
                )
                .execute(&mut *appending.tx)
                .await?;
                Ok(())
            }
            // What a rule says ends the task, and all else this commit.
            Err(Error::Invalid(why) | Error::Limit(why)) => {
                settle(appending, &pipeline.id, &task.id, TaskState::Failed, &why, now).await
            }
            Err(error) => Err(error),
        }
    }

    pub(super) async fn stop(self, pipeline: &Pipeline, reason: StopReason) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query("UPDATE pipelines SET id = id WHERE id = $1", (&pipeline.id,)).execute(&mut *tx).await?;
        let now = self.hub.now();
        query(
            "UPDATE pipelines SET state = 'stopped', finished_at = $2 WHERE id = $1 AND state = 'running'",
            (&pipeline.id, now),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "UPDATE pipeline_tasks SET state = 'stopped', why = $3, finished_at = $2
             WHERE pipeline_id = $1 AND state IN ('waiting', 'running', 'asking')",
            (&pipeline.id, now, reason.words()),
        )
        .execute(&mut *tx)
        .await?;
        pipeline_is_answered(&mut tx, &pipeline.id, now).await?;
        tx.changes(&pipeline.owner, Noun::Pipelines);
        tx.commit().await?;
        self.hub.pipelines_changed().notify_waiters();
        for task in tasks_of(self.hub.store().read(), &pipeline.id).await? {
            let Some(delegation) = task.delegation else { continue };
            // What a sub-agent that is done left at work is stopped as well.
            if let Some(of) = self.hub.delegations().find(&delegation).await?
                && (!of.state.is_over() || of.kind == DelegationKind::SubAgent)
            {
                self.hub.delegations().stop(&of).await?;
            }
        }
        Ok(())
    }
}

async fn note(appending: &mut Appending, id: &PipelineId, end: &Ended, now: i64) -> Result<()> {
    // One that failed and may be tried again waits for that, but not for money.
    query(
        "UPDATE pipeline_tasks
         SET state = CASE WHEN $4 = 'failed' AND $9 = 0 AND attempts <= retries THEN 'waiting' ELSE $4 END,
             result = $5, why = $6, untrusted = CAST($7 AS BIGINT), finished_at = $8, over_budget = CAST($9 AS BIGINT)
         WHERE pipeline_id = $1 AND task_id = $2 AND state = 'running' AND delegation_id = $3",
        (
            id,
            &end.task,
            &end.delegation,
            end.state,
            &end.result,
            &end.why,
            i64::from(end.untrusted),
            now,
            stored(end.budget_stop),
        ),
    )
    .execute(&mut *appending.tx)
    .await?;
    Ok(())
}

async fn settle(
    appending: &mut Appending,
    id: &PipelineId,
    task: &str,
    state: TaskState,
    why: &str,
    now: i64,
) -> Result<()> {
    query(
        "UPDATE pipeline_tasks SET state = $3, why = $4, finished_at = $5
         WHERE pipeline_id = $1 AND task_id = $2",
        (id, task, state, why, state.is_over().then_some(now)),
    )
    .execute(&mut *appending.tx)
    .await?;
    Ok(())
}

fn why(state: DelegationState, why: &str) -> String {
    match state {
        DelegationState::Completed => String::new(),
        DelegationState::TimedOut => "It took longer than it may.".to_owned(),
        DelegationState::OverBudget => format!("A limit on spending stopped it. {why}"),
        DelegationState::Queued
        | DelegationState::Running
        | DelegationState::Failed
        | DelegationState::Stopped => why.to_owned(),
    }
}

/// What came of each, for who hears of the end.
fn said(tasks: &[Task]) -> String {
    let lines: Vec<String> =
        tasks.iter().map(|task| format!("- {}: {}", task.title, activity(task))).collect();
    lines.join("\n")
}

/// What its agent reads: what is to be done, and what came of what had to be done before.
fn told(task: &Task, before: &[&Task]) -> String {
    let mut text = format!("{}\n\n{}", task.title, task.instruction);
    let with_result: Vec<&&Task> = before.iter().filter(|task| !task.result.is_empty()).collect();
    if with_result.is_empty() {
        return text;
    }
    let most = (GIVEN / with_result.len()).min(GIVEN_OF_ONE);
    text.push_str("\n\nWhat came of the tasks before this one:");
    for task in with_result {
        let cut: String = task.result.chars().take(most).collect();
        let end = if cut.len() < task.result.len() { "\n(It was longer, and is cut here.)" } else { "" };
        text.push_str(&format!("\n\n# {}\n\n{cut}{end}", task.title));
    }
    text
}
