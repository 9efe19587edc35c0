//! What is asked before a call, and the rules that answer.

use crate::golden::{Section, every, section};
use crate::samples::{AT, agent, approval, run};
use protocol::agent::ToolRisk;
use protocol::approval::{ApprovalView, Asker, PolicyRule, Verdict};

pub fn sections() -> Vec<Section> {
    vec![
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
    ]
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
