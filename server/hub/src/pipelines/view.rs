//! A pipeline as a person and an agent see it.

use super::rows::{Task, tasks_of};
use crate::Hub;
use crate::error::Result;
use crate::store::{FromRow, Row, query};
use protocol::view::{DelegationState, PipelineCard, PipelineView, TaskBy, TaskState, TaskView};
use protocol::{AgentId, ConversationId, Micros, PipelineId, RunId, UserId};
use std::collections::HashMap;

const ACTIVITY: usize = 100;

const CARDS: &str = "SELECT p.id, p.title, p.agent_id, a.name AS agent_name, p.state, p.at_once, p.created_at,
            p.started_at, p.finished_at,
            (SELECT COUNT(*) FROM pipeline_tasks t WHERE t.pipeline_id = p.id) AS tasks,
            (SELECT COUNT(*) FROM pipeline_tasks t WHERE t.pipeline_id = p.id AND t.state = 'completed') AS done,
            (SELECT COUNT(*) FROM pipeline_tasks t WHERE t.pipeline_id = p.id AND t.state = 'asking') AS asking,
            COALESCE((SELECT s.cost FROM pipeline_spending s WHERE s.pipeline_id = p.id AND s.chain = p.chain),
                     (SELECT CAST(COALESCE(SUM(r.cost), 0) AS BIGINT) FROM delegations d
                      JOIN runs r ON r.id = d.run_id WHERE d.asker_run = p.chain)) AS cost,
            (SELECT c.ever FROM caps c WHERE c.scope = 'pipeline' AND c.owner = p.id) AS budget
     FROM pipelines p JOIN agents a ON a.id = p.agent_id WHERE";

pub(super) struct Card {
    pub(super) card: PipelineCard,
    pub(super) at_once: i64,
}

impl FromRow for Card {
    fn from_row(row: &Row) -> Result<Self> {
        let card = PipelineCard {
            id: row.get("id")?,
            title: row.get("title")?,
            agent: row.get("agent_id")?,
            agent_name: row.get("agent_name")?,
            state: row.get("state")?,
            tasks: row.get("tasks")?,
            done: row.get("done")?,
            asking: row.get("asking")?,
            created_at: row.get("created_at")?,
            started_at: row.get("started_at")?,
            finished_at: row.get("finished_at")?,
            cost: row.get("cost")?,
            budget: row.get("budget")?,
        };
        Ok(Self { card, at_once: row.get("at_once")? })
    }
}

pub(super) async fn cards_of(hub: &Hub, owner: &UserId) -> Result<Vec<PipelineCard>> {
    let cards: Vec<Card> = query([CARDS, "p.user_id = $1 ORDER BY p.created_at DESC, p.id DESC"], (owner,))
        .fetch_all(hub.store().read())
        .await?;
    Ok(cards.into_iter().map(|card| card.card).collect())
}

/// Those of which a task waits for its person's yes or no.
pub(super) async fn asking_of(hub: &Hub, owner: &UserId) -> Result<Vec<PipelineCard>> {
    let cards: Vec<Card> = query(
        [
            CARDS,
            "p.user_id = $1 AND p.state = 'running' AND EXISTS (
                 SELECT 1 FROM pipeline_tasks t WHERE t.pipeline_id = p.id AND t.state = 'asking')
             ORDER BY p.created_at DESC, p.id DESC",
        ],
        (owner,),
    )
    .fetch_all(hub.store().read())
    .await?;
    Ok(cards.into_iter().map(|card| card.card).collect())
}

