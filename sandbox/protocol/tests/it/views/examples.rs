//! Examples of the larger read models.

use crate::samples::{AT, agent, approval, conversation, hook, key_slot, run};
use protocol::agent::Mode;
use protocol::agent::{Home, ProviderKind, ToolRisk};
use protocol::approval::{Asker, PolicyRule, Verdict};
use protocol::model::{Effort, ModelFailureKind, Verbosity};
use protocol::schedule::{
    Author, Days, Firing, FiringCause, FiringRules, FiringState, Idle, LookState, MailSeal, Mailbox, Missed,
    Overlap, ScheduleView, StateCondition, Timing,
};
use protocol::view::{
    AgentCard, AgentCommand, AgentDraft, AgentRoleView, AgentShareView, AgentSkill, AgentView, Appearance,
    AskableAgentView, AuditAction, AuditLine, AuditOutcome, AuditVia, BackupFailure, BackupStatus,
    CallDecider, CallKind, CallLine, CallOutcome, CalledTool, CarriedProvider, CarriedRule, ChainBeginning,
    ChannelKind, ChannelView, ConsoleAnswer, ConsoleDevice, ConsoleFlow, ConsoleView, ContextAgent,
    ContextKey, ContextRoom, ContextSourceView, Contrast, ConversationView, DatabaseStatus, DelegationKind,
    DelegationState, DelegationView, DeviceView, DiskRoom, DiskStatus, ExternalJobDetail, ExternalJobLog,
    ExternalJobState, ExternalJobView, Fallback, FoundSkill, FoundSkills, HubStatus, JobServiceDraft,
    JobServiceKind, JobServiceView, KeyStatus, LentSkill, LogStatus, LoopSettings, MadeToolView, McpApp,
    McpAppHost, McpCommand, McpConnection, McpLent, McpLogKind, McpLogLine, McpProgram, McpPrograms,
    McpPrompt, McpPromptArgument, McpServerDetail, McpServerView, McpSignIn, McpToolState, McpToolView, Me,
    ModelFacts, ModelPrice, NamedAgent, Network, NewInvite, NewReset, NewToken, NodeStatus, OfferedJob,
    OwnPrice, PartOfUsage, PeerAgentState, PeerAgentView, PeerDetail, PeerView, PermissionView,
    PersonContext, PinnedFile, PipelineCard, PipelineState, ProviderFailure, ProviderHealth,
    ProviderOwnership, ProviderReach, ProviderView, Rating, RecoveryCodes, Repairs, RevokedSkill, Right,
    Role, RoleReview, SamplingSettings, Saying, ScheduleStatus, Settings, Share, SharedConversation,
    SharedLine, SharedPart, SharedProvider, SharedSpeaker, SharedWords, SideAgent, SideBar, SideConversation,
    SkillChange, SkillDetail, SkillFinding, SkillLibrary, SkillReport, SkillRule, SkillSharing, SkillSource,
    SkillState, SkillText, SkillUse, SkillVersion, SkillView, SlowStatement, SpeechChoice, Spent, StateRule,
    Status, TaskBy, TaskState, TaskView, TeamReview, TextSize, Theme, Thumb, Today, TokenScope, TokenView,
    ToolCallStatus, ToolUsage, TopicMessage, TopicSubscriber, TopicView, UsageDay, UsageLine, UsageOfKind,
    UsagePart, UsageView, Weight, WorkStatus,
};
use protocol::{Budget, Caps, ContextSource, Language, SpentSoFar};
use protocol::{Micros, Permission};

pub fn channel() -> ChannelView {
    let place = "https://ntfy.sh".to_owned();
    ChannelView { id: "channel-1".into(), kind: ChannelKind::Ntfy, place, unconfirmed: false }
}

pub fn unconfirmed_channel() -> ChannelView {
    let place = "ada@example.org".to_owned();
    ChannelView { id: "channel-2".into(), kind: ChannelKind::Mail, place, unconfirmed: true }
}

pub fn device() -> DeviceView {
    DeviceView {
        id: "device-1".into(),
        name: "Firefox on Linux".to_owned(),
        created_at: AT,
        last_seen_at: AT,
        current: true,
    }
}

