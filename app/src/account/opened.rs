//! Which agents a program may ask: all of them, or those that are ticked.

use crate::AppError;
use crate::agents::api::list_agents;
use crate::prelude::*;
use crate::ui::{ChoiceRow, Select};
use protocol::view::NamedAgent;

/// Fields `chosen` and `agents[]`, in a form. None where there is nothing to choose from.
#[component]
pub(super) fn OpenedChoices(agents: Vec<NamedAgent>) -> impl IntoView {
    if agents.is_empty() {
        return ().into_any();
    }
    let choices = agents
        .into_iter()
        .map(|NamedAgent { id, name }| {
            view! {
                <ChoiceRow words=name>
                    <input type="checkbox" name="agents[]" value=id.0/>
                </ChoiceRow>
            }
        })
        .collect_view();
    view! {
        <Select
            id="opened-agents"
            name="chosen"
            label="Agents that it may ask"
            hint="With a choice, all other agents do not exist for it. It takes a program that speaks with agents."
        >
            <option value="false">"All of them, also those to come"</option>
            <option value="true">"Only those that are ticked"</option>
        </Select>
        <fieldset class="choices" data-flow="columns">
            <legend class="field-label">"Ticked agents"</legend>
            {choices}
        </fieldset>
    }
    .into_any()
}

/// Behind what a token may do.
pub(super) fn opened_words(agents: &[NamedAgent]) -> String {
    match agents {
        [] => t(", of agents that are gone").to_owned(),
        agents => {
            let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
            say!(", only {names}", names = names.join(", "))
        }
    }
}

/// What there is to choose from.
pub(super) async fn agents_to_open() -> Result<Vec<NamedAgent>, AppError> {
    let cards = list_agents().await?;
    Ok(cards.into_iter().map(|card| NamedAgent { id: card.id, name: card.name }).collect())
}
