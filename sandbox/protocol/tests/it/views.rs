//! The read models, which are what server functions answer.

mod examples;

use crate::golden::{check, every, section};
use crate::samples::{AT, agent, approval, conversation, entry, message, run, tool};
use examples::{
    audit_line, budget, call_line, call_of_others, card, conversation_view, device, device_provider, draft,
    facts, from_an_answer, keyed_provider, loop_settings, made_tool, mcp_server, new_invite, new_reset,
    new_token, permission, policy_rule, price, provider, recovery_codes, room, schedules, settings, shared,
    shared_conversation, shared_part, spent, token, usage, view, zone,
};
use protocol::Budget;
use protocol::agent::{Home, ProviderKind, ToolRisk};
use protocol::approval::{ApprovalView, Verdict};
use protocol::log::{Outcome, Summariser};
use protocol::model::ModelMessage;
use protocol::schedule::{Days, FiringState, ScheduleDraft, Timing, TimingKind};
use protocol::view::{
    AgentPage, AuditAction, AuditOutcome, AuditPage, AuditState, AuditVia, BranchPoint, CallDecider,
    CallKind, CallOutcome, CallsPage, ContextPart, ContextSection, ContextStep, ContextView,
    ConversationFilter, ConversationList, ConversationShare, ConversationShares, FoundServers, GroupView,
    InstructionsAuthor, InstructionsText, InstructionsVersion, KeptKey, LimitWarning, LocalEndpoint,
    LoopSettings, McpChoice, Me, MessageOutcome, ModelList, ModelPrice, Network, NewSecondFactor, OneTime,
    OwnPrice, PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView, PersonBudget, PersonView, Probe,
    ProviderOwnership, ProviderReach, QrPicture, Right, Role, SearchKind, SearchSourceView, SecondFactor,
    Sent, Settings, SharedList, SharedSpeaker, SharedWords, SignInStep, SignUpMode, SkinOrigin, SkinVersion,
    Space, Status, TakenSettings, ToolGroup, ToolView, Towards, WantedPrice, Welcome,
};
use protocol::{ConversationId, LimitOf, Micros, Permission};

