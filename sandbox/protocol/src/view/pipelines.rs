//! Pipelines: graphs of tasks that agents carry out, as they are written and as a page shows them.

use crate::{AgentId, ConversationId, Micros, PipelineId};
use serde::{Deserialize, Serialize};

/// A pipeline as a form or a file writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineDraft {
    pub title: String,
    /// Name or id of the agent that leads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How many tasks are under way at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_once: Option<i64>,
    /// The most that all of it may cost, in dollars. Empty or absent: what the limits of its agents allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    pub tasks: Vec<TaskDraft>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskDraft {
    pub id: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instruction: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Name or id of the agent that does it. Without one a sub-agent of the leading agent does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Who the sub-agent is to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The person says yes or no.
    #[serde(default)]
    pub approval: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<i64>,
    /// How often it is tried again by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PipelineState {
    /// It was never started.
    Ready,
    Running,
    /// Every task is done.
    Completed,
    /// Nothing goes on, and a task is not done.
    Failed,
    /// Nothing goes on, and a task is not done because the budget is used up.
    OverBudget,
    /// Nothing goes on, and a task is not done because nobody knows what its model costs, and there is a budget.
    Unpriced,
    Stopped,
}

/// Who carries a task out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskBy {
    /// A sub-agent of the leading agent.
    SubAgent,
    Agent,
    /// The person, with a yes or no.
    Person,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// For others, or for its turn.
    Waiting,
    /// An agent has it.
    Running,
    /// The person is asked.
    Asking,
    Completed,
    Failed,
    /// What it depends on is not done.
    Skipped,
    Stopped,
}

/// A pipeline in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PipelineCard {
    pub id: PipelineId,
    pub title: String,
    pub agent: AgentId,
    pub agent_name: String,
    pub state: PipelineState,
    pub tasks: i64,
    pub done: i64,
    /// Tasks that ask the person.
    pub asking: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<i64>,
    /// What it cost since it was started last, with what its agents asked of others.
    pub cost: Micros,
    /// The most that it may cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Micros>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PipelineView {
    pub card: PipelineCard,
    pub at_once: i64,
    /// In the order in which they were written.
    pub tasks: Vec<TaskView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskView {
    pub id: String,
    pub title: String,
    pub instruction: String,
    pub depends_on: Vec<String>,
    pub by: TaskBy,
    /// Of the agent that has it or is to have it; empty for a sub-agent that is not made yet.
    pub agent_name: String,
    pub state: TaskState,
    /// What happens with it, in at most 100 characters.
    pub activity: String,
    pub result: String,
    pub attempts: i64,
    pub retries: i64,
    pub minutes: i64,
    /// Where the last attempt is to be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    pub cost: Micros,
}

impl TaskState {
    pub fn is_over(self) -> bool {
        match self {
            Self::Waiting | Self::Running | Self::Asking => false,
            Self::Completed | Self::Failed | Self::Skipped | Self::Stopped => true,
        }
    }
}
