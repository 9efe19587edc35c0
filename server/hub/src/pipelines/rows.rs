//! Pipelines and their tasks as rows.

use super::ready::Node;
use crate::delegations::BudgetStop;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, query};
use protocol::view::{PipelineState, TaskBy, TaskState};
use protocol::{AgentId, ConversationId, DelegationId, PipelineId, RunId, UserId};
use sqlx::{Any, Executor};

/// Of a task: why the budget is in its way. 0: it is not.
const USED_UP: i64 = 1;
const NO_PRICE: i64 = 2;

pub(super) struct Pipeline {
    pub(super) id: PipelineId,
    pub(super) owner: UserId,
    pub(super) lead: AgentId,
    pub(super) at_once: i64,
    pub(super) state: PipelineState,
    pub(super) title: String,
    pub(super) asker: RunId,
    pub(super) chain: RunId,
    pub(super) depth: i64,
    pub(super) told_in: Option<ConversationId>,
    /// The pipeline whose budget is the budget of this one too.
    pub(super) part_of: Option<PipelineId>,
}

pub(super) const PIPELINES: &str = "SELECT id, user_id, agent_id, title, at_once, state, chain, COALESCE(begun_by, chain) AS begun_by, depth, told_in, part_of
     FROM pipelines WHERE";

impl FromRow for Pipeline {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            owner: row.get("user_id")?,
            lead: row.get("agent_id")?,
            at_once: row.get("at_once")?,
            state: row.get("state")?,
            title: row.get("title")?,
            asker: row.get("chain")?,
            chain: row.get("begun_by")?,
            depth: row.get("depth")?,
            told_in: row.get("told_in")?,
            part_of: row.get("part_of")?,
        })
    }
}

pub(super) struct Task {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) instruction: String,
    pub(super) depends_on: Vec<String>,
    pub(super) by: TaskBy,
    pub(super) who: String,
    pub(super) minutes: i64,
    pub(super) retries: i64,
    pub(super) state: TaskState,
    pub(super) attempts: i64,
    pub(super) delegation: Option<DelegationId>,
    pub(super) result: String,
    pub(super) why: String,
    pub(super) untrusted: bool,
    /// The budget is why it is not done.
    pub(super) budget_stop: Option<BudgetStop>,
}

impl FromRow for Task {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(depends_on) = row.get("depends_on")?;
        Ok(Self {
            id: row.get("task_id")?,
            title: row.get("title")?,
            instruction: row.get("instruction")?,
            depends_on,
            by: row.get("done_by")?,
            who: row.get("who")?,
            minutes: row.get("minutes")?,
            retries: row.get("retries")?,
            state: row.get("state")?,
            attempts: row.get("attempts")?,
            delegation: row.get("delegation_id")?,
            result: row.get("result")?,
            why: row.get("why")?,
            untrusted: row.get::<i64>("untrusted")? == 1,
            budget_stop: match row.get::<i64>("over_budget")? {
                USED_UP => Some(BudgetStop::UsedUp),
                NO_PRICE => Some(BudgetStop::NoPrice),
                _ => None,
            },
        })
    }
}

/// As the row of its task has it.
pub(super) fn stored(stop: Option<BudgetStop>) -> i64 {
    match stop {
        None => 0,
        Some(BudgetStop::UsedUp) => USED_UP,
        Some(BudgetStop::NoPrice) => NO_PRICE,
    }
}

/// In the order in which they were written.
pub(super) async fn tasks_of<'e>(
    executor: impl Executor<'e, Database = Any>,
    pipeline: &PipelineId,
) -> Result<Vec<Task>> {
    query(
        "SELECT task_id, title, instruction, depends_on, done_by, who, minutes, retries, state, attempts,
                delegation_id, result, why, untrusted, over_budget
         FROM pipeline_tasks WHERE pipeline_id = $1 ORDER BY place",
        (pipeline,),
    )
    .fetch_all(executor)
    .await
}

pub(super) fn graph_of(tasks: &[Task]) -> Vec<Node> {
    let place = |id: &String| tasks.iter().position(|task| task.id == *id);
    let node = |task: &Task| Node {
        state: task.state,
        after: task.depends_on.iter().filter_map(place).collect(),
        is_persons: task.by == TaskBy::Person,
    };
    tasks.iter().map(node).collect()
}