#[test]
fn every_read_model_is_as_it_was() {
    check(
        "views",
        &[
            every!(Home {
                Home::Hub => [Home::Hub],
                Home::Browser => [Home::Browser],
            }),
            every!(SkinOrigin {
                SkinOrigin::Run => [SkinOrigin::Run],
                SkinOrigin::Page => [SkinOrigin::Page],
                SkinOrigin::Person => [SkinOrigin::Person],
                SkinOrigin::Copy => [SkinOrigin::Copy],
            }),
            section(
                "SkinVersion",
                &[
                    SkinVersion {
                        version: 3,
                        at: AT,
                        origin: SkinOrigin::Run,
                        device: Some("Firefox".to_owned()),
                    },
                    SkinVersion { version: 1, at: AT, origin: SkinOrigin::Copy, device: None },
                ],
            ),
            every!(InstructionsAuthor {
                InstructionsAuthor::Person => [InstructionsAuthor::Person],
                InstructionsAuthor::Agent => [InstructionsAuthor::Agent],
                InstructionsAuthor::Copy => [InstructionsAuthor::Copy],
            }),
            section(
                "InstructionsVersion",
                &[
                    InstructionsVersion {
                        version: 2,
                        at: AT,
                        author: Some(InstructionsAuthor::Agent),
                        conversation: Some(conversation()),
                    },
                    InstructionsVersion { version: 1, at: AT, author: None, conversation: None },
                ],
            ),
            section(
                "InstructionsText",
                &[
                    InstructionsText {
                        version: 2,
                        text: "Be kind.".to_owned(),
                        difference: Some("@@ -0,0 +1 @@\n+Be kind.\n".to_owned()),
                    },
                    InstructionsText { version: 1, text: String::new(), difference: None },
                ],
            ),
            every!(Status {
                Status::Idle => [Status::Idle],
                Status::Running => [Status::Running],
                Status::Waiting => [Status::Waiting],
                Status::Error => [Status::Error],
            }),
            every!(Role {
                Role::Admin => [Role::Admin],
                Role::Member => [Role::Member],
                Role::Guest => [Role::Guest],
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
                ProviderKind::InBrowser => [ProviderKind::InBrowser],
                ProviderKind::Scripted => [ProviderKind::Scripted],
            }),
            every!(OneTime {
                OneTime::Token(_) => [OneTime::Token(new_token())],
                OneTime::Invite(_) => [OneTime::Invite(new_invite())],
                OneTime::Reset(_) => [OneTime::Reset(new_reset())],
                OneTime::RecoveryCodes(_) => [OneTime::RecoveryCodes(recovery_codes())],
            }),
            every!(Right {
                Right::SaveProviders => [Right::SaveProviders],
                Right::MakeTokens => [Right::MakeTokens],
                Right::RunTheHub => [Right::RunTheHub],
            }),
            section(
                "PersonView",
                &[PersonView {
                    id: "user-1".into(),
                    name: "Ada".to_owned(),
                    role: Role::Guest,
                    disabled: true,
                    created_at: AT,
                    last_seen_at: Some(AT),
                    budget: Budget::default(),
                    second_factor: true,
                    is_self: false,
                }],
            ),
            every!(AuditAction {
                AuditAction::LogStarted => [AuditAction::LogStarted],
                AuditAction::AccountMade => [AuditAction::AccountMade],
                AuditAction::SignedIn => [AuditAction::SignedIn],
                AuditAction::Locked => [AuditAction::Locked],
                AuditAction::SignedOut => [AuditAction::SignedOut],
                AuditAction::DeviceRevoked => [AuditAction::DeviceRevoked],
                AuditAction::PasswordChanged => [AuditAction::PasswordChanged],
                AuditAction::ResetLinkMade => [AuditAction::ResetLinkMade],
                AuditAction::PasswordReset => [AuditAction::PasswordReset],
                AuditAction::TokenMade => [AuditAction::TokenMade],
                AuditAction::TokenRevoked => [AuditAction::TokenRevoked],
                AuditAction::PasskeyAdded => [AuditAction::PasskeyAdded],
                AuditAction::PasskeyRemoved => [AuditAction::PasskeyRemoved],
                AuditAction::SecondFactorOn => [AuditAction::SecondFactorOn],
                AuditAction::SecondFactorOff => [AuditAction::SecondFactorOff],
                AuditAction::RecoveryCodeUsed => [AuditAction::RecoveryCodeUsed],
                AuditAction::RecoveryCodesMade => [AuditAction::RecoveryCodesMade],
                AuditAction::Invited => [AuditAction::Invited],
                AuditAction::SignUpSet => [AuditAction::SignUpSet],
                AuditAction::RoleSet => [AuditAction::RoleSet],
                AuditAction::PersonDisabled => [AuditAction::PersonDisabled],
                AuditAction::PersonEnabled => [AuditAction::PersonEnabled],
                AuditAction::PersonRemoved => [AuditAction::PersonRemoved],
                AuditAction::ProviderSaved => [AuditAction::ProviderSaved],
                AuditAction::ProviderDeleted => [AuditAction::ProviderDeleted],
                AuditAction::ProviderShared => [AuditAction::ProviderShared],
                AuditAction::SharingStopped => [AuditAction::SharingStopped],
                AuditAction::GroupSaved => [AuditAction::GroupSaved],
                AuditAction::GroupDeleted => [AuditAction::GroupDeleted],
                AuditAction::ConversationShared => [AuditAction::ConversationShared],
                AuditAction::ConversationUnshared => [AuditAction::ConversationUnshared],
                AuditAction::LimitSet => [AuditAction::LimitSet],
                AuditAction::PriceSet => [AuditAction::PriceSet],
                AuditAction::PriceForgotten => [AuditAction::PriceForgotten],
                AuditAction::AgentDeleted => [AuditAction::AgentDeleted],
                AuditAction::AgentKeySet => [AuditAction::AgentKeySet],
                AuditAction::AgentKeyForgotten => [AuditAction::AgentKeyForgotten],
                AuditAction::NetworkSet => [AuditAction::NetworkSet],
                AuditAction::PermissionSet => [AuditAction::PermissionSet],
                AuditAction::PermissionForgotten => [AuditAction::PermissionForgotten],
                AuditAction::CallAllowed => [AuditAction::CallAllowed],
                AuditAction::CallDenied => [AuditAction::CallDenied],
                AuditAction::CallBlocked => [AuditAction::CallBlocked],
                AuditAction::RuleAdded => [AuditAction::RuleAdded],
                AuditAction::RuleDeleted => [AuditAction::RuleDeleted],
                AuditAction::ScheduleMade => [AuditAction::ScheduleMade],
                AuditAction::ScheduleChanged => [AuditAction::ScheduleChanged],
                AuditAction::ScheduleDeleted => [AuditAction::ScheduleDeleted],
                AuditAction::MasterKeyRotated => [AuditAction::MasterKeyRotated],
                AuditAction::SearchSourceAdded => [AuditAction::SearchSourceAdded],
                AuditAction::SearchSourceRemoved => [AuditAction::SearchSourceRemoved],
                AuditAction::McpServerAdded => [AuditAction::McpServerAdded],
                AuditAction::McpServerRemoved => [AuditAction::McpServerRemoved],
                AuditAction::McpHeadersSet => [AuditAction::McpHeadersSet],
                AuditAction::McpToolSwitched => [AuditAction::McpToolSwitched],
                AuditAction::McpServersChosen => [AuditAction::McpServersChosen],
                AuditAction::LinesLetGo => [AuditAction::LinesLetGo],
            }),
            every!(AuditOutcome {
                AuditOutcome::Done => [AuditOutcome::Done],
                AuditOutcome::Refused => [AuditOutcome::Refused],
            }),
            every!(AuditVia {
                AuditVia::Browser => [AuditVia::Browser],
                AuditVia::Token => [AuditVia::Token],
                AuditVia::Terminal => [AuditVia::Terminal],
                AuditVia::Visitor => [AuditVia::Visitor],
                AuditVia::Hub => [AuditVia::Hub],
            }),
            every!(SignInStep {
                SignInStep::Done => [SignInStep::Done],
                SignInStep::CodeNeeded => [SignInStep::CodeNeeded],
            }),
            section(
                "SecondFactor",
                &[SecondFactor { since: Some(AT), recovery_codes: 8 }, SecondFactor::default()],
            ),
            section(
                "NewSecondFactor",
                &[NewSecondFactor {
                    secret: "ABC234".to_owned(),
                    address: "otpauth://totp/Vivarium:Ada?secret=ABC234&issuer=Vivarium".to_owned(),
                    picture: QrPicture { size: 29, path: "M4 4h7v1h-7z".to_owned() },
                }],
            ),
            section(
                "PasskeyView",
                &[PasskeyView {
                    id: "passkey-1".into(),
                    name: "Phone".to_owned(),
                    created_at: AT,
                    last_used_at: None,
                }],
            ),
            every!(PasskeyPlace {
                PasskeyPlace::Here => [PasskeyPlace::Here],
                PasskeyPlace::At(_) => [PasskeyPlace::At("https://hub.example".to_owned())],
                PasskeyPlace::Nowhere => [PasskeyPlace::Nowhere],
            }),
            section(
                "PasskeyOptions",
                &[PasskeyOptions {
                    challenge: "AAAA".to_owned(),
                    party: "hub.example".to_owned(),
                    person: "BBBB".to_owned(),
                    name: "Ada".to_owned(),
                    algorithms: vec![-7, -8, -257],
                    existing: vec!["CCCC".to_owned()],
                }],
            ),
            section(
                "PasskeyChallenge",
                &[PasskeyChallenge { challenge: "AAAA".to_owned(), party: "hub.example".to_owned() }],
            ),
            section("AuditPage", &[AuditPage { lines: vec![audit_line()], older: Some(12) }]),
            section(
                "CallsPage",
                &[CallsPage {
                    lines: vec![call_line(), call_of_others()],
                    older: Some("1-call-1".to_owned()),
                }],
            ),
            every!(CallDecider {
                CallDecider::Default => [CallDecider::Default],
                CallDecider::Network => [CallDecider::Network],
                CallDecider::Hook => [CallDecider::Hook],
                CallDecider::Rule => [CallDecider::Rule],
                CallDecider::Person => [CallDecider::Person],
                CallDecider::Time => [CallDecider::Time],
            }),
            every!(CallOutcome {
                CallOutcome::Done => [CallOutcome::Done],
                CallOutcome::Cached => [CallOutcome::Cached],
                CallOutcome::Failed => [CallOutcome::Failed],
                CallOutcome::Refused => [CallOutcome::Refused],
                CallOutcome::Denied => [CallOutcome::Denied],
                CallOutcome::Stopped => [CallOutcome::Stopped],
                CallOutcome::Unknown => [CallOutcome::Unknown],
            }),
            section("AuditState", &[AuditState { lines: 12, since: Some(AT), let_go: 3, broken: None }]),
            section("Space", &[Space { kept: 2048, most: Some(1_048_576) }, Space { kept: 0, most: None }]),
            section(
                "Me",
                &[Me {
                    id: "user-1".into(),
                    name: "Ada".to_owned(),
                    role: Role::Admin,
                    rights: vec![Right::RunTheHub],
                }],
            ),
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
                &[
                    provider(Some("http://127.0.0.1:11434/v1")),
                    provider(None),
                    device_provider(),
                    keyed_provider(),
                ],
            ),
            every!(ProviderReach {
                ProviderReach::Hub => [ProviderReach::Hub],
                ProviderReach::Device => [ProviderReach::Device],
                ProviderReach::DeviceKey => [ProviderReach::DeviceKey],
            }),
            every!(SearchKind {
                SearchKind::Searxng => [SearchKind::Searxng],
                SearchKind::Brave => [SearchKind::Brave],
                SearchKind::Tavily => [SearchKind::Tavily],
                SearchKind::Exa => [SearchKind::Exa],
                SearchKind::Kagi => [SearchKind::Kagi],
                SearchKind::Mojeek => [SearchKind::Mojeek],
                SearchKind::Wikipedia => [SearchKind::Wikipedia],
                SearchKind::HackerNews => [SearchKind::HackerNews],
                SearchKind::StackExchange => [SearchKind::StackExchange],
                SearchKind::Arxiv => [SearchKind::Arxiv],
            }),
            section(
                "SearchSourceView",
                &[SearchSourceView {
                    id: "source-1".into(),
                    kind: SearchKind::Searxng,
                    base_url: Some("http://127.0.0.1:8888".to_owned()),
                    has_key: false,
                }],
            ),
            every!(Towards {
                Towards::Start => [Towards::Start],
                Towards::End => [Towards::End],
            }),
            section("McpServerDetail", &[mcp_server()]),
            section("McpChoice", &[McpChoice { server: mcp_server().server, is_chosen: true }]),
            section("Settings", &[Settings::default(), settings()]),
            section(
                "TakenSettings",
                &[TakenSettings {
                    providers: vec!["provider-1".into()],
                    notes: vec![
                        "What model-1 costs is known here, so your own price was left out.".to_owned(),
                    ],
                }],
            ),
            section(
                "KeptKey",
                &[KeptKey {
                    provider: "provider-1".into(),
                    device: "device-1".into(),
                    name: "Firefox on Linux".to_owned(),
                    current: true,
                }],
            ),
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
                }],
            ),
            section(
                "ConversationList",
                &[ConversationList { conversations: vec![conversation_view()], more: true }],
            ),
            every!(ConversationFilter {
                ConversationFilter::Active => [ConversationFilter::Active],
                ConversationFilter::Archived => [ConversationFilter::Archived],
                ConversationFilter::Deleted => [ConversationFilter::Deleted],
            }),
            section(
                "ConversationShares",
                &[ConversationShares {
                    conversation: conversation_view(),
                    agent_name: "Fern".to_owned(),
                    shares: vec![ConversationShare {
                        id: "share-1".into(),
                        reader: "Ben".to_owned(),
                        shared_at: AT,
                    }],
                }],
            ),
            section(
                "SharedList",
                &[SharedList { conversations: vec![shared_conversation(false)], more: true }],
            ),
            section("SharedPart", &[shared_part()]),
            every!(SharedWords {
                SharedWords::Message { .. } => [SharedWords::Message {
                    from: SharedSpeaker::Owner,
                    text: "Look".to_owned(),
                    attached: vec!["fern.png".to_owned()],
                }],
                SharedWords::Answer { .. } => [SharedWords::Answer { text: "A fern.".to_owned() }],
                SharedWords::Tool { .. } => [SharedWords::Tool { name: "fetch".to_owned(), failed: true }],
            }),
            every!(SharedSpeaker {
                SharedSpeaker::Owner => [SharedSpeaker::Owner],
                SharedSpeaker::Program { .. } => [SharedSpeaker::Program { name: "script".to_owned() }],
                SharedSpeaker::Relay { .. } => [SharedSpeaker::Relay { name: "mail".to_owned() }],
                SharedSpeaker::Page => [SharedSpeaker::Page],
                SharedSpeaker::Rule => [SharedSpeaker::Rule],
                SharedSpeaker::Schedule { .. } => [SharedSpeaker::Schedule { name: "Rounds".to_owned() }],
            }),
            section(
                "ApprovalView",
                &[ApprovalView {
                    agent: agent(),
                    agent_name: "Fern".to_owned(),
                    asked_at: AT,
                    approval: approval(),
                }],
            ),
            section("PolicyRule", &[policy_rule(), from_an_answer()]),
            every!(Verdict {
                Verdict::Allow => [Verdict::Allow],
                Verdict::Ask => [Verdict::Ask],
                Verdict::Deny => [Verdict::Deny],
            }),
            section("PermissionView", &[permission(None), permission(Some("example.org"))]),
            every!(Permission {
                Permission::Camera => [Permission::Camera],
                Permission::Microphone => [Permission::Microphone],
                Permission::Screen => [Permission::Screen],
                Permission::Location => [Permission::Location],
                Permission::Listen => [Permission::Listen],
                Permission::Notifications => [Permission::Notifications],
                Permission::View => [Permission::View],
                Permission::Links => [Permission::Links],
            }),
            section("AgentDraft", &[draft()]),
            section("MadeToolView", &[made_tool(Some(AT)), made_tool(None)]),
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
                ToolGroup::Files => [ToolGroup::Files],
                ToolGroup::Memory => [ToolGroup::Memory],
                ToolGroup::Tools => [ToolGroup::Tools],
            }),
            every!(ToolRisk {
                ToolRisk::None => [ToolRisk::None],
                ToolRisk::Low => [ToolRisk::Low],
                ToolRisk::Medium => [ToolRisk::Medium],
                ToolRisk::High => [ToolRisk::High],
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
                    MessageOutcome {
                        seq: 42,
                        run: Some(run()),
                        outcome: Some(Outcome::Completed),
                        text: "Done.".to_owned(),
                        error: None,
                        spent: spent(Some(Micros(4321))),
                    },
                    MessageOutcome {
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
            section("Budget", &[budget(), Budget::default()]),
            section("ScheduleView", &schedules()),
            section(
                "ScheduleDraft",
                &[ScheduleDraft {
                    name: "Morning".to_owned(),
                    message: "Say what the day brings.".to_owned(),
                    kind: TimingKind::Days,
                    time: "08:00".to_owned(),
                    days: Days::Workdays,
                    zone: "Europe/Berlin".to_owned(),
                    ..ScheduleDraft::default()
                }],
            ),
            every!(Timing {
                Timing::Once { .. } => [Timing::Once { at: "2026-11-23T08:00".to_owned(), zone: zone() }],
                Timing::Every { .. } => [Timing::Every { minutes: 90 }],
                Timing::Days { .. } => [Timing::Days { days: Days::Sunday, time: "08:00".to_owned(), zone: zone() }],
                Timing::Cron { .. } => [Timing::Cron { expression: "0 8 * * 1-5".to_owned(), zone: zone() }],
            }),
            every!(FiringState {
                FiringState::Queued => [FiringState::Queued],
                FiringState::NoPage => [FiringState::NoPage],
                FiringState::Running => [FiringState::Running],
                FiringState::WaitsForYou => [FiringState::WaitsForYou],
                FiringState::Done => [FiringState::Done],
                FiringState::Failed { .. } => [FiringState::Failed { why: "The run was stopped.".to_owned() }],
                FiringState::Missed => [FiringState::Missed],
                FiringState::Overtaken => [FiringState::Overtaken],
                FiringState::OverLimit => [FiringState::OverLimit],
            }),
            section(
                "PersonBudget",
                &[PersonBudget { id: "user-1".into(), name: "Ada".to_owned(), budget: budget() }],
            ),
            section("UsageView", &[usage()]),
            every!(CallKind {
                CallKind::Reply => [CallKind::Reply],
                CallKind::Unfinished => [CallKind::Unfinished],
                CallKind::Summary => [CallKind::Summary],
                CallKind::Plan => [CallKind::Plan],
                CallKind::Program => [CallKind::Program],
            }),
            every!(ProviderOwnership {
                ProviderOwnership::Own => [ProviderOwnership::Own],
                ProviderOwnership::OwnShared => [ProviderOwnership::OwnShared],
                ProviderOwnership::Lent { .. } => [
                    ProviderOwnership::Lent { models: vec!["model-1".to_owned()], per_month: Some(Micros(5)), spent: Micros(4) },
                    ProviderOwnership::Lent { models: Vec::new(), per_month: None, spent: Micros(0) },
                ],
            }),
            section("SharedProvider", &[shared()]),
            section(
                "GroupView",
                &[GroupView {
                    id: "group-1".into(),
                    name: "Friends".to_owned(),
                    people: vec!["user-1".into()],
                }],
            ),
            section(
                "LimitWarning",
                &[
                    LimitWarning {
                        message: "It may spend $1.00 a day.".to_owned(),
                        of: LimitOf::Person,
                        agent: None,
                    },
                    LimitWarning {
                        message: "It may spend $1.00 a day.".to_owned(),
                        of: LimitOf::Schedule,
                        agent: Some("agent-1".into()),
                    },
                ],
            ),
            section("OwnPrice", &[OwnPrice { model: "model-1".to_owned(), price: price() }]),
            section(
                "WantedPrice",
                &[WantedPrice { model: "model-1".to_owned(), people: vec!["ada".to_owned()] }],
            ),
        ],
    );
}
