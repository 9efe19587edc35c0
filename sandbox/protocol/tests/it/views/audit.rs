//! The audit log, and the calls of tools.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::Micros;
use protocol::approval::Asker;
use protocol::view::{
    AuditAction, AuditLine, AuditOutcome, AuditPage, AuditState, AuditVia, CallDecider, CallLine,
    CallOutcome, CallsPage,
};

pub fn actions() -> Vec<Section> {
    vec![
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
            AuditAction::TerminalSet => [AuditAction::TerminalSet],
            AuditAction::FilesSet => [AuditAction::FilesSet],
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
            AuditAction::LogLevelsSet => [AuditAction::LogLevelsSet],
            AuditAction::BackupBegun => [AuditAction::BackupBegun],
            AuditAction::ConversationShared => [AuditAction::ConversationShared],
            AuditAction::ConversationUnshared => [AuditAction::ConversationUnshared],
            AuditAction::FileLinkGiven => [AuditAction::FileLinkGiven],
            AuditAction::FileLinkTakenBack => [AuditAction::FileLinkTakenBack],
            AuditAction::LimitSet => [AuditAction::LimitSet],
            AuditAction::PriceSet => [AuditAction::PriceSet],
            AuditAction::PriceForgotten => [AuditAction::PriceForgotten],
            AuditAction::AgentDeleted => [AuditAction::AgentDeleted],
            AuditAction::AgentKeySet => [AuditAction::AgentKeySet],
            AuditAction::AgentKeyForgotten => [AuditAction::AgentKeyForgotten],
            AuditAction::WebSecretKept => [AuditAction::WebSecretKept],
            AuditAction::WebSecretForgotten => [AuditAction::WebSecretForgotten],
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
            AuditAction::SkillAccepted => [AuditAction::SkillAccepted],
            AuditAction::SkillRemoved => [AuditAction::SkillRemoved],
            AuditAction::SkillsChosen => [AuditAction::SkillsChosen],
            AuditAction::SkillShared => [AuditAction::SkillShared],
            AuditAction::SkillRevoked => [AuditAction::SkillRevoked],
            AuditAction::SkillRestored => [AuditAction::SkillRestored],
            AuditAction::ToolAccepted => [AuditAction::ToolAccepted],
            AuditAction::RetentionSet => [AuditAction::RetentionSet],
            AuditAction::TakenOut => [AuditAction::TakenOut],
            AuditAction::MasterKeyRotated => [AuditAction::MasterKeyRotated],
            AuditAction::SearchSourceAdded => [AuditAction::SearchSourceAdded],
            AuditAction::SearchSourceRemoved => [AuditAction::SearchSourceRemoved],
            AuditAction::PushOn => [AuditAction::PushOn],
            AuditAction::ChannelAdded => [AuditAction::ChannelAdded],
            AuditAction::ChannelRemoved => [AuditAction::ChannelRemoved],
            AuditAction::McpServerAdded => [AuditAction::McpServerAdded],
            AuditAction::McpServerRemoved => [AuditAction::McpServerRemoved],
            AuditAction::McpHeadersSet => [AuditAction::McpHeadersSet],
            AuditAction::McpToolSwitched => [AuditAction::McpToolSwitched],
            AuditAction::McpConnected => [AuditAction::McpConnected],
            AuditAction::McpDisconnected => [AuditAction::McpDisconnected],
            AuditAction::McpServerShared => [AuditAction::McpServerShared],
            AuditAction::McpProgramAllowed => [AuditAction::McpProgramAllowed],
            AuditAction::McpProgramForbidden => [AuditAction::McpProgramForbidden],
            AuditAction::McpVariablesSet => [AuditAction::McpVariablesSet],
            AuditAction::McpAppHostsAnswered => [AuditAction::McpAppHostsAnswered],
            AuditAction::McpServersChosen => [AuditAction::McpServersChosen],
            AuditAction::PeerAdded => [AuditAction::PeerAdded],
            AuditAction::PeerRemoved => [AuditAction::PeerRemoved],
            AuditAction::PeerTokenSet => [AuditAction::PeerTokenSet],
            AuditAction::PeerSwitched => [AuditAction::PeerSwitched],
            AuditAction::AgentShared => [AuditAction::AgentShared],
            AuditAction::AgentUnshared => [AuditAction::AgentUnshared],
            AuditAction::JobServiceAdded => [AuditAction::JobServiceAdded],
            AuditAction::JobServiceRemoved => [AuditAction::JobServiceRemoved],
            AuditAction::JobServiceChanged => [AuditAction::JobServiceChanged],
            AuditAction::JobServiceTokenSet => [AuditAction::JobServiceTokenSet],
            AuditAction::JobServiceSwitched => [AuditAction::JobServiceSwitched],
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
    ]
}

pub fn pages() -> Vec<Section> {
    vec![
        section("AuditPage", &[AuditPage { lines: vec![audit_line()], older: Some(12) }]),
        section(
            "CallsPage",
            &[CallsPage { lines: vec![call_line(), call_of_others()], older: Some("1-call-1".to_owned()) }],
        ),
        every!(CallDecider {
            CallDecider::Default => [CallDecider::Default],
            CallDecider::Network => [CallDecider::Network],
            CallDecider::Hook => [CallDecider::Hook],
            CallDecider::Rule => [CallDecider::Rule],
            CallDecider::Skill => [CallDecider::Skill],
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
    ]
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
        cost: Some(Micros(12_000)),
    }
}

pub fn call_of_others() -> CallLine {
    CallLine {
        person: "Ben".to_owned(),
        agent: String::new(),
        caller: Asker::Model,
        about: None,
        outcome: None,
        cost: None,
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
