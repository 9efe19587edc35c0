//! The tools that an agent can be given, under headings.

use crate::prelude::*;
use protocol::agent::ToolRisk;
use protocol::view::{ToolGroup, ToolView};

const GROUPS: [(ToolGroup, &str); 5] = [
    (ToolGroup::Page, key!("Tools for its page")),
    (ToolGroup::Files, key!("Tools for files")),
    (ToolGroup::Memory, key!("Tools for what it keeps and knows")),
    (ToolGroup::Agents, key!("Tools for work that others do")),
    (ToolGroup::Tools, key!("Tools for finding and making tools")),
];

#[component]
pub fn ToolChoices(tools: Vec<ToolView>, chosen: Vec<String>) -> impl IntoView {
    GROUPS
        .into_iter()
        .map(|(group, words)| {
            let choices = tools
                .iter()
                .filter(|tool| tool.group == group)
                .map(|tool| {
                    let checked = chosen.contains(&tool.name);
                    let ToolView { name, summary, risk, .. } = tool.clone();
                    view! {
                        <label class="choice">
                            <input type="checkbox" name="tools[]" value=name.clone() checked=checked/>
                            <span>{name} " " <span class="choice-note">{risk_words(risk)}</span></span>
                            <span class="choice-hint">{summary}</span>
                        </label>
                    }
                })
                .collect_view();
            view! {
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">{t(words)}</legend>
                    {choices}
                </fieldset>
            }
        })
        .collect_view()
}

fn risk_words(risk: ToolRisk) -> &'static str {
    t(match risk {
        ToolRisk::None => "only looks",
        ToolRisk::Low => "low risk",
        ToolRisk::Medium => "some risk",
        ToolRisk::High => "high risk",
    })
}