pub(super) async fn view_of(hub: &Hub, id: &PipelineId) -> Result<PipelineView> {
    let Card { card, at_once } = query([CARDS, "p.id = $1"], (id,)).fetch_one(hub.store().read()).await?;
    let attempts: Vec<Attempt> = query(
        "SELECT t.task_id, d.agent_id, d.conversation_id, d.run_id, d.state, a.name, COALESCE(r.cost, 0) AS cost,
                (SELECT COUNT(*) FROM approvals w WHERE w.agent_id = d.agent_id AND w.settled_at IS NULL) AS asks
         FROM pipeline_tasks t JOIN delegations d ON d.id = t.delegation_id JOIN agents a ON a.id = d.agent_id
         LEFT JOIN runs r ON r.id = d.run_id WHERE t.pipeline_id = $1",
        (id,),
    )
    .fetch_all(hub.store().read())
    .await?;
    let mut attempts: HashMap<String, Attempt> =
        attempts.into_iter().map(|attempt| (attempt.task.clone(), attempt)).collect();
    let names: Vec<Named> = query(
        "SELECT a.id, a.name FROM pipeline_tasks t JOIN agents a ON a.id = t.who
         WHERE t.pipeline_id = $1 AND t.done_by = 'agent'",
        (id,),
    )
    .fetch_all(hub.store().read())
    .await?;
    let names: HashMap<String, String> = names.into_iter().map(|named| (named.0, named.1)).collect();
    let tasks = tasks_of(hub.store().read(), id).await?;
    let tasks = tasks.into_iter().map(|task| {
        let attempt = attempts.remove(&task.id);
        let said = attempt.as_ref().map(|attempt| attempt.is_saying(hub)).unwrap_or_default();
        view(task, attempt, said, &names)
    });
    Ok(PipelineView { card, at_once, tasks: tasks.collect() })
}

struct Named(String, String);

impl FromRow for Named {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self(row.get("id")?, row.get("name")?))
    }
}

/// What was begun last for a task.
struct Attempt {
    task: String,
    agent: AgentId,
    conversation: ConversationId,
    run: Option<RunId>,
    name: String,
    state: DelegationState,
    cost: Micros,
    asks: bool,
}

impl Attempt {
    /// Empty: nothing yet, or its run is over.
    fn is_saying(&self, hub: &Hub) -> String {
        let run = self.run.as_ref().filter(|_| self.state == DelegationState::Running);
        run.map(|run| hub.live().last_words_of(&self.agent, run, ACTIVITY)).unwrap_or_default()
    }
}

impl FromRow for Attempt {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            task: row.get("task_id")?,
            agent: row.get("agent_id")?,
            conversation: row.get("conversation_id")?,
            run: row.get("run_id")?,
            name: row.get("name")?,
            state: row.get("state")?,
            cost: row.get("cost")?,
            asks: row.get::<i64>("asks")? > 0,
        })
    }
}

fn view(task: Task, attempt: Option<Attempt>, said: String, names: &HashMap<String, String>) -> TaskView {
    let known = match task.by {
        TaskBy::Agent => names.get(&task.who).cloned().unwrap_or_else(|| "an agent that is gone".to_owned()),
        TaskBy::SubAgent | TaskBy::Person => String::new(),
    };
    let activity = match (&attempt, task.state) {
        (Some(Attempt { state: DelegationState::Queued, .. }), TaskState::Running) => {
            "Waits for its agent to be free".to_owned()
        }
        (Some(Attempt { asks: true, .. }), TaskState::Running) => {
            "Asks you something in its conversation".to_owned()
        }
        (Some(_), TaskState::Running) if !said.is_empty() => said,
        _ => activity(&task),
    };
    TaskView {
        activity,
        id: task.id,
        title: task.title,
        instruction: task.instruction,
        depends_on: task.depends_on,
        by: task.by,
        agent_name: attempt.as_ref().map_or(known, |attempt| attempt.name.clone()),
        state: task.state,
        result: task.result,
        attempts: task.attempts,
        retries: task.retries,
        minutes: task.minutes,
        agent: attempt.as_ref().map(|attempt| attempt.agent.clone()),
        conversation: attempt.as_ref().map(|attempt| attempt.conversation.clone()),
        cost: attempt.map_or(Micros(0), |attempt| attempt.cost),
    }
}

/// Why it stands as it does, or how its result begins.
pub(super) fn activity(task: &Task) -> String {
    let text = match task.state {
        TaskState::Waiting if task.attempts > 0 => format!("Is tried again. {}", task.why),
        TaskState::Waiting => "Waits".to_owned(),
        TaskState::Running if task.attempts > 1 => format!("At work, attempt {}", task.attempts),
        TaskState::Running => "At work".to_owned(),
        TaskState::Asking => "Waits for your answer".to_owned(),
        TaskState::Completed if task.result.is_empty() => "Done".to_owned(),
        TaskState::Completed => task.result.clone(),
        TaskState::Failed | TaskState::Skipped | TaskState::Stopped => task.why.clone(),
    };
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= ACTIVITY {
        return line;
    }
    line.chars().take(ACTIVITY - 1).chain(['…']).collect()
}
