//! One tool of a server: what it says of itself, what changed of that, and whether agents call it.

use super::api::SwitchMcpTool;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionForm, Diff, FormAction, Icon};
use protocol::McpServerId;
use protocol::view::{McpToolState, McpToolView};

#[component]
pub(super) fn ToolItem(
    server: McpServerId,
    tool: McpToolView,
    may_use: bool,
    switch: FormAction<SwitchMcpTool>,
) -> impl IntoView {
    let McpToolView { name, called, description, input_schema, digest, is_destructive, state } = tool;
    let schema = serde_json::to_string_pretty(&input_schema).unwrap_or_default();
    let said = words::state(&state);
    let destructive = is_destructive.then(|| t(". Its server says that calls may destroy something"));
    let change = match &state {
        McpToolState::Changed { difference } => {
            Some(view! { <Change difference=difference.clone()/> }.into_any())
        }
        McpToolState::Unusable { why } => Some(view! { <p class="field-hint">{why.clone()}</p> }.into_any()),
        McpToolState::On | McpToolState::Off | McpToolState::New => None,
    };
    let presses = match state {
        McpToolState::On => vec![(t("Switch off"), false)],
        McpToolState::Off => vec![(t("Switch on"), true)],
        McpToolState::New => vec![(t("Switch on"), true), (t("Leave it off"), false)],
        McpToolState::Changed { .. } => vec![(t("Agree, and switch on"), true)],
        McpToolState::Unusable { .. } => Vec::new(),
    };
    let form = |(words, on): (&'static str, bool)| {
        let (server, switched, digest) = (server.clone(), name.clone(), digest.clone());
        view! {
            <ActionForm action=switch>
                <input type="hidden" name="id" value=server.0.clone()/>
                <input type="hidden" name="tool" value=switched.clone()/>
                <input type="hidden" name="on" value=on.to_string()/>
                <input type="hidden" name="digest" value=digest.clone()/>
                <button type="submit" class="button" aria-label={say!("{words}: {switched}")}>{words}</button>
            </ActionForm>
        }
    };
    let forms = presses.into_iter().filter(|_| may_use).map(form).collect_view();
    view! {
        <li class="made-tool">
            <div class="made-tool-head">
                <h3 class="made-tool-name"><code>{name.clone()}</code></h3>
                <div class="actions">
                    <p class="made-tool-meta">{said} {destructive}</p>
                    {forms}
                </div>
            </div>
            <p class="made-tool-about">{description}</p>
            {change}
            <details class="tool" data-status="done">
                <summary>
                    <Icon name="tool" small=true/>
                    <span class="tool-verb">"What it is called with"</span>
                    <span class="sr-only">": " {name}</span>
                </summary>
                <div class="tool-body">
                    <p class="tool-label">"Agents call it"</p>
                    <pre tabindex="0">{called}</pre>
                    <p class="tool-label">"Input schema"</p>
                    <pre tabindex="0">{schema}</pre>
                </div>
            </details>
        </li>
    }
}

#[component]
fn Change(difference: String) -> impl IntoView {
    view! {
        <p>"It is another one than you said yes to, so no agent calls it:"</p>
        <Diff text=difference wraps=true/>
    }
}
