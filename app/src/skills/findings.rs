//! What was found in a skill, the gravest first.

use super::words::{weight_kind, weight_words};
use crate::prelude::*;
use crate::ui::Section;
use protocol::view::SkillFinding;

#[component]
pub(super) fn Findings(findings: Vec<SkillFinding>, more: u32) -> impl IntoView {
    let more = (more > 0).then(|| view! { <p>{say!("And {more} more of the same kinds.")}</p> });
    let body = if findings.is_empty() {
        view! {
            <p class="empty" data-size="small">
                <span>"Nothing. That a rule finds nothing does not make a skill good: read it before you accept it."</span>
            </p>
        }
        .into_any()
    } else {
        let findings = findings.into_iter().map(|finding| view! { <Finding finding/> }).collect_view();
        view! { <ul class="findings">{findings}</ul> {more} }.into_any()
    };
    view! {
        <Section
            id="found"
            title="What was found"
            lead="By rules that look for what hostile skills do. They show where to look, and decide nothing."
        >
            {body}
        </Section>
    }
}

#[component]
fn Finding(finding: SkillFinding) -> impl IntoView {
    let SkillFinding { rule, file, line, excerpt } = finding;
    let weight = rule.weight();
    view! {
        <li class="finding">
            <p class="finding-head">
                <span class="chip" data-kind=weight_kind(weight)>{weight_words(weight)}</span>
                <span class="finding-place">{file} ", line " <span class="num">{line.to_string()}</span></span>
            </p>
            <p>{t(rule.words())}</p>
            <pre class="finding-excerpt" tabindex="0">{excerpt}</pre>
        </li>
    }
}
