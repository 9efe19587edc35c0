//! The read models, which are what server functions answer.

use crate::golden::{check, every, section};
use crate::samples::{AT, agent, conversation, entry, hook, message, run, tool};
use protocol::Micros;
use protocol::hub::Mode;
use protocol::log::{Outcome, Summariser};
use protocol::model::{Effort, ModelMessage};
use protocol::view::{
    AgentCard, AgentDraft, AgentPage, AgentView, Answered, ContextPart, ContextSection, ContextStep,
    ContextView, DeviceView, FoundServers, Home, LocalEndpoint, LoopSettings, Me, ModelFacts, ModelList,
    ModelPrice, NewInvite, NewToken, OneTime, Probe, ProviderKind, ProviderReach, ProviderView, Role, Room,
    Sent, SignUpMode, Spent, Status, TokenView, ToolGroup, ToolRisk, ToolView, Welcome,
};

#[test]
fn every_read_model_is_as_it_was() {
    check(
        "views",
        &[
            every!(Home {
                Home::Hub => [Home::Hub],
                Home::Browser => [Home::Browser],
            }),
            every!(Status {
                Status::Idle => [Status::Idle],
                Status::Running => [Status::Running],
                Status::Error => [Status::Error],
            }),
            every!(Role {
                Role::Admin => [Role::Admin],
                Role::Member => [Role::Member],
            }),
            every!(SignUpMode {
                SignUpMode::Invite => [SignUpMode::Invite],
                SignUpMode::Open => [SignUpMode::Open],
                SignUpMode::Closed => [SignUpMode::Closed],
            }),
            every!(ProviderKind {
                ProviderKind::Anthropic => [ProviderKind::Anthropic],
                ProviderKind::OpenAi => [ProviderKind::OpenAi],
                ProviderKind::OpenAiResponses => [ProviderKind::OpenAiResponses],
                ProviderKind::Gemini => [ProviderKind::Gemini],
                ProviderKind::Bedrock => [ProviderKind::Bedrock],
                ProviderKind::Azure => [ProviderKind::Azure],
                ProviderKind::Groq => [ProviderKind::Groq],
                ProviderKind::OpenRouter => [ProviderKind::OpenRouter],
                ProviderKind::DeepSeek => [ProviderKind::DeepSeek],
                ProviderKind::Mistral => [ProviderKind::Mistral],
                ProviderKind::XAi => [ProviderKind::XAi],
                ProviderKind::Ollama => [ProviderKind::Ollama],
                ProviderKind::LmStudio => [ProviderKind::LmStudio],
                ProviderKind::LlamaCpp => [ProviderKind::LlamaCpp],
                ProviderKind::Scripted => [ProviderKind::Scripted],
            }),
            every!(OneTime {
                OneTime::Token(_) => [OneTime::Token(new_token())],
                OneTime::Invite(_) => [OneTime::Invite(new_invite())],
            }),
            section("Me", &[Me { id: "user-1".into(), name: "Ada".to_owned(), role: Role::Admin }]),
            section(
                "Welcome",
                &[Welcome { needs_setup: true, sign_up: SignUpMode::Invite, insecure: false }],
            ),
            section("DeviceView", &[device()]),
            section("TokenView", &[token()]),
            section("NewToken", &[new_token()]),
            section("NewInvite", &[new_invite()]),
            section(
                "ProviderView",
                &[provider(Some("http://127.0.0.1:11434/v1")), provider(None), device_provider()],
            ),
            every!(ProviderReach {
                ProviderReach::Hub => [ProviderReach::Hub],
                ProviderReach::Device => [ProviderReach::Device],
            }),
            section(
                "LocalEndpoint",
                &[LocalEndpoint {
                    kind: ProviderKind::Ollama,
                    name: "Ollama".to_owned(),
                    base_url: "http://127.0.0.1:11434/v1".to_owned(),
                    models: vec!["model-1".to_owned()],
                }],
            ),
            section("ModelList", &[ModelList { models: vec!["model-1".to_owned()], live: true }]),
            section("Probe", &[Probe { ok: true, message: "Connected. 12 models.".to_owned(), millis: 80 }]),
            section("AgentCard", &[card()]),
            section("Spent", &[spent(Some(Micros(4321))), spent(None)]),
            section("AgentView", &[view()]),
            section("LoopSettings", &[loop_settings(), LoopSettings::default()]),
            section(
                "AgentPage",
                &[AgentPage {
                    agent: view(),
                    card: card(),
                    provider_name: Some("Mine".to_owned()),
                    provider_kind: Some(ProviderKind::Anthropic),
                    room: room(),
                    entries: vec![entry(1, None, message())],
                    seq: 1,
                }],
            ),
            section("AgentDraft", &[draft()]),
            section(
                "ToolView",
                &[ToolView {
                    name: "runjs".to_owned(),
                    summary: "Run scripts in its page".to_owned(),
                    group: ToolGroup::Page,
                    risk: ToolRisk::Medium,
                    usual: true,
                }],
            ),
            every!(ToolGroup {
                ToolGroup::Page => [ToolGroup::Page],
                ToolGroup::Memory => [ToolGroup::Memory],
                ToolGroup::Tools => [ToolGroup::Tools],
            }),
            every!(ToolRisk {
                ToolRisk::None => [ToolRisk::None],
                ToolRisk::Low => [ToolRisk::Low],
                ToolRisk::Medium => [ToolRisk::Medium],
                ToolRisk::High => [ToolRisk::High],
                ToolRisk::Critical => [ToolRisk::Critical],
            }),
            section(
                "ContextView",
                &[ContextView {
                    agent: agent(),
                    name: "Fern".to_owned(),
                    model: "model-1".to_owned(),
                    running: false,
                    sections: vec![ContextSection {
                        tokens: 4,
                        part: ContextPart::System { text: "You are Fern.".to_owned() },
                    }],
                    tokens: 4,
                    room: room(),
                    steps: vec![ContextStep::Digested],
                    summarised: 0,
                }],
            ),
            every!(ContextStep {
                ContextStep::Digested => [ContextStep::Digested],
                ContextStep::Clipped { .. } => [ContextStep::Clipped { longest: 4000 }],
                ContextStep::Summary { .. } => [ContextStep::Summary {
                    by: Summariser::Model,
                    text: "They talked about ferns.".to_owned(),
                }],
            }),
            every!(ContextPart {
                ContextPart::System { .. } => [ContextPart::System { text: "You are Fern.".to_owned() }],
                ContextPart::Tool { .. } => [ContextPart::Tool { tool: tool() }],
                ContextPart::Message { .. } => [ContextPart::Message {
                    message: ModelMessage::User { text: "Hello".to_owned(), media: Vec::new() },
                }],
            }),
            section("Sent", &[Sent { seq: 42, conversation: conversation() }]),
            section(
                "Answered",
                &[
                    Answered {
                        seq: 42,
                        run: Some(run()),
                        outcome: Some(Outcome::Completed),
                        text: "Done.".to_owned(),
                        error: None,
                        spent: spent(Some(Micros(4321))),
                    },
                    Answered {
                        seq: 42,
                        run: None,
                        outcome: None,
                        text: String::new(),
                        error: None,
                        spent: spent(None),
                    },
                ],
            ),
            section(
                "FoundServers",
                &[FoundServers {
                    found: Vec::new(),
                    summary: "Ollama at http://localhost:11434: no answer.".to_owned(),
                }],
            ),
            section(
                "ModelFacts",
                &[
                    facts(Some(ModelPrice { input: Micros(3_000_000), output: Micros(15_000_000) })),
                    facts(None),
                ],
            ),
        ],
    );
}

