//! Which servers an agent may use: a form of its own, for it holds from the next run on.

use super::api::ChooseMcpServers;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Section};
use protocol::AgentId;
use protocol::view::{McpChoice, McpServerView};

#[component]
pub fn McpSection(agent: AgentId, choices: Vec<McpChoice>) -> impl IntoView {
    let action = FormAction::<ChooseMcpServers>::new();
    let form = match choices.is_empty() {
        true => {
            view! { <p class="empty" data-size="small"><span>"You have no server yet."</span></p> }.into_any()
        }
        false => {
            let choices = choices.into_iter().map(choice).collect_view();
            view! {
                <ActionForm action attr:class="form">
                    <input type="hidden" name="agent" value=agent.0/>
                    <fieldset class="choices" data-flow="columns">
                        <legend class="field-label">"It may use"</legend>
                        {choices}
                    </fieldset>
                    <div class="form-end">
                        <button type="submit" class="button">"Set its servers"</button>
                    </div>
                </ActionForm>
            }
            .into_any()
        }
    };
    view! {
        <Section
            id="mcp"
            title="MCP servers"
            lead="It can call the tools of these servers that are switched on, whatever it may reach of the web. You are asked before each call, unless a rule says otherwise."
        >
            <Done what="mcp" words="Its servers are set."/>
            <ActionFailure value=action.value()/>
            {form}
            <p><a href="/mcp-servers">"Your MCP servers"</a></p>
        </Section>
    }
}

fn choice(choice: McpChoice) -> impl IntoView {
    let McpChoice { server, is_chosen, untold } = choice;
    let tools = say!("Tools: {tools}", tools = words::tools(&server));
    let untold = (untold > 0).then(|| {
        let words = say!(
            "It is not told of {untold} of them: an agent has room for 1 MB of what tools say of themselves. Switch some off."
        );
        view! { <span class="choice-hint">{words}</span> }
    });
    let McpServerView { id, name, .. } = server;
    view! {
        <label class="choice">
            <input type="checkbox" name="servers[]" value=id.0 checked=is_chosen/>
            <span>{name}</span>
            <span class="choice-hint">{tools}</span>
            {untold}
        </label>
    }
}
