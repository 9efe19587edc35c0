//! One tool: what it is for, what it takes, what it does, and the way to take it away.

use super::api::DeleteMadeTool;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon, When};
use protocol::AgentId;
use protocol::view::MadeToolView;

#[component]
pub fn MadeTool(agent: AgentId, tool: MadeToolView, delete: FormAction<DeleteMadeTool>) -> impl IntoView {
    let MadeToolView { name, description, version, made_at, input_schema, code, .. } = tool;
    let schema = serde_json::to_string_pretty(&input_schema).unwrap_or_default();
    let made = made_at.map(|at| view! { ", made " <When at/> });
    view! {
        <li class="made-tool">
            <div class="made-tool-head">
                <h2 class="made-tool-name"><code>{name.clone()}</code></h2>
                <p class="made-tool-meta">"Version " {version} {made}</p>
            </div>
            <p class="made-tool-about">{description}</p>
            <details class="tool" data-status="done">
                <summary>
                    <Icon name="tool" small=true/>
                    <span class="tool-verb">"Input and code"</span>
                    <span class="sr-only">{say!(" of {name}")}</span>
                </summary>
                <div class="tool-body">
                    <p class="tool-label">"Input schema"</p>
                    <pre tabindex="0">{schema}</pre>
                    <p class="tool-label">"Code"</p>
                    <pre tabindex="0">{code}</pre>
                </div>
            </details>
            <details class="confirm">
                <summary class="button" data-kind="quiet" aria-label={say!("Delete {name}")}>
                    <Icon name="trash" small=true/>
                    "Delete"
                </summary>
                <ActionForm action=delete attr:class="confirm-body">
                    <p>"The agent cannot call it any more. All its versions stay in the conversation, so it can make it again."</p>
                    <input type="hidden" name="id" value=agent.0/>
                    <input type="hidden" name="name" value=name.clone()/>
                    <button type="submit" class="button" data-kind="danger">{say!("Delete {name}")}</button>
                </ActionForm>
            </details>
        </li>
    }
}