fn device() -> DeviceView {
    DeviceView {
        id: "device-1".into(),
        name: "Firefox on Linux".to_owned(),
        created_at: AT,
        last_seen_at: AT,
        current: true,
    }
}

fn token() -> TokenView {
    TokenView { id: "token-1".into(), name: "script".to_owned(), created_at: AT, last_used_at: None }
}

fn new_token() -> NewToken {
    NewToken { token: "shown-once".to_owned(), view: token() }
}

fn new_invite() -> NewInvite {
    NewInvite { path: "/sign-up?invite=shown-once".to_owned(), expires_at: AT }
}

fn provider(base_url: Option<&str>) -> ProviderView {
    ProviderView {
        id: "provider-1".into(),
        name: "Mine".to_owned(),
        kind: ProviderKind::OpenAi,
        base_url: base_url.map(str::to_owned),
        has_key: true,
        created_at: AT,
        reach: ProviderReach::Hub,
        models_at: None,
    }
}

fn device_provider() -> ProviderView {
    ProviderView {
        kind: ProviderKind::Ollama,
        has_key: false,
        reach: ProviderReach::Device,
        models_at: Some("http://localhost:11434/api/tags".to_owned()),
        ..provider(None)
    }
}

fn facts(price: Option<ModelPrice>) -> ModelFacts {
    ModelFacts {
        model: "model-1".to_owned(),
        context: 200_000,
        is_known: price.is_some(),
        output: 64_000,
        images: true,
        reasoning: false,
        native_tools: true,
        price,
    }
}

fn spent(cost: Option<Micros>) -> Spent {
    Spent { input_tokens: 2110, output_tokens: 80, cost }
}

fn card() -> AgentCard {
    AgentCard {
        id: agent(),
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        home: Home::Browser,
        status: Status::Idle,
        last_line: Some("Hello".to_owned()),
        last_at: AT,
        spent: spent(None),
        skin_version: 3,
        message_count: 2,
        seq: 9,
    }
}

fn view() -> AgentView {
    AgentView {
        id: agent(),
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        instructions: "Be brief.".to_owned(),
        provider: Some("provider-1".into()),
        model: "model-1".to_owned(),
        tools: vec!["dom".to_owned(), "runjs".to_owned()],
        max_output_tokens: 4096,
        home: Home::Browser,
        loop_settings: loop_settings(),
        conversation: conversation(),
        created_at: AT,
        updated_at: AT,
    }
}

fn draft() -> AgentDraft {
    AgentDraft {
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        instructions: "Be brief.".to_owned(),
        provider: "provider-1".to_owned(),
        model: "model-1".to_owned(),
        tools: vec!["dom".to_owned()],
        max_output_tokens: 4096,
        home: Home::Hub,
        loop_settings: LoopSettings::default(),
    }
}

fn loop_settings() -> LoopSettings {
    LoopSettings {
        effort: Some(Effort::High),
        rounds: 40,
        hooks: vec![hook()],
        mode: Mode::Autonomous { turns: 3, done: "[DONE]".to_owned() },
    }
}

fn room() -> Room {
    Room { tokens: 195_904, warn: 60, danger: 85 }
}
