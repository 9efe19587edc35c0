//! The tools that an agent can be given, under headings, and sets of them that are chosen in one press.

use crate::prelude::*;
use protocol::agent::ToolRisk;
use protocol::view::{ToolGroup, ToolSet, ToolView};
use std::collections::BTreeSet;

const GROUPS: [(ToolGroup, &str); 5] = [
    (ToolGroup::Page, key!("Tools for its page")),
    (ToolGroup::Files, key!("Tools for files")),
    (ToolGroup::Memory, key!("Tools for what it keeps and knows")),
    (ToolGroup::Agents, key!("Tools for work that others do")),
    (ToolGroup::Tools, key!("Tools for finding and making tools")),
];

/// What stands on a button that chooses tools.
const SETS: [(&str, Chosen); 7] = [
    (key!("The usual"), Chosen::Usual),
    (key!("Its page"), Chosen::Set(ToolSet::Page)),
    (key!("Research"), Chosen::Set(ToolSet::Research)),
    (key!("Writing"), Chosen::Set(ToolSet::Writing)),
    (key!("Code"), Chosen::Set(ToolSet::Code)),
    (key!("Leading others"), Chosen::Set(ToolSet::Leading)),
    (key!("No tools"), Chosen::Nothing),
];

#[derive(Clone, Copy)]
enum Chosen {
    Usual,
    Set(ToolSet),
    Nothing,
}

impl Chosen {
    fn has(self, tool: &ToolView) -> bool {
        match self {
            Self::Usual => tool.usual,
            Self::Set(set) => tool.sets.contains(&set),
            Self::Nothing => false,
        }
    }
}

#[component]
pub fn ToolChoices(tools: Vec<ToolView>, chosen: Vec<String>) -> impl IntoView {
    let ticked = RwSignal::new(BTreeSet::from_iter(chosen.iter().cloned()));
    let groups = GROUPS
        .into_iter()
        .map(|(group, words)| {
            let choices = tools
                .iter()
                .filter(|tool| tool.group == group)
                .map(|tool| {
                    let checked = chosen.contains(&tool.name);
                    let ToolView { name, summary, risk, .. } = tool.clone();
                    let (own, changed) = (name.clone(), name.clone());
                    view! {
                        <label class="choice">
                            <input
                                type="checkbox"
                                name="tools[]"
                                value=name.clone()
                                checked=checked
                                prop:checked=move || ticked.with(|ticked| ticked.contains(&own))
                                on:change=move |event| tick(ticked, &changed, event_target_checked(&event))
                            />
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
        .collect_view();
    view! {
        <Sets tools ticked/>
        {groups}
    }
}

/// Buttons that tick the boxes below. Without script the boxes are ticked one by one.
#[component]
fn Sets(tools: Vec<ToolView>, ticked: RwSignal<BTreeSet<String>>) -> impl IntoView {
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let tools = StoredValue::new(tools);
    let buttons = move || {
        SETS.into_iter()
            .map(|(words, chosen)| {
                let names = tools.with_value(|tools| {
                    let named = tools.iter().filter(|tool| chosen.has(tool));
                    named.map(|tool| tool.name.clone()).collect::<BTreeSet<_>>()
                });
                let given = names.clone();
                let pressed = move || ticked.with(|ticked| *ticked == names).to_string();
                view! {
                    <button
                        class="segment"
                        type="button"
                        aria-pressed=pressed
                        on:click=move |_| ticked.set(given.clone())
                    >
                        {t(words)}
                    </button>
                }
            })
            .collect_view()
    };
    let count = move || match ticked.with(BTreeSet::len) {
        0 => t("It has no tools, and can only talk.").to_owned(),
        count => plural!(count, "1 tool.", "{count} tools."),
    };
    view! {
        <Show when=move || has_script.get()>
            <div class="field" role="group" aria-labelledby="tool-sets">
                <p class="field-label" id="tool-sets">"What it is to do"</p>
                <div class="segments">{buttons()}</div>
                <p class="field-hint" role="status">{count} " What it may reach of the web, and a terminal, you choose by themselves."</p>
            </div>
        </Show>
    }
}

fn tick(ticked: RwSignal<BTreeSet<String>>, name: &str, is_on: bool) {
    ticked.update(|ticked| {
        if is_on {
            ticked.insert(name.to_owned());
        } else {
            ticked.remove(name);
        }
    });
}

fn risk_words(risk: ToolRisk) -> &'static str {
    t(match risk {
        ToolRisk::None => "only looks",
        ToolRisk::Low => "low risk",
        ToolRisk::Medium => "some risk",
        ToolRisk::High => "high risk",
    })
}
