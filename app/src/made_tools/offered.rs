//! A newer version of a tool that came in a file: what it would change, and what can be done with it.

use super::page::Answers;
use super::reach::Reach;
use crate::prelude::*;
use crate::ui::{ActionForm, Diff, Exact, Icon};
use protocol::AgentId;
use protocol::view::OfferedTool;

#[component]
pub(super) fn Offered(agent: AgentId, name: String, tool: OfferedTool, answers: Answers) -> impl IntoView {
    let OfferedTool { digest, description: _, input_schema, code, reach, changes } = tool;
    let schema = serde_json::to_string_pretty(&input_schema).unwrap_or_default();
    let of_tool = (agent.clone(), name.clone());
    let (accept, refuse) = (say!("Accept the newer {name}"), say!("Refuse the newer {name}"));
    let changes = match changes.is_empty() {
        true => view! { <p>"Its words, schema and code stay as they are. What it reaches is other."</p> }
            .into_any(),
        false => view! { <Diff text=changes wraps=true/> }.into_any(),
    };
    view! {
        <p>
            <span class="chip" data-kind="caution">"Waits for you"</span>
            " "
            <span>"A newer version came in a file. The agent keeps the one that it has until you accept this one:"</span>
        </p>
        <Reach reach/>
        <details class="tool" data-status="done" open=true>
            <summary>
                <Icon name="tool" small=true/>
                <span class="tool-verb">"What changes"</span>
            </summary>
            <div class="tool-body">{changes}</div>
        </details>
        <details class="tool" data-status="done">
            <summary>
                <Icon name="tool" small=true/>
                <span class="tool-verb">"Input and code of the newer version"</span>
            </summary>
            <div class="tool-body">
                <p class="tool-label">"Input schema"</p>
                <Exact text=schema/>
                <p class="tool-label">"Code"</p>
                <Exact text=code/>
            </div>
        </details>
        <div class="actions">
            <ActionForm action=answers.accept>
                <input type="hidden" name="id" value=of_tool.0.0/>
                <input type="hidden" name="name" value=of_tool.1/>
                <input type="hidden" name="digest" value=digest/>
                <button type="submit" class="button" data-kind="primary">{accept}</button>
            </ActionForm>
            <ActionForm action=answers.delete>
                <input type="hidden" name="id" value=agent.0/>
                <input type="hidden" name="name" value=name/>
                <input type="hidden" name="waiting" value="true"/>
                <button type="submit" class="button">{refuse}</button>
            </ActionForm>
        </div>
    }
}
