//! What happened, in words.

use crate::prelude::{say, t};
use protocol::approval::Asker;
use protocol::view::{AuditAction, AuditLine, AuditOutcome, AuditVia, CallDecider, CallOutcome};

/// What somebody did, or tried.
pub fn what(line: &AuditLine) -> String {
    let words = match line.outcome {
        AuditOutcome::Done => done(line.action),
        AuditOutcome::Refused => refused(line.action),
    };
    match line.object.as_str() {
        "" => words.to_owned(),
        object => format!("{words}: {object}"),
    }
}

pub fn who(line: &AuditLine) -> String {
    match (line.actor.as_str(), line.via) {
        (name, AuditVia::Token) => say!("{name}, by a token"),
        ("", AuditVia::Terminal) => t("The command line").to_owned(),
        (name, AuditVia::Terminal) => say!("{name}, on the command line"),
        (_, AuditVia::Visitor) => t("Somebody").to_owned(),
        (_, AuditVia::Hub) => t("The hub").to_owned(),
        (name, AuditVia::Browser) => name.to_owned(),
    }
}

/// How a call of a tool ended.
pub fn outcome_words(outcome: CallOutcome) -> &'static str {
    t(match outcome {
        CallOutcome::Done => "Done",
        CallOutcome::Cached => "Known already",
        CallOutcome::Failed => "Failed",
        CallOutcome::Refused => "Refused: a mistake",
        CallOutcome::Denied => "Denied",
        CallOutcome::Stopped => "Stopped",
        CallOutcome::Unknown => "Unknown",
    })
}

/// Who decided about a call of a tool.
pub fn decided(by: CallDecider) -> &'static str {
    t(match by {
        CallDecider::Default => "nothing spoke of it",
        CallDecider::Network => "its reach",
        CallDecider::Hook => "a hook",
        CallDecider::Rule => "a rule",
        CallDecider::Skill => "a skill",
        CallDecider::Person => "the person",
        CallDecider::Time => "nobody answered",
    })
}

/// The same in the conversation, to whoever was asked or not.
pub fn let_through(by: CallDecider, is_denied: bool) -> &'static str {
    t(match (by, is_denied) {
        (CallDecider::Person, false) => "You were asked, and said yes.",
        (CallDecider::Person, true) => "You were asked, and said no.",
        (CallDecider::Rule, false) => "A rule of yours lets it through.",
        (CallDecider::Rule, true) => "A rule of yours forbids it.",
        (CallDecider::Network, false) => "You let it reach this of the web.",
        (CallDecider::Network, true) => "You do not let it reach this of the web.",
        (CallDecider::Hook, _) => "A hook of its definition decided.",
        (CallDecider::Skill, _) => "A skill that it follows names other tools.",
        (CallDecider::Time, _) => "Nobody answered in time.",
        (CallDecider::Default, false) => "No question was needed.",
        (CallDecider::Default, true) => "It is not allowed here.",
    })
}

/// Who called, behind the name of the agent.
pub fn caller(asker: Asker) -> &'static str {
    t(match asker {
        Asker::Model => "",
        Asker::Page => ", its page",
    })
}

