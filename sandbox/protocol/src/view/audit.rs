//! The audit of sensitive events as people see it.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditAction {
    /// The audit begins here. Refused: what stood before does not fit its seal.
    LogStarted,
    AccountMade,
    SignedIn,
    /// Too many attempts: they have to wait.
    Locked,
    SignedOut,
    DeviceRevoked,
    PasswordChanged,
    ResetLinkMade,
    PasswordReset,
    TokenMade,
    TokenRevoked,
    PasskeyAdded,
    PasskeyRemoved,
    SecondFactorOn,
    SecondFactorOff,
    RecoveryCodeUsed,
    RecoveryCodesMade,
    Invited,
    SignUpSet,
    /// Who has a terminal, and how much of it.
    TerminalSet,
    /// How much agents keep as files.
    FilesSet,
    RoleSet,
    PersonDisabled,
    PersonEnabled,
    PersonRemoved,
    ProviderSaved,
    ProviderDeleted,
    /// On which terms others may use it.
    ProviderShared,
    SharingStopped,
    GroupSaved,
    GroupDeleted,
    /// What the hub logs, for a while.
    LogLevelsSet,
    /// Of the whole hub, beside those that it makes by itself.
    BackupBegun,
    /// Somebody may read a conversation of another person's.
    ConversationShared,
    ConversationUnshared,
    /// Whoever has the address may open a file of a person's.
    FileLinkGiven,
    FileLinkTakenBack,
    LimitSet,
    /// What a model costs: for everybody if an administrator says it.
    PriceSet,
    PriceForgotten,
    AgentDeleted,
    AgentKeySet,
    AgentKeyForgotten,
    /// A secret that an agent sends, entered where it asked for it.
    WebSecretKept,
    WebSecretForgotten,
    /// What of the web an agent may reach.
    NetworkSet,
    /// What an agent's page may do, for good.
    PermissionSet,
    PermissionForgotten,
    /// A person let an agent make a call that waited for them.
    CallAllowed,
    CallDenied,
    /// A call of a tool was not made, and no person said so: by a hook, a rule, the network, or because nobody
    /// answered.
    CallBlocked,
    RuleAdded,
    RuleDeleted,
    ScheduleMade,
    ScheduleChanged,
    ScheduleDeleted,
    /// Where agents search the web.
    SearchSourceAdded,
    SearchSourceRemoved,
    PushOn,
    ChannelAdded,
    ChannelRemoved,
    /// What agents may be given of a skill.
    SkillAccepted,
    SkillRemoved,
    /// Which skills an agent has.
    SkillsChosen,
    SkillShared,
    /// A version is given to nobody's agents, or to them again.
    SkillRevoked,
    SkillRestored,
    /// An agent may call a tool that its person brought in a file.
    ToolAccepted,
    /// A server whose tools agents call.
    McpServerAdded,
    McpServerRemoved,
    /// What is sent along with requests to it.
    McpHeadersSet,
    /// A tool of such a server was switched on, as it is now, or off.
    McpToolSwitched,
    /// Its person signed in to it, or out.
    McpConnected,
    McpDisconnected,
    /// Which of these servers an agent may use.
    McpAppHostsAnswered,
    McpServersChosen,
    /// A hub or an agent elsewhere that agents may ask.
    PeerAdded,
    PeerRemoved,
    /// The token with which it is asked.
    PeerTokenSet,
    /// All of it, or one of its agents, was switched on or off.
    PeerSwitched,
    /// Whose agents may ask an agent, and no longer may.
    AgentShared,
    AgentUnshared,
    /// A place elsewhere where agents may start jobs.
    JobServiceAdded,
    JobServiceRemoved,
    /// Which jobs they may start there.
    JobServiceChanged,
    /// The token with which it is asked.
    JobServiceTokenSet,
    JobServiceSwitched,
    /// With whom such a server is shared.
    McpServerShared,
    /// A program of the machine that people may add as an MCP server.
    McpProgramAllowed,
    McpProgramForbidden,
    /// What a person fills in for one.
    McpVariablesSet,
    /// After how many days without use a person's conversations are deleted.
    RetentionSet,
    /// Everything of a person was made into a file for them.
    TakenOut,
    MasterKeyRotated,
    /// Lines of somebody who wrote very many made room.
    LinesLetGo,
}

