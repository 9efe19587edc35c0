//! Roles and teams.

use crate::golden::{Section, section};
use crate::samples::agent;
use protocol::view::{AgentRoleView, NamedAgent, RoleReview, TeamExport, TeamReview};

pub fn sections() -> Vec<Section> {
    vec![
        section("AgentRoleView", &[agent_role(Some(3)), agent_role(None)]),
        section("TeamReview", &[team_review()]),
        section(
            "TeamExport",
            &[TeamExport {
                text: "agents:\n- role: reviewer\n".to_owned(),
                left_behind: vec!["Moss: its page.".to_owned()],
            }],
        ),
    ]
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
