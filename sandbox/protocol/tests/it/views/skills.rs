//! Skills: what is found in them, and whose they are.

use crate::golden::{Section, every, section};
use crate::samples::{AT, conversation};
use protocol::view::{
    AgentSkill, BroughtSkill, FoundSkill, FoundSkills, GivenAgent, LentSkill, PinnedFile, RevokedSkill,
    ShippedSkill, SkillChange, SkillDetail, SkillFinding, SkillLibrary, SkillReport, SkillRule, SkillSharing,
    SkillSource, SkillState, SkillText, SkillUse, SkillVersion, SkillView, Weight,
};

pub fn sections() -> Vec<Section> {
    vec![
        every!(SkillRule {
            SkillRule::TagCharacters => [SkillRule::TagCharacters],
            SkillRule::TurnedText => [SkillRule::TurnedText],
            SkillRule::InvisibleCharacters => [SkillRule::InvisibleCharacters],
            SkillRule::HtmlComment => [SkillRule::HtmlComment],
            SkillRule::HiddenStyle => [SkillRule::HiddenStyle],
            SkillRule::DownloadToShell => [SkillRule::DownloadToShell],
            SkillRule::PasteIntoTerminal => [SkillRule::PasteIntoTerminal],
            SkillRule::EncodedCommand => [SkillRule::EncodedCommand],
            SkillRule::PasswordArchive => [SkillRule::PasswordArchive],
            SkillRule::RemoteProgram => [SkillRule::RemoteProgram],
            SkillRule::RemoteInstructions => [SkillRule::RemoteInstructions],
            SkillRule::AsksForSecrets => [SkillRule::AsksForSecrets],
            SkillRule::SendsOut => [SkillRule::SendsOut],
            SkillRule::Overrides => [SkillRule::Overrides],
            SkillRule::ChangesMemory => [SkillRule::ChangesMemory],
            SkillRule::RunsAtLoad => [SkillRule::RunsAtLoad],
            SkillRule::WantsMore => [SkillRule::WantsMore],
            SkillRule::LongEncoded => [SkillRule::LongEncoded],
            SkillRule::SplitCommand => [SkillRule::SplitCommand],
            SkillRule::Lookalike => [SkillRule::Lookalike],
            SkillRule::LookalikeHost => [SkillRule::LookalikeHost],
            SkillRule::NameTaken => [SkillRule::NameTaken],
            SkillRule::OddName => [SkillRule::OddName],
            SkillRule::OddHead => [SkillRule::OddHead],
            SkillRule::UnknownTool => [SkillRule::UnknownTool],
            SkillRule::Script => [SkillRule::Script],
            SkillRule::NoText => [SkillRule::NoText],
        }),
        every!(Weight {
            Weight::Note => [Weight::Note],
            Weight::Caution => [Weight::Caution],
            Weight::Danger => [Weight::Danger],
        }),
        every!(SkillState {
            SkillState::Quarantined => [SkillState::Quarantined],
            SkillState::Accepted => [SkillState::Accepted],
            SkillState::Revoked => [SkillState::Revoked],
            SkillState::UpdateWaiting => [SkillState::UpdateWaiting],
        }),
        every!(SkillUse {
            SkillUse::Off => [SkillUse::Off],
            SkillUse::Found => [SkillUse::Found],
            SkillUse::Always => [SkillUse::Always],
        }),
        every!(SkillSource {
            SkillSource::File { .. } => [SkillSource::File { name: "moss.zip".to_owned() }],
            SkillSource::Address { .. } => [
                SkillSource::Address { url: "https://moss.example/".to_owned(), within: String::new() },
                SkillSource::Address { url: "https://moss.example/".to_owned(), within: "moss".to_owned() },
            ],
            SkillSource::McpServer { .. } => [SkillSource::McpServer {
                server: "server-1".into(),
                name: "garden".to_owned(),
                uri: "skill://moss/SKILL.md".to_owned(),
            }],
            SkillSource::Lent { .. } => [SkillSource::Lent {
                skill: "skill-1".into(),
                by: "Ada, who looks after the garden of all mosses".to_owned(),
            }],
            SkillSource::Form => [SkillSource::Form],
            SkillSource::Agent { .. } => [SkillSource::Agent {
                agent: "agent-1".into(),
                name: "Ada".to_owned(),
                conversation: conversation(),
            }],
        }),
        section("SkillLibrary", &[skill_library()]),
        every!(BroughtSkill {
            BroughtSkill::Skill { .. } => [BroughtSkill::Skill { id: "skill-1".into() }],
            BroughtSkill::Several(_) => [BroughtSkill::Several(found_skills())],
        }),
        section("FoundSkills", &[found_skills()]),
        section("SkillDetail", &[skill_detail()]),
        section("AgentSkill", &[agent_skill()]),
        section(
            "ShippedSkill",
            &[ShippedSkill { name: "documents".to_owned(), lacks: vec!["document".to_owned()] }],
        ),
    ]
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
        requires: vec!["document".to_owned()],
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
        agents: vec![GivenAgent {
            agent: "agent-1".into(),
            name: "Ada".to_owned(),
            has: true,
            lacks: vec!["get_skill".to_owned()],
        }],
    }
}

pub fn agent_skill() -> AgentSkill {
    AgentSkill {
        skill: "skill-1".into(),
        name: "moss-care".to_owned(),
        description: "Knows moss.".to_owned(),
        chosen: SkillUse::Found,
        lacks: vec!["document".to_owned()],
    }
}
