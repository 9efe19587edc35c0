//! Pipelines and their tasks.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::Micros;
use protocol::view::{
    PipelineCard, PipelineDraft, PipelineState, PipelineView, TaskBy, TaskDraft, TaskState, TaskView,
};

pub fn sections() -> Vec<Section> {
    vec![
        section(
            "PipelineDraft",
            &[PipelineDraft {
                title: "Report on mosses".to_owned(),
                agent: Some("Ada".to_owned()),
                at_once: Some(2),
                budget: Some("2.50".to_owned()),
                tasks: vec![
                    TaskDraft {
                        id: "find".to_owned(),
                        title: "Find sources".to_owned(),
                        instruction: "Find five good sources.".to_owned(),
                        role: Some("You look closely.".to_owned()),
                        minutes: Some(15),
                        retries: Some(1),
                        ..TaskDraft::default()
                    },
                    TaskDraft {
                        id: "look".to_owned(),
                        title: "Is it good?".to_owned(),
                        depends_on: vec!["find".to_owned()],
                        approval: true,
                        ..TaskDraft::default()
                    },
                ],
            }],
        ),
        section(
            "PipelineCard",
            &[pipeline_card(PipelineState::Ready), pipeline_card(PipelineState::Running)],
        ),
        section(
            "PipelineView",
            &[PipelineView {
                card: pipeline_card(PipelineState::Running),
                at_once: 4,
                tasks: vec![task(TaskState::Waiting), task(TaskState::Running)],
            }],
        ),
        every!(PipelineState {
            PipelineState::Ready => [PipelineState::Ready],
            PipelineState::Running => [PipelineState::Running],
            PipelineState::Completed => [PipelineState::Completed],
            PipelineState::Failed => [PipelineState::Failed],
            PipelineState::OverBudget => [PipelineState::OverBudget],
            PipelineState::Unpriced => [PipelineState::Unpriced],
            PipelineState::Stopped => [PipelineState::Stopped],
        }),
        every!(TaskBy {
            TaskBy::SubAgent => [TaskBy::SubAgent],
            TaskBy::Agent => [TaskBy::Agent],
            TaskBy::Person => [TaskBy::Person],
        }),
        every!(TaskState {
            TaskState::Waiting => [TaskState::Waiting],
            TaskState::Running => [TaskState::Running],
            TaskState::Asking => [TaskState::Asking],
            TaskState::Completed => [TaskState::Completed],
            TaskState::Failed => [TaskState::Failed],
            TaskState::Skipped => [TaskState::Skipped],
            TaskState::Stopped => [TaskState::Stopped],
        }),
    ]
}

pub fn pipeline_card(state: PipelineState) -> PipelineCard {
    let is_begun = state != PipelineState::Ready;
    PipelineCard {
        id: "pipeline-1".into(),
        title: "Report on mosses".to_owned(),
        agent: "agent-1".into(),
        agent_name: "Ada".to_owned(),
        state,
        tasks: 2,
        done: i64::from(is_begun),
        asking: i64::from(is_begun),
        created_at: AT,
        started_at: is_begun.then_some(AT),
        finished_at: None,
        cost: Micros(1_234),
        budget: is_begun.then_some(Micros(2_500_000)),
    }
}

pub fn task(state: TaskState) -> TaskView {
    let is_begun = state != TaskState::Waiting;
    TaskView {
        id: "find".to_owned(),
        title: "Find sources".to_owned(),
        instruction: "Find five good sources.".to_owned(),
        depends_on: vec!["before".to_owned()],
        by: TaskBy::SubAgent,
        agent_name: if is_begun { "Ada › Find sources".to_owned() } else { String::new() },
        state,
        activity: "At work".to_owned(),
        result: String::new(),
        attempts: i64::from(is_begun),
        retries: 1,
        minutes: 15,
        agent: is_begun.then(|| "agent-2".into()),
        conversation: is_begun.then(|| "conversation-2".into()),
        cost: Micros(1_234),
    }
}
