//! The read models, which are what server functions answer.

use crate::golden::{check, every, section};
use crate::samples::{AT, agent, approval, conversation, entry, hook, key_slot, message, run, tool};
use protocol::approval::{ApprovalView, Asker, PolicyRule, Verdict};
use protocol::hub::Mode;
use protocol::log::{Outcome, Summariser};
use protocol::model::{Effort, ModelMessage};
use protocol::schedule::{
    Author, Days, Firing, FiringState, Idle, Missed, ScheduleDraft, ScheduleView, Timing, TimingKind,
};
use protocol::view::{
    AgentCard, AgentDraft, AgentPage, AgentView, Answered, AuditAction, AuditLine, AuditOutcome, AuditPage,
    AuditState, AuditVia, Budget, CallDecider, CallKind, CallLine, CallOutcome, CalledTool, CallsPage, Caps,
    CarriedProvider, CarriedRule, ContextPart, ContextSection, ContextStep, ContextView, DeviceView,
    Fallback, FoundServers, GroupView, Home, KeptKey, LimitWarning, LocalEndpoint, LoopSettings,
    MadeToolView, Me, ModelFacts, ModelList, ModelPrice, Network, NewInvite, NewReset, NewSecondFactor,
    NewToken, OneTime, OwnPrice, PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView, PermissionView,
    PersonBudget, PersonView, Probe, ProviderKind, ProviderReach, ProviderView, QrPicture, RecoveryCodes,
    Repairs, Right, Role, Room, SecondFactor, Sent, Settings, Share, SharedProvider, SignInStep, SignUpMode,
    SkinOrigin, SkinVersion, Spent, SpentSoFar, Status, TakenSettings, Today, TokenScope, TokenView,
    ToolGroup, ToolRisk, ToolUsage, ToolView, UsageDay, UsageLine, UsageOfKind, UsageView, WantedPrice,
    Welcome, Whose,
};
use protocol::{LimitOf, Micros, Permission};

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
            section("AuditState", &[AuditState { lines: 12, since: Some(AT), broken: None }]),
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
                    provider_name: Some("Mine".to_owned()),
                    provider_kind: Some(ProviderKind::Anthropic),
                    room: room(),
                    entries: vec![entry(1, None, message())],
                    permissions: vec![permission(None)],
                    seq: 1,
                }],
            ),
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
            every!(Whose {
                Whose::Own => [Whose::Own],
                Whose::OwnShared => [Whose::OwnShared],
                Whose::Lent { .. } => [
                    Whose::Lent { models: vec!["model-1".to_owned()], per_month: Some(Micros(5)), spent: Micros(4) },
                    Whose::Lent { models: Vec::new(), per_month: None, spent: Micros(0) },
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
    TokenView {
        id: "token-1".into(),
        name: "script".to_owned(),
        scope: TokenScope::Agents,
        relays: true,
        per_month: Some(Micros(5_000_000)),
        created_at: AT,
        last_used_at: None,
    }
}

fn new_token() -> NewToken {
    NewToken { token: "shown-once".to_owned(), view: token() }
}

fn new_reset() -> NewReset {
    NewReset { name: "Ada".to_owned(), path: "/reset/code".to_owned(), expires_at: AT }
}

fn recovery_codes() -> RecoveryCodes {
    RecoveryCodes { codes: vec!["abcd-efgh-ijkl-mnop".to_owned()] }
}

fn call_line() -> CallLine {
    CallLine {
        at: AT,
        person: String::new(),
        agent: "Ada".to_owned(),
        caller: Asker::Page,
        tool: "fetch".to_owned(),
        about: Some("example.org".to_owned()),
        decided_by: CallDecider::Rule,
        outcome: Some(CallOutcome::Denied),
    }
}

fn call_of_others() -> CallLine {
    CallLine {
        person: "Ben".to_owned(),
        agent: String::new(),
        caller: Asker::Model,
        about: None,
        outcome: None,
        ..call_line()
    }
}

fn audit_line() -> AuditLine {
    AuditLine {
        seq: 12,
        at: AT,
        action: AuditAction::SignedIn,
        outcome: AuditOutcome::Refused,
        actor: String::new(),
        via: AuditVia::Visitor,
        person: "Ada".to_owned(),
        object: String::new(),
        address: "192.0.2.1".to_owned(),
    }
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
        whose: Whose::Own,
        created_at: AT,
        reach: ProviderReach::Hub,
        models_at: None,
        key_slot: None,
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

fn settings() -> Settings {
    Settings {
        providers: vec![CarriedProvider {
            name: "Mine".to_owned(),
            kind: ProviderKind::OpenAi,
            base_url: Some("https://models.example.com/v1".to_owned()),
            reach: ProviderReach::Hub,
            had_key: true,
        }],
        prices: vec![OwnPrice {
            model: "model-1".to_owned(),
            price: ModelPrice { input: Micros(250_000), output: Micros(2_000_000) },
        }],
        limits: Some(Caps { per_day: Some(Micros(5_000_000)), ..Caps::default() }),
        rules: vec![CarriedRule {
            asker: Some(Asker::Page),
            tool: "fetch".to_owned(),
            about: Some("example.com".to_owned()),
            verdict: Verdict::Deny,
        }],
    }
}

fn keyed_provider() -> ProviderView {
    ProviderView {
        has_key: false,
        reach: ProviderReach::DeviceKey,
        models_at: Some("http://localhost:11434/v1/models".to_owned()),
        key_slot: Some(key_slot()),
        ..provider(Some("http://localhost:11434/v1"))
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

fn budget() -> Budget {
    let caps = Caps {
        per_call: Some(Micros(100_000)),
        per_run: Some(Micros(500_000)),
        per_day: Some(Micros(1_000_000)),
        per_month: Some(Micros(20_000_000)),
        ever: Some(Micros(100_000_000)),
    };
    let spent = SpentSoFar { day: Micros(120_000), month: Micros(4_000_000), ever: Micros(9_000_000) };
    Budget { caps, spent }
}

fn price() -> ModelPrice {
    ModelPrice { input: Micros(250_000), output: Micros(2_000_000) }
}

fn shared() -> SharedProvider {
    SharedProvider {
        id: "provider-1".into(),
        name: "Mine".to_owned(),
        owner: "root".to_owned(),
        share: Share {
            everyone: false,
            people: vec!["user-1".into()],
            groups: vec!["group-1".into()],
            models: vec!["model-1".to_owned()],
            per_month: Some(Micros(5_000_000)),
        },
    }
}

fn usage() -> UsageView {
    let line = |name: &str| UsageLine {
        name: name.to_owned(),
        calls: 3,
        unpriced: 1,
        input_tokens: 2110,
        output_tokens: 80,
        cost: Micros(4321),
    };
    UsageView {
        days: vec![UsageDay { day: "2026-11-22".to_owned(), cost: Micros(4321) }],
        agents: vec![line("Fern")],
        models: vec![line("model-1")],
        programs: vec![line("script")],
        providers: vec![line("Mine")],
        kinds: vec![UsageOfKind { kind: CallKind::Reply, line: line("") }],
        tools: [
            CalledTool::BuiltIn { name: "dom".to_owned() },
            CalledTool::Made { name: "water".to_owned() },
            CalledTool::Nothing,
        ]
        .map(|tool| ToolUsage {
            calls: 4,
            of_pages: 1,
            done: 2,
            refused: 2,
            took_ms: 310,
            ..ToolUsage::of(tool)
        })
        .to_vec(),
    }
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
        today: Some(Today { spent: Micros(120_000), limit: Micros(1_000_000) }),
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
        fallback: Some(Fallback { provider: "provider-2".into(), model: "model-2".to_owned() }),
        tools: vec!["dom".to_owned(), "runjs".to_owned()],
        max_output_tokens: 4096,
        home: Home::Browser,
        loop_settings: loop_settings(),
        own_key: false,
        network: Network::AllowList {
            hosts: vec!["*.example.org".to_owned(), "api.example.com:8000".to_owned()],
        },
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
        fallback_provider: "provider-2".to_owned(),
        fallback_model: "model-2".to_owned(),
        tools: vec!["dom".to_owned()],
        max_output_tokens: 4096,
        home: Home::Hub,
        loop_settings: LoopSettings::default(),
    }
}

fn made_tool(made_at: Option<i64>) -> MadeToolView {
    MadeToolView {
        name: "water".to_owned(),
        description: "Waters a bed.".to_owned(),
        version: 2,
        made_at,
        input_schema: serde_json::json!({ "type": "object" }),
        code: "return input.bed;".to_owned(),
    }
}

fn loop_settings() -> LoopSettings {
    LoopSettings {
        effort: Some(Effort::High),
        rounds: 40,
        hooks: vec![hook()],
        clear_after_minutes: Some(20),
        ambient_after_minutes: Some(5),
        repairs: Repairs::Asked,
        mode: Mode::Autonomous { turns: 3, done: "[DONE]".to_owned() },
    }
}

fn zone() -> String {
    "Europe/Berlin".to_owned()
}

fn schedules() -> [ScheduleView; 2] {
    let plain = ScheduleView {
        id: "schedule-1".into(),
        agent: agent(),
        name: "Morning".to_owned(),
        message: "Say what the day brings.".to_owned(),
        timing: Timing::Every { minutes: 60 },
        missed: Missed::CatchUp,
        paused: true,
        by: Author::Person,
        next_at: None,
        last: None,
        budget: Budget::default(),
        idle: None,
    };
    let full = ScheduleView {
        timing: Timing::Days { days: Days::All, time: "08:00".to_owned(), zone: zone() },
        missed: Missed::Skip,
        paused: false,
        by: Author::Agent,
        next_at: Some(AT),
        last: Some(Firing { due: AT, state: FiringState::Done }),
        budget: budget(),
        idle: Some(Idle { times: 7, cost: Micros(2100) }),
        ..plain.clone()
    };
    [plain, full]
}

fn room() -> Room {
    Room { tokens: 195_904, warn: 60, danger: 85 }
}

fn policy_rule() -> PolicyRule {
    PolicyRule {
        id: "rule-1".into(),
        agent: None,
        asker: None,
        tool: "fetch".to_owned(),
        about: Some("*.example.org".to_owned()),
        verdict: Verdict::Deny,
        run: None,
        uses_left: None,
        until: None,
        made_at: AT,
        approval: None,
        risk_at_most: None,
    }
}

fn from_an_answer() -> PolicyRule {
    PolicyRule {
        agent: Some(agent()),
        asker: Some(Asker::Page),
        verdict: Verdict::Allow,
        run: Some(run()),
        uses_left: Some(2),
        until: Some(AT),
        approval: Some(approval().id),
        risk_at_most: Some(ToolRisk::Medium),
        ..policy_rule()
    }
}

fn permission(host: Option<&str>) -> PermissionView {
    let permission = if host.is_some() { Permission::Links } else { Permission::Camera };
    PermissionView { permission, host: host.map(str::to_owned), allowed: true, decided_at: AT }
}
