//! One tool of a server: what it says of itself, what changed of that, and whether agents call it; and all of them at
//! once.

use super::api::{SwitchMcpTool, SwitchMcpTools};
use super::words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Diff, FormAction, Icon};
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

/// Switches on what can be and is not, or off what is on, where that is more than one.
#[component]
pub(super) fn AllTools(
    server: McpServerId,
    tools: Vec<McpToolView>,
    switch: FormAction<SwitchMcpTools>,
) -> impl IntoView {
    let on = tools.iter().filter(|tool| tool.state == McpToolState::On).count();
    let has_changed = tools.iter().any(|tool| matches!(tool.state, McpToolState::Changed { .. }));
    let digests: Vec<String> = tools
        .into_iter()
        .filter(|tool| matches!(tool.state, McpToolState::Off | McpToolState::Changed { .. }))
        .map(|tool| tool.digest)
        .collect();
    let id = server.0.clone();
    let switch_on = (digests.len() > 1).then(|| {
        let words = t(if has_changed { "Agree to all changes, and switch all on" } else { "Switch all on" });
        let digests = digests
            .into_iter()
            .map(|digest| view! { <input type="hidden" name="digests[]" value=digest/> })
            .collect_view();
        view! {
            <ActionForm action=switch>
                <input type="hidden" name="id" value=id/>
                <input type="hidden" name="on" value="true"/>
                {digests}
                <button type="submit" class="button">{words}</button>
            </ActionForm>
        }
    });
    let switch_off = (on > 1).then(|| {
        view! {
            <ActionForm action=switch>
                <input type="hidden" name="id" value=server.0/>
                <input type="hidden" name="on" value="false"/>
                <button type="submit" class="button">"Switch all off"</button>
            </ActionForm>
        }
    });
    let is_there = switch_on.is_some() || switch_off.is_some();
    is_there.then(|| {
        view! {
            <ActionFailure value=switch.value()/>
            <div class="actions">{switch_on} {switch_off}</div>
        }
    })
}

#[component]
fn Change(difference: String) -> impl IntoView {
    view! {
        <p>"It is another one than you said yes to, so no agent calls it:"</p>
        <Diff text=difference wraps=true/>
    }
}
