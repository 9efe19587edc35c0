//! One role: what it is, who has it, and what its person can do with it.

use super::page::Actions;
use crate::prelude::*;
use crate::ui::{ActionForm, Icon};
use protocol::view::{AgentRoleView, NamedAgent};

#[component]
pub(super) fn RoleRow(role: AgentRoleView, actions: Actions) -> impl IntoView {
    let AgentRoleView { id, name, description, model, tools, least, most, agents } = role;
    let (heading, labelled) = (format!("role-{id}"), format!("role-{id}"));
    let field = format!("most-{id}");
    let (another, limited, deleted) = (id.0.clone(), id.0.clone(), id.0);
    let delete_words = say!("Delete the role {name}");
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head">
                <h3 class="schedule-name" id=heading>{name}</h3>
            </div>
            {(!description.is_empty()).then(|| view! { <p class="schedule-words">{description}</p> })}
            <dl class="schedule-facts">
                <div><dt>"Agents"</dt><dd>{who(agents)}</dd></div>
                <div><dt>"Number"</dt><dd>{number(least, most)}</dd></div>
                <div><dt>"Model"</dt><dd>{if model.is_empty() { t("No model").to_owned() } else { model }}</dd></div>
                <div><dt>"Tools"</dt><dd>{tools_words(&tools)}</dd></div>
            </dl>
            <div class="actions">
                <ActionForm action=actions.another>
                    <input type="hidden" name="id" value=another/>
                    <button type="submit" class="button"><Icon name="plus" small=true/>"Make another"</button>
                </ActionForm>
                <ActionForm action=actions.limit attr:class="field-row">
                    <input type="hidden" name="id" value=limited/>
                    <label class="field-label" for=field.clone()>"At most"</label>
                    <input
                        class="input num"
                        id=field
                        name="most"
                        type="number"
                        min="1"
                        max="500"
                        placeholder="any"
                        value=most.map(|most| most.to_string())
                    />
                    <button type="submit" class="button">"Set the limit"</button>
                </ActionForm>
                <ActionForm action=actions.delete>
                    <input type="hidden" name="id" value=deleted/>
                    <button type="submit" class="button" data-kind="danger" aria-label=delete_words>
                        <Icon name="trash" small=true/>
                        "Delete"
                    </button>
                </ActionForm>
            </div>
        </li>
    }
}

fn who(agents: Vec<NamedAgent>) -> AnyView {
    if agents.is_empty() {
        return t("No agent").into_any();
    }
    let links = agents.into_iter().enumerate().map(|(at, NamedAgent { id, name })| {
        let comma = if at == 0 { "" } else { ", " };
        view! { {comma} <a href=format!("/agents/{id}")>{name}</a> }
    });
    links.collect_view().into_any()
}

pub(super) fn number(least: u32, most: Option<u32>) -> String {
    match (least, most) {
        (0, None) => t("Any number").to_owned(),
        (0, Some(most)) => say!("At most {most}"),
        (least, None) => say!("{least} or more"),
        (least, Some(most)) if least == most => most.to_string(),
        (least, Some(most)) => say!("{least} to {most}"),
    }
}

pub(super) fn tools_words(tools: &[String]) -> String {
    if tools.is_empty() { t("None: it can only talk").to_owned() } else { tools.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_there_are_to_be_is_said_in_a_few_words() {
        for (least, most, words) in [
            (0, None, "Any number"),
            (0, Some(3), "At most 3"),
            (2, None, "2 or more"),
            (1, Some(1), "1"),
            (1, Some(3), "1 to 3"),
        ] {
            assert_eq!(number(least, most), words);
        }
    }
}
