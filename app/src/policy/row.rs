//! One rule in words, and the way to take it back.

use super::api::DeleteRule;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Spelled, When};
use protocol::agent::ToolRisk;
use protocol::approval::{Asker, PolicyRule, Verdict};

#[component]
pub fn Rule(rule: PolicyRule, delete: FormAction<DeleteRule>) -> impl IntoView {
    let PolicyRule { id, tool, about, verdict, made_at, .. } = rule.clone();
    let label = match &about {
        Some(about) => say!("Take back: {verdict} {tool} about {about}", verdict = verdict_words(verdict)),
        None => say!("Take back: {verdict} {tool}", verdict = verdict_words(verdict)),
    };
    view! {
        <tr>
            <td>
                <span>
                    {verdict_words(verdict)} " " <code>{tool}</code>
                    {about.map(|about| view! { " about " <code><Spelled text=about/></code> })}
                    {rule.risk_at_most.map(limit_words).map(|words| format!(", {words}"))}
                </span>
            </td>
            <td data-label="For">{scope_words(&rule)} {rule.until.map(|at| view! { ", until " <When at/> })}</td>
            <td data-label="Since"><When at=made_at/></td>
            <td class="list-end">
                <ActionForm action=delete>
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Take back"</button>
                </ActionForm>
            </td>
        </tr>
    }
}

/// Which calls among those that it is about.
fn limit_words(most: ToolRisk) -> &'static str {
    t(match most {
        ToolRisk::None => "if it only looks",
        ToolRisk::Low => "with low risk at most",
        ToolRisk::Medium => "with some risk at most",
        ToolRisk::High => "with high risk at most",
    })
}

/// What a rule says, before the tool that it is about.
pub fn verdict_words(verdict: Verdict) -> &'static str {
    t(match verdict {
        Verdict::Allow => "Allow",
        Verdict::Ask => "Ask before",
        Verdict::Deny => "Never",
    })
}

/// Whose calls, of which agents, how often.
fn scope_words(rule: &PolicyRule) -> String {
    let whose = t(match rule.asker {
        None => "",
        Some(Asker::Model) => "its model, ",
        Some(Asker::Page) => "its page, ",
    });
    let agents = t(match (&rule.agent, &rule.run) {
        (_, Some(_)) => "the run under way",
        (Some(_), None) => "this agent",
        (None, None) => "all your agents",
    });
    let times = match rule.uses_left {
        None => String::new(),
        Some(times) => plural!(times, ", once more", ", {times} times more"),
    };
    format!("{whose}{agents}{times}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_says_for_what_it_holds() {
        let plain = PolicyRule {
            id: "r".into(),
            agent: None,
            asker: None,
            tool: "fetch".to_owned(),
            about: None,
            verdict: Verdict::Allow,
            run: None,
            uses_left: None,
            until: None,
            made_at: 0,
            approval: None,
            risk_at_most: None,
        };
        for (rule, words) in [
            (plain.clone(), "all your agents"),
            (PolicyRule { agent: Some("a".into()), ..plain.clone() }, "this agent"),
            (
                PolicyRule { agent: Some("a".into()), asker: Some(Asker::Page), ..plain.clone() },
                "its page, this agent",
            ),
            (
                PolicyRule { agent: Some("a".into()), run: Some("r".into()), ..plain.clone() },
                "the run under way",
            ),
            (PolicyRule { uses_left: Some(1), ..plain.clone() }, "all your agents, once more"),
            (PolicyRule { uses_left: Some(3), ..plain }, "all your agents, 3 times more"),
        ] {
            assert_eq!(scope_words(&rule), words);
        }
    }
}