impl AuditAction {
    pub const ALL: [Self; 95] = [
        Self::LogStarted,
        Self::AccountMade,
        Self::SignedIn,
        Self::Locked,
        Self::SignedOut,
        Self::DeviceRevoked,
        Self::PasswordChanged,
        Self::ResetLinkMade,
        Self::PasswordReset,
        Self::TokenMade,
        Self::TokenRevoked,
        Self::PasskeyAdded,
        Self::PasskeyRemoved,
        Self::SecondFactorOn,
        Self::SecondFactorOff,
        Self::RecoveryCodeUsed,
        Self::RecoveryCodesMade,
        Self::Invited,
        Self::SignUpSet,
        Self::TerminalSet,
        Self::FilesSet,
        Self::RoleSet,
        Self::PersonDisabled,
        Self::PersonEnabled,
        Self::PersonRemoved,
        Self::ProviderSaved,
        Self::ProviderDeleted,
        Self::ProviderShared,
        Self::SharingStopped,
        Self::GroupSaved,
        Self::GroupDeleted,
        Self::LogLevelsSet,
        Self::BackupBegun,
        Self::ConversationShared,
        Self::ConversationUnshared,
        Self::FileLinkGiven,
        Self::FileLinkTakenBack,
        Self::LimitSet,
        Self::PriceSet,
        Self::PriceForgotten,
        Self::AgentDeleted,
        Self::AgentKeySet,
        Self::AgentKeyForgotten,
        Self::WebSecretKept,
        Self::WebSecretForgotten,
        Self::NetworkSet,
        Self::PermissionSet,
        Self::PermissionForgotten,
        Self::CallAllowed,
        Self::CallDenied,
        Self::CallBlocked,
        Self::RuleAdded,
        Self::RuleDeleted,
        Self::ScheduleMade,
        Self::ScheduleChanged,
        Self::ScheduleDeleted,
        Self::SearchSourceAdded,
        Self::SearchSourceRemoved,
        Self::PushOn,
        Self::ChannelAdded,
        Self::ChannelRemoved,
        Self::SkillAccepted,
        Self::SkillRemoved,
        Self::SkillsChosen,
        Self::SkillShared,
        Self::SkillRevoked,
        Self::SkillRestored,
        Self::ToolAccepted,
        Self::McpServerAdded,
        Self::McpServerRemoved,
        Self::McpHeadersSet,
        Self::McpToolSwitched,
        Self::McpConnected,
        Self::McpDisconnected,
        Self::McpAppHostsAnswered,
        Self::McpServersChosen,
        Self::PeerAdded,
        Self::PeerRemoved,
        Self::PeerTokenSet,
        Self::PeerSwitched,
        Self::AgentShared,
        Self::AgentUnshared,
        Self::JobServiceAdded,
        Self::JobServiceRemoved,
        Self::JobServiceChanged,
        Self::JobServiceTokenSet,
        Self::JobServiceSwitched,
        Self::McpServerShared,
        Self::McpProgramAllowed,
        Self::McpProgramForbidden,
        Self::McpVariablesSet,
        Self::RetentionSet,
        Self::TakenOut,
        Self::MasterKeyRotated,
        Self::LinesLetGo,
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditOutcome {
    Done,
    Refused,
}

/// How who did it came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditVia {
    Browser,
    Token,
    /// The command line, beside the data.
    Terminal,
    /// Nobody was signed in.
    Visitor,
    Hub,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    pub seq: u64,
    pub at: i64,
    pub action: AuditAction,
    pub outcome: AuditOutcome,
    /// Who did it, by the name of then; empty: nobody was signed in.
    pub actor: String,
    pub via: AuditVia,
    /// Whom it concerns; empty: nobody.
    pub person: String,
    pub object: String,
    /// Where it came from, as far as the reader may know; empty: from the hub's own machine.
    pub address: String,
}

/// Some events, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    pub lines: Vec<AuditLine>,
    /// There are older ones: those before this number.
    pub older: Option<u64>,
}

/// What a look at the whole audit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditState {
    pub lines: u64,
    /// When the oldest line that is kept was written.
    pub since: Option<i64>,
    /// Lines that made room for others since then, by whoever wrote very many.
    pub let_go: u64,
    /// Where it is not what was written, and how one sees that. `None`: it is whole.
    pub broken: Option<String>,
}
