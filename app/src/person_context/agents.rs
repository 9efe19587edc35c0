//! Which agents are told.

use super::api::LetAgentKnow;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Section, kept_each};
use protocol::view::ContextAgent;

#[component]
pub(super) fn Agents(agents: Vec<ContextAgent>, let_agent: FormAction<LetAgentKnow>) -> impl IntoView {
    let list = match agents.is_empty() {
        true => {
            view! { <p class="empty" data-size="small"><span>"You have no agent yet. " <a href="/agents/new">"Make one."</a></span></p> }.into_any()
        }
        false => {
            let rows = kept_each(agents, move |agent| view! { <Row agent let_agent/> });
            view! { <ul class="memories">{rows}</ul> }.into_any()
        }
    };
    view! {
        <Section
            id="agents"
            title="Who is told"
            lead="Where an agent hears what one said that had read words of strangers, it counts as having read them too."
        >
            {list}
        </Section>
    }
}

#[component]
fn Row(agent: ContextAgent, let_agent: FormAction<LetAgentKnow>) -> impl IntoView {
    let ContextAgent { agent, name, sees, hears } = agent;
    let (label, words) = (say!("Save: {name}"), name.clone());
    view! {
        <li class="memory" aria-label=name>
            <ActionForm action=let_agent attr:class="context-agent">
                <p class="memory-text"><a href=format!("/agents/{agent}")>{words}</a></p>
                <input type="hidden" name="agent" value=agent.0/>
                <label class="choice">
                    <input type="checkbox" name="sees" value="true" checked=sees/>
                    <span>"Sees my context"</span>
                </label>
                <label class="choice">
                    <input type="checkbox" name="hears" value="true" checked=hears/>
                    <span>"Hears what the others said lately"</span>
                </label>
                <button class="button" type="submit" aria-label=label>"Save"</button>
            </ActionForm>
        </li>
    }
}
