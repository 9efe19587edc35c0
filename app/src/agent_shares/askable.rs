//! Agents of others that one's own may ask.

use crate::prelude::*;
use crate::ui::{Section, Table};
use protocol::view::AskableAgentView;

#[component]
pub fn AskableSection(agents: Vec<AskableAgentView>) -> impl IntoView {
    let body = if agents.is_empty() {
        view! { <p class="empty" data-size="small"><span>"Nobody shares an agent with you."</span></p> }
            .into_any()
    } else {
        let rows = agents
            .into_iter()
            .map(|AskableAgentView { id: _, name, owner, about }| {
                view! {
                    <tr>
                        <td>{name}</td>
                        <td data-label="Whose">{owner}</td>
                        <td data-label="What for">{about}</td>
                    </tr>
                }
            })
            .collect_view()
            .into_any();
        view! { <Table columns=["Agent", "Whose", "What for"] rows/> }.into_any()
    };
    view! {
        <Section
            id="of-others"
            title="Agents of others"
            lead="People on this hub let your agents ask these, at their own cost. An agent that may ask other agents finds them in its list. You are asked before anything is said to one, unless a rule of yours says otherwise, and what it answers counts as a stranger's words."
        >
            {body}
        </Section>
    }
}
