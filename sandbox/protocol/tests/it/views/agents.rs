//! Agents: their cards, how they are set, and their pages.

use super::context::room;
use super::conversations::{conversation_view, rating};
use super::money::spent;
use super::permissions::permission;
use crate::golden::{Section, every, section};
use crate::samples::{AT, agent, conversation, entry, hook, message};
use protocol::agent::{Home, Mode, ProviderKind};
use protocol::model::{Effort, Verbosity};
use protocol::view::{
    AgentCard, AgentCommand, AgentDraft, AgentPage, AgentView, BranchPoint, Fallback, LoopSettings, Network,
    ProposedAgent, ProviderReach, Repairs, SamplingSettings, SpeechHere, StateRule, Status, Today,
    WebSecretView,
};
use protocol::{ConversationId, Micros};

pub fn homes() -> Vec<Section> {
    vec![every!(Home {
        Home::Hub => [Home::Hub],
        Home::Browser => [Home::Browser],
    })]
}

pub fn statuses() -> Vec<Section> {
    vec![every!(Status {
        Status::Idle => [Status::Idle],
        Status::Running => [Status::Running],
        Status::Waiting => [Status::Waiting],
        Status::Error => [Status::Error],
    })]
}

pub fn agents() -> Vec<Section> {
    vec![
        section("AgentCard", &[card()]),
        section("Spent", &[spent(Some(Micros(4321))), spent(None)]),
        section("AgentView", &[view()]),
        section("WebSecretView", &[web_secret()]),
        every!(Network {
            Network::Off => [Network::Off],
            Network::AllowList { .. } => [Network::AllowList { hosts: vec!["example.org".to_owned()] }],
            Network::Public => [Network::Public],
        }),
        section("LoopSettings", &[loop_settings(), LoopSettings::default()]),
        section(
            "AgentPage",
            &[AgentPage {
                agent: view(),
                card: card(),
                conversation: conversation_view(),
                elsewhere: Some(conversation_view()),
                provider_name: Some("Mine".to_owned()),
                provider_kind: Some(ProviderKind::Anthropic),
                takes_pdf: true,
                provider_reach: Some(ProviderReach::Hub),
                room: room(),
                entries: vec![entry(3, None, message())],
                earlier: Some(3),
                cut: vec![3],
                permissions: vec![permission(None)],
                seq: 3,
                branches: vec![BranchPoint {
                    at: 3,
                    branches: vec![ConversationId::from("c0"), ConversationId::from("c1")],
                    shown: 1,
                }],
                ratings: vec![rating(None)],
                speech: SpeechHere { hears: true, speaks: false },
            }],
        ),
    ]
}

pub fn rules_and_drafts() -> Vec<Section> {
    let proposed =
        ProposedAgent { name: "Fern".to_owned(), instructions: "You keep ferns in the shade.".to_owned() };
    vec![
        section("StateRule", &[state_rule()]),
        section("AgentDraft", &[draft()]),
        section("ProposedAgent", &[proposed]),
    ]
}

pub fn card() -> AgentCard {
    AgentCard {
        id: agent(),
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        home: Home::Browser,
        status: Status::Idle,
        paused: true,
        pinned: true,
        unread: true,
        last_line: Some("Hello".to_owned()),
        last_at: AT,
        spent: spent(None),
        today: Some(Today { spent: Micros(120_000), limit: Micros(1_000_000) }),
        skin_version: 3,
        message_count: 2,
        seq: 9,
    }
}

pub fn view() -> AgentView {
    AgentView {
        id: agent(),
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        instructions: "Be brief.".to_owned(),
        provider: Some("provider-1".into()),
        model: "model-1".to_owned(),
        fallback: Some(Fallback { provider: "provider-2".into(), model: "model-2".to_owned() }),
        tools: vec!["dom".to_owned(), "runjs".to_owned()],
        max_output_tokens: 4096,
        home: Home::Browser,
        loop_settings: loop_settings(),
        own_key: false,
        follows_robots: true,
        commands_reach: true,
        paused: true,
        network: Network::AllowList {
            hosts: vec!["*.example.org".to_owned(), "api.example.com:8000".to_owned()],
        },
        conversation: conversation(),
        created_at: AT,
        updated_at: AT,
    }
}

pub fn draft() -> AgentDraft {
    AgentDraft {
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        instructions: "Be brief.".to_owned(),
        provider: "provider-1".to_owned(),
        model: "model-1".to_owned(),
        fallback_provider: "provider-2".to_owned(),
        fallback_model: "model-2".to_owned(),
        tools: vec!["dom".to_owned()],
        max_output_tokens: 4096,
        home: Home::Hub,
        loop_settings: LoopSettings::default(),
    }
}

pub fn loop_settings() -> LoopSettings {
    LoopSettings {
        effort: Some(Effort::High),
        sampling: sampling(),
        rounds: 40,
        hooks: vec![hook()],
        clear_after_minutes: Some(20),
        ambient_after_minutes: Some(5),
        hub_after_minutes: Some(15),
        repairs: Repairs::Asked,
        plan: true,
        commands: vec![AgentCommand {
            name: "plan".to_owned(),
            label: "Plan the week".to_owned(),
            text: "Plan my week.".to_owned(),
        }],
        mode: Mode::Autonomous { turns: 3, done: "[DONE]".to_owned() },
    }
}

pub fn sampling() -> SamplingSettings {
    SamplingSettings {
        temperature: Some(0.7),
        top_p: Some(0.9),
        top_k: Some(40),
        presence_penalty: Some(0.5),
        frequency_penalty: Some(-0.5),
        seed: Some(7),
        verbosity: Some(Verbosity::Low),
        extra: Some(serde_json::json!({ "min_p": 0.1 })),
    }
}

pub fn state_rule() -> StateRule {
    StateRule { key: "game.score".to_owned(), when: "> 10".to_owned(), message: "Somebody wins.".to_owned() }
}

fn web_secret() -> WebSecretView {
    WebSecretView { name: "garden".to_owned(), place: "https://garden.example".to_owned(), kept_at: AT }
}