pub fn token() -> TokenView {
    TokenView {
        id: "token-1".into(),
        name: "script".to_owned(),
        scope: TokenScope::Agents,
        relays: true,
        agents: None,
        per_month: Some(Micros(5_000_000)),
        created_at: AT,
        last_used_at: None,
        ends_at: None,
    }
}

pub fn token_for_chosen_agents() -> TokenView {
    TokenView { agents: Some(vec![NamedAgent { id: agent(), name: "Fern".to_owned() }]), ..token() }
}

pub fn new_token() -> NewToken {
    NewToken { token: "shown-once".to_owned(), view: token() }
}

pub fn new_reset() -> NewReset {
    NewReset { name: "Ada".to_owned(), path: "/reset/code".to_owned(), expires_at: AT }
}

pub fn recovery_codes() -> RecoveryCodes {
    RecoveryCodes { codes: vec!["abcd-efgh-ijkl-mnop".to_owned()] }
}

pub fn call_line() -> CallLine {
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

pub fn call_of_others() -> CallLine {
    CallLine {
        person: "Ben".to_owned(),
        agent: String::new(),
        caller: Asker::Model,
        about: None,
        outcome: None,
        ..call_line()
    }
}

pub fn audit_line() -> AuditLine {
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

pub fn new_invite() -> NewInvite {
    NewInvite { path: "/sign-up?invite=shown-once".to_owned(), expires_at: AT }
}

pub fn provider(base_url: Option<&str>) -> ProviderView {
    ProviderView {
        id: "provider-1".into(),
        name: "Mine".to_owned(),
        kind: ProviderKind::OpenAi,
        base_url: base_url.map(str::to_owned),
        has_key: true,
        whose: ProviderOwnership::Own,
        created_at: AT,
        reach: ProviderReach::Hub,
        models_at: None,
        key_slot: None,
    }
}

pub fn device_provider() -> ProviderView {
    ProviderView {
        kind: ProviderKind::Ollama,
        has_key: false,
        reach: ProviderReach::Device,
        models_at: Some("http://localhost:11434/api/tags".to_owned()),
        ..provider(None)
    }
}

pub fn settings() -> Settings {
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

pub fn keyed_provider() -> ProviderView {
    ProviderView {
        has_key: false,
        reach: ProviderReach::DeviceKey,
        models_at: Some("http://localhost:11434/v1/models".to_owned()),
        key_slot: Some(key_slot()),
        ..provider(Some("http://localhost:11434/v1"))
    }
}

pub fn facts(price: Option<ModelPrice>) -> ModelFacts {
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

pub fn spent(cost: Option<Micros>) -> Spent {
    Spent { input_tokens: 2110, output_tokens: 80, cost }
}

pub fn budget() -> Budget {
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

pub fn price() -> ModelPrice {
    ModelPrice { input: Micros(250_000), output: Micros(2_000_000) }
}

pub fn shared() -> SharedProvider {
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

pub fn usage() -> UsageView {
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
        parts: [
            PartOfUsage::Named { name: "Fern".to_owned() },
            PartOfUsage::Programs,
            PartOfUsage::Kind { kind: CallKind::Summary },
            PartOfUsage::Others { count: 3 },
        ]
        .map(|of| UsagePart { of, cost: Micros(1080), days: vec![Micros(1080)] })
        .to_vec(),
    }
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

pub fn appearance() -> Appearance {
    Appearance {
        language: Some(Language::German),
        theme: Theme::Dark,
        contrast: Contrast::More,
        text_size: TextSize::Large,
    }
}

pub fn me() -> Me {
    Me {
        id: "user-1".into(),
        name: "Ada".to_owned(),
        role: Role::Admin,
        rights: vec![Right::RunTheHub],
        unread: Some(2),
        disk: Some(DiskRoom::Little),
        language: Some(Language::German),
        reports: vec![ContextSource::Time],
    }
}

pub fn rating(told_at: Option<i64>) -> Rating {
    Rating { seq: 3, thumb: Some(Thumb::Down), note: "Too long".to_owned(), told_at }
}

pub fn person_context() -> PersonContext {
    PersonContext {
        sources: vec![ContextSourceView {
            source: ContextSource::Place,
            on: true,
            told: "Vienna".to_owned(),
            entered: "Vienna".to_owned(),
            problem: "It did not answer.".to_owned(),
        }],
        keys: vec![ContextKey {
            name: "mood".to_owned(),
            value: "calm".to_owned(),
            writer: Some(agent()),
            writer_name: Some("Fern".to_owned()),
            untrusted: true,
            changed_at: AT,
        }],
        said: vec![Saying {
            id: "saying-1".into(),
            agent: agent(),
            agent_name: "Fern".to_owned(),
            text: "The moss is watered.".to_owned(),
            untrusted: false,
            at: AT,
        }],
        agents: vec![ContextAgent { agent: agent(), name: "Fern".to_owned(), sees: true, hears: false }],
    }
}

pub fn side_bar() -> SideBar {
    let said = SideConversation { id: conversation(), title: "Ferns".to_owned(), unread: true };
    let beside = SideAgent {
        id: agent(),
        name: "Fern".to_owned(),
        colour: "#3a7d44".to_owned(),
        status: Status::Waiting,
        paused: true,
        unread: true,
        conversations: vec![said],
        seq: 9,
    };
    SideBar { me: me(), agents: vec![beside] }
}

pub fn speech_choice(model: &str, voice: &str) -> SpeechChoice {
    SpeechChoice { provider: "provider-1".into(), model: model.to_owned(), voice: voice.to_owned() }
}

pub fn conversation_view() -> ConversationView {
    ConversationView {
        id: conversation(),
        agent: agent(),
        title: "Plan a trip".to_owned(),
        model: "claude-opus-4-1".to_owned(),
        created_at: AT,
        used_at: AT,
        pinned: true,
        archived: false,
        deleted: false,
        unread: true,
        temporary: true,
        folder: "Garden".to_owned(),
    }
}

pub fn shared_conversation(is_own: bool) -> SharedConversation {
    SharedConversation {
        id: "share-1".into(),
        title: "Plan a trip".to_owned(),
        agent_name: "Fern".to_owned(),
        owner: "Ada".to_owned(),
        is_own,
        shared_at: AT,
        used_at: AT,
    }
}

pub fn shared_part() -> SharedPart {
    let said =
        SharedWords::Message { from: SharedSpeaker::Owner, text: "Look".to_owned(), attached: Vec::new() };
    SharedPart {
        conversation: shared_conversation(true),
        lines: vec![SharedLine { seq: 42, at: AT, said, is_cut: true }],
        earlier: Some(42),
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

pub fn made_tool(made_at: Option<i64>) -> MadeToolView {
    MadeToolView {
        name: "water".to_owned(),
        description: "Waters a bed.".to_owned(),
        version: 2,
        made_at,
        input_schema: serde_json::json!({ "type": "object" }),
        code: "return input.bed;".to_owned(),
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

pub fn agent_role(most: Option<u32>) -> AgentRoleView {
    AgentRoleView {
        id: "role-1".into(),
        name: "reviewer".to_owned(),
        description: "Says what is wrong.".to_owned(),
        model: "some-model".to_owned(),
        tools: vec!["read".to_owned()],
        least: 1,
        most,
        agents: vec![NamedAgent { id: agent(), name: "Reviewer".to_owned() }],
    }
}

pub fn team_review() -> TeamReview {
    let plain = RoleReview {
        line: 3,
        role: "reviewer".to_owned(),
        description: "Says what is wrong.".to_owned(),
        instructions: "Look closely.".to_owned(),
        provider: None,
        model: String::new(),
        tools: Vec::new(),
        least: 0,
        most: None,
        is_known: false,
        there: 0,
        makes: Vec::new(),
        notices: Vec::new(),
    };
    let whole = RoleReview {
        provider: Some("Mine".to_owned()),
        model: "some-model".to_owned(),
        tools: vec!["read".to_owned()],
        least: 2,
        most: Some(3),
        is_known: true,
        there: 1,
        makes: vec!["Reviewer 2".to_owned()],
        notices: vec!["Line 7: there is no tool \"rm\", which is left out.".to_owned()],
        ..plain.clone()
    };
    TeamReview { file: "file-1".to_owned(), team: Some("Newsroom".to_owned()), roles: vec![plain, whole] }
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

pub fn zone() -> String {
    "Europe/Berlin".to_owned()
}

pub fn schedules() -> [ScheduleView; 2] {
    let plain = ScheduleView {
        id: "schedule-1".into(),
        agent: agent(),
        name: "Morning".to_owned(),
        message: "Say what the day brings.".to_owned(),
        timing: Timing::Every { minutes: 60 },
        missed: Missed::CatchUp,
        rules: FiringRules::default(),
        paused: true,
        broken: Some("It failed 5 times in a row.".to_owned()),
        secret_made_at: Some(AT),
        mailbox: Some(LookState { checked_at: Some(AT), problem: Some("Nothing answers there.".to_owned()) }),
        feed: Some(LookState { checked_at: Some(AT), problem: None }),
        after: Some("Ada".to_owned()),
        by: Author::Person,
        next_at: None,
        last: None,
        budget: Budget::default(),
        idle: None,
    };
    let full = ScheduleView {
        timing: Timing::Days { days: Days::All, time: "08:00".to_owned(), zone: zone() },
        missed: Missed::Skip,
        rules: FiringRules {
            overlap: Overlap::Each,
            jitter_s: 90,
            breaker: 3,
            only_if: Some(StateCondition { key: "open".to_owned(), when: "> 0".to_owned() }),
        },
        paused: false,
        broken: None,
        secret_made_at: None,
        mailbox: None,
        feed: None,
        after: None,
        by: Author::Agent,
        next_at: Some(AT),
        last: Some(firing()),
        budget: budget(),
        idle: Some(Idle { times: 7, cost: Micros(2100) }),
        ..plain.clone()
    };
    [plain, full]
}

pub fn mailbox() -> Mailbox {
    Mailbox {
        server: "imap.example.org:993".to_owned(),
        seal: MailSeal::Tls,
        user: "ada@example.org".to_owned(),
        folder: "INBOX".to_owned(),
        from: vec!["@example.org".to_owned()],
        subject: "order".to_owned(),
        minutes: 5,
    }
}

pub fn firing() -> Firing {
    Firing {
        due: AT,
        cause: FiringCause::Person,
        state: FiringState::Done,
        cost: Micros(2100),
        conversation: Some("conversation-1".into()),
    }
}

pub fn room() -> ContextRoom {
    ContextRoom { tokens: 195_904, warn: 60, danger: 85 }
}

pub fn policy_rule() -> PolicyRule {
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

pub fn from_an_answer() -> PolicyRule {
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

pub fn permission(host: Option<&str>) -> PermissionView {
    let permission = if host.is_some() { Permission::Links } else { Permission::Camera };
    PermissionView { permission, host: host.map(str::to_owned), allowed: true, decided_at: AT }
}

pub fn state_rule() -> StateRule {
    StateRule { key: "game.score".to_owned(), when: "> 10".to_owned(), message: "Somebody wins.".to_owned() }
}

pub fn skill_view() -> SkillView {
    SkillView {
        id: "skill-1".into(),
        name: "moss-care".to_owned(),
        description: "Knows moss.".to_owned(),
        state: SkillState::UpdateWaiting,
        source: SkillSource::Form,
        at: AT,
        gravest: Some(Weight::Danger),
        agents: 2,
    }
}

pub fn skill_library() -> SkillLibrary {
    let untouched = SkillView { gravest: None, agents: 0, ..skill_view() };
    let shipped = vec![("page-api".to_owned(), "Pages.".to_owned())];
    let lent = LentSkill {
        id: "skill-2".into(),
        name: "fern".to_owned(),
        description: "Knows ferns.".to_owned(),
        by: "Ada".to_owned(),
    };
    let revoked = RevokedSkill { digest: "ef".to_owned(), name: "weed".to_owned(), at: AT };
    SkillLibrary {
        skills: vec![skill_view(), untouched],
        shipped,
        lent: vec![lent],
        revoked: Some(vec![revoked]),
    }
}

pub fn found_skills() -> FoundSkills {
    let source = SkillSource::Address { url: "https://moss.example/".to_owned(), within: String::new() };
    let skill = FoundSkill {
        within: "skills/moss-care".to_owned(),
        name: "moss-care".to_owned(),
        description: "Knows moss.".to_owned(),
    };
    FoundSkills { source, skills: vec![skill] }
}

pub fn skill_detail() -> SkillDetail {
    let report = SkillReport {
        description: "Knows moss.".to_owned(),
        source: SkillSource::Form,
        licence: Some("MIT".to_owned()),
        compatibility: None,
        allowed_tools: Some(vec!["read".to_owned()]),
        only_hosts: Some(vec!["moss.example".to_owned()]),
        only_mounts: Some(vec!["/agent/moss".to_owned()]),
        only_scripts: Some(vec!["a.py".to_owned()]),
        hosts: vec!["moss.example".to_owned()],
        scripts: vec!["a.py".to_owned()],
        files: vec![PinnedFile { path: "SKILL.md".to_owned(), bytes: 9, digest: "ab".to_owned() }],
        findings: vec![SkillFinding {
            rule: SkillRule::TurnedText,
            file: "SKILL.md".to_owned(),
            line: 6,
            excerpt: "a⟦U+202E⟧b".to_owned(),
        }],
        more: 1,
    };
    let texts = vec![
        SkillText { path: "SKILL.md".to_owned(), text: Some("Water it.".to_owned()) },
        SkillText { path: "moss.png".to_owned(), text: None },
    ];
    let version = SkillVersion { digest: "cd".to_owned(), at: AT, vouched: true, report, texts };
    SkillDetail {
        skill: skill_view(),
        accepted: Some(version),
        waiting: None,
        changes: vec![SkillChange { path: "SKILL.md".to_owned(), difference: "+Water it.\n".to_owned() }],
        sharing: Some(SkillSharing { everyone: true, groups: Vec::new() }),
    }
}

pub fn agent_skill() -> AgentSkill {
    AgentSkill {
        skill: "skill-1".into(),
        name: "moss-care".to_owned(),
        description: "Knows moss.".to_owned(),
        chosen: SkillUse::Found,
    }
}

pub fn mcp_app() -> McpApp {
    McpApp {
        name: "show".to_owned(),
        input_schema: serde_json::json!({ "type": "object" }),
        server: "s1".into(),
        server_name: "garden".to_owned(),
        digest: "5f".to_owned(),
        is_bordered: true,
        connect: vec!["https://api.example".to_owned()],
        load: Vec::new(),
        wanted: vec!["https://tiles.example".to_owned()],
    }
}

pub fn mcp_programs() -> McpPrograms {
    McpPrograms {
        programs: vec![McpProgram {
            name: "garden".to_owned(),
            words: ["npx", "-y", "garden-server"].map(str::to_owned).to_vec(),
            hosts: vec!["registry.npmjs.org".to_owned()],
            variables: vec!["GARDEN_KEY".to_owned()],
        }],
        not_here: Some("bubblewrap is not installed".to_owned()),
    }
}

pub fn mcp_command() -> McpCommand {
    McpCommand {
        server: "server-1".into(),
        server_name: "garden".to_owned(),
        prompt: McpPrompt {
            name: "plan".to_owned(),
            title: "Plan a bed".to_owned(),
            description: "Plans what grows where.".to_owned(),
            arguments: vec![McpPromptArgument {
                name: "bed".to_owned(),
                description: "Which one.".to_owned(),
                is_required: true,
            }],
        },
    }
}

pub fn peer() -> PeerDetail {
    let agent = |name: &str, state| PeerAgentView {
        id: format!("agent-{name}").as_str().into(),
        name: name.to_owned(),
        about: "Knows mosses.".to_owned(),
        url: format!("https://garden.example/a2a/{name}"),
        digest: "0a1b".to_owned(),
        state,
    };
    let changed = PeerAgentState::Changed { name: "Bo".to_owned(), about: "Knows everything.".to_owned() };
    PeerDetail {
        peer: PeerView {
            id: "peer-1".into(),
            name: "garden".to_owned(),
            url: "https://garden.example/".to_owned(),
            has_token: true,
            is_on: true,
            looked_at: Some(AT),
            failure: Some("Nothing answers at https://garden.example. Is it running?".to_owned()),
            agents_on: 2,
            agents_off: 1,
            left_out: 3,
            signed: true,
            away_since: Some(AT),
        },
        agents: vec![
            agent("fern", PeerAgentState::On),
            agent("moss", PeerAgentState::Off),
            agent("bo", changed),
            agent("ivy", PeerAgentState::Unusable { why: "It speaks another version.".to_owned() }),
        ],
    }
}

pub fn job_service() -> JobServiceView {
    let job = |name: &str, branch: &str, id_input: &str| OfferedJob {
        name: name.to_owned(),
        branch: branch.to_owned(),
        id_input: id_input.to_owned(),
    };
    JobServiceView {
        id: "service-1".into(),
        name: "ci".to_owned(),
        kind: JobServiceKind::Github,
        url: "https://api.github.com".to_owned(),
        repository: "octo/garden".to_owned(),
        log_url: String::new(),
        jobs: vec![job("build.yml", "main", "job_id"), job("render", "", "")],
        has_token: true,
        is_on: true,
        failure: Some("It refuses this (status 403). Check what the token may do.".to_owned()),
        under_way: 1,
    }
}

pub fn job_service_draft() -> JobServiceDraft {
    JobServiceDraft {
        name: "farm".to_owned(),
        kind: JobServiceKind::Http,
        url: "https://farm.example".to_owned(),
        jobs: "render".to_owned(),
        token: "token".to_owned(),
        ..JobServiceDraft::default()
    }
}

pub fn external_job() -> ExternalJobDetail {
    ExternalJobDetail {
        job: ExternalJobView {
            id: "job-1".into(),
            number: 3,
            service: "ci".to_owned(),
            job: "build.yml".to_owned(),
            agent: Some(agent()),
            agent_name: Some("Fern".to_owned()),
            state: ExternalJobState::Failed,
            why: "Failed: grow.".to_owned(),
            progress: String::new(),
            link: Some("https://github.com/octo/garden/actions/runs/1000".to_owned()),
            exit_code: Some(1),
            is_cancelled: false,
            started_at: AT,
            ended_at: Some(AT),
        },
        input: r#"{"leaf":"moss"}"#.to_owned(),
        result: Some(r#"{"conclusion":"failure"}"#.to_owned()),
        log: ExternalJobLog { text: "one\n".to_owned(), from: 8, next: 12, left_out: 0 },
    }
}

pub fn console() -> ConsoleView {
    let flow = ConsoleFlow {
        kind: DelegationKind::Agent,
        from: "agent-1".into(),
        from_name: "Ada".to_owned(),
        to: "agent-2".into(),
        to_name: "Bo".to_owned(),
        count: 3,
        open: 1,
        failed: 1,
        cost: Micros(1_200),
    };
    let below = ConsoleFlow {
        kind: DelegationKind::SubAgent,
        to: "agent-1".into(),
        to_name: String::new(),
        ..flow.clone()
    };
    let device = ConsoleDevice {
        device: Some("device-1".into()),
        name: "Firefox on Linux".to_owned(),
        tabs: 2,
        visible: true,
        agents: vec!["agent-1".into()],
    };
    let program = ConsoleDevice {
        device: None,
        name: "A program".to_owned(),
        tabs: 1,
        visible: false,
        agents: Vec::new(),
    };
    ConsoleView {
        flows: vec![flow, below],
        lately: vec![delegation(DelegationState::Running)],
        devices: vec![program, device],
    }
}

pub fn console_answer() -> ConsoleAnswer {
    ConsoleAnswer {
        agent: agent(),
        name: "Ada".to_owned(),
        colour: "#3d7a4f".to_owned(),
        status: Status::Idle,
        paused: true,
        conversation: conversation(),
        asked: "Water the ferns.".to_owned(),
        answer: "They are **wet**.".to_owned(),
        cut: true,
    }
}

pub fn topic() -> TopicView {
    let message = TopicMessage {
        agent: Some("agent-1".into()),
        name: "Ada".to_owned(),
        text: "It rains.".to_owned(),
        untrusted: true,
        heard: 2,
        at: AT,
    };
    TopicView {
        name: "garden/rain".to_owned(),
        subscribers: vec![
            TopicSubscriber { agent: "agent-1".into(), name: "Ada".to_owned(), condition: None },
            TopicSubscriber {
                agent: "agent-2".into(),
                name: "Bo".to_owned(),
                condition: Some("changed".to_owned()),
            },
        ],
        messages: vec![TopicMessage { agent: None, ..message.clone() }, message],
    }
}

pub fn mcp_server() -> McpServerDetail {
    let tool = |name: &str, state| McpToolView {
        name: name.to_owned(),
        called: format!("mcp_garden_{name}"),
        description: "Waters the moss.".to_owned(),
        input_schema: serde_json::json!({ "type": "object", "properties": { "litres": { "type": "integer" } } }),
        digest: "0a1b".to_owned(),
        is_destructive: name == "uproot",
        state,
    };
    McpServerDetail {
        server: McpServerView {
            id: "server-1".into(),
            name: "garden".to_owned(),
            url: "https://garden.example/mcp".to_owned(),
            headers: vec!["authorization".to_owned()],
            looked_at: Some(AT),
            failure: Some("Nothing answers at https://garden.example. Is it running?".to_owned()),
            tools_on: 1,
            tools_off: 1,
            tools_changed: 1,
            left_out: 2,
            connection: McpConnection::Connected {
                place: "https://sign-in.example".to_owned(),
                scopes: vec!["garden".to_owned()],
                since: AT,
            },
            sign_in_failure: Some("The sign-in was refused (access_denied).".to_owned()),
            lent: Some(McpLent::By { name: "Ada".to_owned() }),
        },
        tools: vec![
            tool("water", McpToolState::On),
            tool("uproot", McpToolState::Off),
            tool("plant", McpToolState::Changed { difference: "-Plants.\n+Plants two.\n".to_owned() }),
            tool("burn", McpToolState::Unusable { why: "Its schema is too large.".to_owned() }),
        ],
        prompts: vec![mcp_command().prompt],
        sign_in: Some(McpSignIn {
            place: "https://sign-in.example".to_owned(),
            scopes: vec!["garden".to_owned()],
            address: "https://sign-in.example/authorize?state=moss".to_owned(),
        }),
        sharing: None,
        app_hosts: vec![McpAppHost { host: "https://tiles.example".to_owned(), allowed: true }],
        log: vec![
            McpLogLine { at: AT, kind: McpLogKind::Warning, words: "The moss is dry.".to_owned() },
            McpLogLine { at: AT, kind: McpLogKind::Output, words: "listening".to_owned() },
        ],
    }
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

pub fn hub_status() -> HubStatus {
    HubStatus {
        version: "0.1.0".to_owned(),
        began_at: AT,
        database: DatabaseStatus {
            kind: "SQLite".to_owned(),
            bytes: 1_048_576,
            migration: 130,
            slow: 3,
            slowest: Some(SlowStatement { ms: 2_400, what: "SELECT entries".to_owned() }),
        },
        disk: Some(DiskStatus { free: 1_000_000_000, whole: 64_000_000_000, room: DiskRoom::Enough }),
        work: WorkStatus { runs: 2, questions: 1, deliveries: 3, tasks: 9, connections: 4 },
        schedules: ScheduleStatus { active: 5, overdue: 0, next_at: Some(AT) },
        providers: vec![ProviderHealth {
            kind: ProviderKind::Anthropic,
            answered: 12,
            failed: 1,
            last_answer_at: Some(AT),
            last_failure: Some(ProviderFailure { at: AT, kind: ModelFailureKind::Overloaded }),
            slow: 1,
            slowest_ms: Some(93_000),
        }],
        tools: ToolCallStatus { ended: 40, slow: 2 },
        backups: Some(BackupStatus {
            every_hours: 24,
            newest_at: Some(AT),
            newest_bytes: Some(2_000_000),
            failure: Some(BackupFailure { at: AT, why: "The disk is full.".to_owned() }),
        }),
        keys: KeyStatus { in_file: true, rotating: false, secrets: 7 },
        log: Some(LogStatus { filter: "hub=debug".to_owned(), usual: "warn".to_owned(), until: Some(AT) }),
        nodes: vec![NodeStatus {
            id: "node-1".to_owned(),
            version: "0.1.0".to_owned(),
            began_at: AT,
            silent_ms: 400,
            people: 12,
            runs: 3,
            nats_us: Some(420),
            hands_over: false,
            is_this: true,
        }],
    }
}
