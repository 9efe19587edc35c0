//! Agents that others may ask, and what agents ask of each other.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::Micros;
use protocol::view::{
    AgentShareView, AskableAgentView, ChainBeginning, DelegationKind, DelegationState, DelegationView,
};

pub fn sections() -> Vec<Section> {
    vec![
        section("AgentShareView", &agent_shares()),
        section("AskableAgentView", &[askable_agent()]),
        section(
            "DelegationView",
            &[
                delegation(DelegationState::Queued),
                delegation(DelegationState::Failed),
                delegation_for_others(),
            ],
        ),
        every!(ChainBeginning {
            ChainBeginning::Conversation => [ChainBeginning::Conversation],
            ChainBeginning::Program => [ChainBeginning::Program],
            ChainBeginning::Schedule => [ChainBeginning::Schedule],
            ChainBeginning::Thought => [ChainBeginning::Thought],
            ChainBeginning::Pipeline => [ChainBeginning::Pipeline],
            ChainBeginning::Unknown => [ChainBeginning::Unknown],
        }),
        every!(DelegationKind {
            DelegationKind::SubAgent => [DelegationKind::SubAgent],
            DelegationKind::Agent => [DelegationKind::Agent],
            DelegationKind::Peer => [DelegationKind::Peer],
            DelegationKind::Topic => [DelegationKind::Topic],
            DelegationKind::Shared => [DelegationKind::Shared],
        }),
        every!(DelegationState {
            DelegationState::Queued => [DelegationState::Queued],
            DelegationState::Running => [DelegationState::Running],
            DelegationState::Completed => [DelegationState::Completed],
            DelegationState::Failed => [DelegationState::Failed],
            DelegationState::Stopped => [DelegationState::Stopped],
            DelegationState::TimedOut => [DelegationState::TimedOut],
            DelegationState::OverBudget => [DelegationState::OverBudget],
        }),
    ]
}

pub fn agent_shares() -> [AgentShareView; 2] {
    let share = AgentShareView {
        id: "agent-share-1".into(),
        with: "ben".to_owned(),
        is_group: false,
        per_month: Micros(5_000_000),
        spent: Micros(1_200),
        shared_at: AT,
    };
    let group = AgentShareView {
        id: "agent-share-2".into(),
        with: "Family".to_owned(),
        is_group: true,
        ..share.clone()
    };
    [share, group]
}

pub fn askable_agent() -> AskableAgentView {
    AskableAgentView {
        id: "agent-share-1".into(),
        name: "Fern".to_owned(),
        owner: "ada".to_owned(),
        about: "You know plants.".to_owned(),
    }
}

/// As the owner of the agent sees it.
pub fn delegation_for_others() -> DelegationView {
    let asked = delegation(DelegationState::Completed);
    DelegationView {
        kind: DelegationKind::Shared,
        asker_name: "Moss (ben)".to_owned(),
        for_others: true,
        ..asked
    }
}

pub fn delegation(state: DelegationState) -> DelegationView {
    let is_over = state.is_over();
    DelegationView {
        id: "delegation-1".into(),
        kind: DelegationKind::SubAgent,
        asker: "agent-1".into(),
        asker_name: "Ada".to_owned(),
        asker_conversation: "conversation-1".into(),
        agent: "agent-2".into(),
        name: "Ada › Moss".to_owned(),
        conversation: "conversation-2".into(),
        task: "Find out what moss likes.".to_owned(),
        latest: String::new(),
        state,
        chain: "run-1".into(),
        depth: 1,
        begun_by: ChainBeginning::Conversation,
        begun_with: "Ada".to_owned(),
        why: if is_over { "The model is not there.".to_owned() } else { String::new() },
        created_at: AT,
        started_at: is_over.then_some(AT),
        finished_at: is_over.then_some(AT),
        cost: Micros(1_234),
        for_others: false,
    }
}