/// As it stands in a list to choose from.
pub fn done(action: AuditAction) -> &'static str {
    t(match action {
        AuditAction::LogStarted => "The audit begins",
        AuditAction::AccountMade => "Account made",
        AuditAction::SignedIn => "Signed in",
        AuditAction::Locked => "Had to wait",
        AuditAction::SignedOut => "Signed out",
        AuditAction::DeviceRevoked => "Device signed out",
        AuditAction::PasswordChanged => "Password changed",
        AuditAction::ResetLinkMade => "Reset link made",
        AuditAction::PasswordReset => "Password reset",
        AuditAction::TokenMade => "Token made",
        AuditAction::TokenRevoked => "Token revoked",
        AuditAction::PasskeyAdded => "Passkey added",
        AuditAction::PasskeyRemoved => "Passkey removed",
        AuditAction::SecondFactorOn => "Second factor turned on",
        AuditAction::SecondFactorOff => "Second factor turned off",
        AuditAction::RecoveryCodeUsed => "Recovery code used",
        AuditAction::RecoveryCodesMade => "Recovery codes made",
        AuditAction::Invited => "Invitation made",
        AuditAction::SignUpSet => "Sign-up set",
        AuditAction::TerminalSet => "Terminal set",
        AuditAction::FilesSet => "Room for files set",
        AuditAction::RoleSet => "Role set",
        AuditAction::PersonDisabled => "Account disabled",
        AuditAction::PersonEnabled => "Account enabled",
        AuditAction::PersonRemoved => "Account removed",
        AuditAction::ProviderSaved => "Provider saved",
        AuditAction::ProviderDeleted => "Provider deleted",
        AuditAction::ProviderShared => "Provider shared",
        AuditAction::SharingStopped => "Sharing stopped",
        AuditAction::GroupSaved => "Group saved",
        AuditAction::GroupDeleted => "Group deleted",
        AuditAction::LogLevelsSet => "Log changed",
        AuditAction::BackupBegun => "Backup begun",
        AuditAction::ConversationShared => "Conversation shared",
        AuditAction::ConversationUnshared => "Conversation taken back",
        AuditAction::FileLinkGiven => "Address of a file given away",
        AuditAction::FileLinkTakenBack => "Address of a file taken back",
        AuditAction::LimitSet => "Limit set",
        AuditAction::PriceSet => "Price set",
        AuditAction::PriceForgotten => "Price taken back",
        AuditAction::AgentDeleted => "Agent deleted",
        AuditAction::AgentKeySet => "Key of an agent saved",
        AuditAction::AgentKeyForgotten => "Key of an agent forgotten",
        AuditAction::WebSecretKept => "Secret of an agent saved",
        AuditAction::WebSecretForgotten => "Secret of an agent forgotten",
        AuditAction::NetworkSet => "Reach of an agent set",
        AuditAction::PermissionSet => "Permission of a page decided",
        AuditAction::PermissionForgotten => "Permission of a page forgotten",
        AuditAction::CallAllowed => "Call of a tool allowed",
        AuditAction::CallDenied => "Call of a tool denied",
        AuditAction::CallBlocked => "Call of a tool not made",
        AuditAction::RuleAdded => "Rule about tools added",
        AuditAction::RuleDeleted => "Rule about tools taken back",
        AuditAction::ScheduleMade => "Schedule made",
        AuditAction::ScheduleChanged => "Schedule changed",
        AuditAction::ScheduleDeleted => "Schedule deleted",
        AuditAction::SearchSourceAdded => "Search source added",
        AuditAction::SearchSourceRemoved => "Search source removed",
        AuditAction::PushOn => "Device notified",
        AuditAction::ChannelAdded => "Notification channel added",
        AuditAction::ChannelRemoved => "Notification channel removed",
        AuditAction::SkillAccepted => "Skill accepted",
        AuditAction::SkillRemoved => "Skill removed",
        AuditAction::SkillsChosen => "Skills of an agent chosen",
        AuditAction::SkillShared => "Skill lent",
        AuditAction::SkillRevoked => "Version of a skill taken back",
        AuditAction::SkillRestored => "Version of a skill allowed again",
        AuditAction::ToolAccepted => "Tool of a file accepted",
        AuditAction::McpServerAdded => "MCP server added",
        AuditAction::McpServerShared => "MCP server shared",
        AuditAction::McpProgramAllowed => "Program for MCP servers allowed",
        AuditAction::McpProgramForbidden => "Program for MCP servers not allowed any more",
        AuditAction::McpVariablesSet => "Variables of an MCP server set",
        AuditAction::McpServerRemoved => "MCP server removed",
        AuditAction::McpHeadersSet => "Headers for an MCP server set",
        AuditAction::McpToolSwitched => "Tool of an MCP server switched",
        AuditAction::McpConnected => "Signed in to an MCP server",
        AuditAction::McpDisconnected => "Signed out of an MCP server",
        AuditAction::McpAppHostsAnswered => "Hosts of a server's pages answered",
        AuditAction::McpServersChosen => "MCP servers of an agent set",
        AuditAction::PeerAdded => "Peer added",
        AuditAction::PeerRemoved => "Peer removed",
        AuditAction::PeerTokenSet => "Token for a peer set",
        AuditAction::PeerSwitched => "Peer or an agent of one switched",
        AuditAction::AgentShared => "Agent shared",
        AuditAction::AgentUnshared => "Agent not shared any more",
        AuditAction::JobServiceAdded => "Job service added",
        AuditAction::JobServiceRemoved => "Job service removed",
        AuditAction::JobServiceChanged => "Jobs of a job service changed",
        AuditAction::JobServiceTokenSet => "Token for a job service set",
        AuditAction::JobServiceSwitched => "Job service switched",
        AuditAction::RetentionSet => "Time for old conversations set",
        AuditAction::TakenOut => "Everything taken out",
        AuditAction::MasterKeyRotated => "Master key rotated",
        AuditAction::LinesLetGo => "Lines let go of to make room",
    })
}

