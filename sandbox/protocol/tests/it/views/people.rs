//! People, and what is around each of them.

use crate::golden::{Section, every, section};
use crate::samples::{AT, agent, conversation};
use protocol::view::{
    DiskRoom, Me, PackedConversations, PersonView, Right, Role, SideAgent, SideBar, SideCallSettings,
    SideConversation, SignUpMode, Space, Status,
};
use protocol::{Budget, ContextSource, Language};

pub fn roles() -> Vec<Section> {
    vec![
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
    ]
}

pub fn people() -> Vec<Section> {
    vec![
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
                node: Some("node-1".to_owned()),
            }],
        ),
    ]
}

pub fn around_each() -> Vec<Section> {
    vec![
        section("SideCallSettings", &[SideCallSettings { titles: true, memories: false }]),
        section("Space", &[Space { kept: 2048, most: Some(1_048_576) }, Space { kept: 0, most: None }]),
        section(
            "PackedConversations",
            &[
                PackedConversations {
                    days: Some(90),
                    usual: Some(180),
                    conversations: 12,
                    bytes: 2_097_152,
                    stored: 262_144,
                },
                PackedConversations { days: None, usual: None, conversations: 0, bytes: 0, stored: 0 },
            ],
        ),
        section("Me", &[me()]),
        section("SideBar", &[side_bar()]),
    ]
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