fn refused(action: AuditAction) -> &'static str {
    t(match action {
        AuditAction::LogStarted => "The audit begins again: what stands before it does not fit its seal",
        AuditAction::SignedIn => "Failed to sign in",
        AuditAction::Locked => "Has to wait after failed attempts",
        AuditAction::PasswordChanged => "Failed to change the password",
        AuditAction::PasskeyAdded => "Failed to add a passkey",
        AuditAction::SecondFactorOn => "Failed to set up a second factor",
        AuditAction::SecondFactorOff => "Failed to turn the second factor off",
        AuditAction::RecoveryCodesMade => "Failed to make recovery codes",
        AuditAction::AccountMade
        | AuditAction::SignedOut
        | AuditAction::DeviceRevoked
        | AuditAction::ResetLinkMade
        | AuditAction::PasswordReset
        | AuditAction::TokenMade
        | AuditAction::TokenRevoked
        | AuditAction::PasskeyRemoved
        | AuditAction::RecoveryCodeUsed
        | AuditAction::Invited
        | AuditAction::SignUpSet
        | AuditAction::TerminalSet
        | AuditAction::FilesSet
        | AuditAction::RoleSet
        | AuditAction::PersonDisabled
        | AuditAction::PersonEnabled
        | AuditAction::PersonRemoved
        | AuditAction::ProviderSaved
        | AuditAction::ProviderDeleted
        | AuditAction::ProviderShared
        | AuditAction::SharingStopped
        | AuditAction::GroupSaved
        | AuditAction::GroupDeleted
        | AuditAction::LogLevelsSet
        | AuditAction::BackupBegun
        | AuditAction::ConversationShared
        | AuditAction::ConversationUnshared
        | AuditAction::FileLinkGiven
        | AuditAction::FileLinkTakenBack
        | AuditAction::LimitSet
        | AuditAction::PriceSet
        | AuditAction::PriceForgotten
        | AuditAction::AgentDeleted
        | AuditAction::AgentKeySet
        | AuditAction::AgentKeyForgotten
        | AuditAction::WebSecretKept
        | AuditAction::WebSecretForgotten
        | AuditAction::NetworkSet
        | AuditAction::PermissionSet
        | AuditAction::PermissionForgotten
        | AuditAction::CallAllowed
        | AuditAction::CallDenied
        | AuditAction::CallBlocked
        | AuditAction::RuleAdded
        | AuditAction::RuleDeleted
        | AuditAction::ScheduleMade
        | AuditAction::ScheduleChanged
        | AuditAction::ScheduleDeleted
        | AuditAction::SearchSourceAdded
        | AuditAction::SearchSourceRemoved
        | AuditAction::PushOn
        | AuditAction::ChannelAdded
        | AuditAction::ChannelRemoved
        | AuditAction::SkillAccepted
        | AuditAction::SkillRemoved
        | AuditAction::SkillsChosen
        | AuditAction::SkillShared
        | AuditAction::SkillRevoked
        | AuditAction::SkillRestored
        | AuditAction::ToolAccepted
        | AuditAction::McpServerAdded
        | AuditAction::McpServerRemoved
        | AuditAction::McpHeadersSet
        | AuditAction::McpToolSwitched
        | AuditAction::McpConnected
        | AuditAction::McpDisconnected
        | AuditAction::McpAppHostsAnswered
        | AuditAction::McpServersChosen
        | AuditAction::PeerAdded
        | AuditAction::PeerRemoved
        | AuditAction::PeerTokenSet
        | AuditAction::PeerSwitched
        | AuditAction::AgentShared
        | AuditAction::AgentUnshared
        | AuditAction::JobServiceAdded
        | AuditAction::JobServiceRemoved
        | AuditAction::JobServiceChanged
        | AuditAction::JobServiceTokenSet
        | AuditAction::JobServiceSwitched
        | AuditAction::McpServerShared
        | AuditAction::McpProgramAllowed
        | AuditAction::McpProgramForbidden
        | AuditAction::McpVariablesSet
        | AuditAction::RetentionSet
        | AuditAction::TakenOut
        | AuditAction::MasterKeyRotated
        | AuditAction::LinesLetGo => return done(action),
    })
}
