//! What is done with a workspace as a whole, on the page of its files.

use super::api::{DeleteWorkspace, RenameWorkspace};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Icon, Section};
use protocol::files::WorkspaceView;

#[component]
pub fn ManageWorkspace(
    workspace: WorkspaceView,
    rename: FormAction<RenameWorkspace>,
    delete: FormAction<DeleteWorkspace>,
) -> impl IntoView {
    let WorkspaceView { id, name, agents, .. } = workspace;
    let (renamed, deleted) = (id.0.clone(), id.0);
    let shown = agents
        .into_iter()
        .map(|agent| {
            view! { <li><a href=format!("/agents/{}/files#workspace", agent.id)>{agent.name}</a></li> }
        })
        .collect::<Vec<_>>();
    let agents = if shown.is_empty() {
        view! { <p class="empty" data-size="small"><span>"No agent has it yet. Give it to one on the page of that agent’s files."</span></p> }
            .into_any()
    } else {
        view! { <ul>{shown}</ul> }.into_any()
    };
    view! {
        <Section id="agents" title="Agents" lead="They read and change what is in it, under /workspace.">
            {agents}
        </Section>
        <Section id="manage" title="Rename or delete">
            <Done what="renamed" words="It has its new name."/>
            <ActionFailure value=rename.value()/>
            <ActionFailure value=delete.value()/>
            <ActionForm action=rename attr:class="field-row">
                <input type="hidden" name="id" value=renamed/>
                <input class="input" name="name" required maxlength="60" autocomplete="off" value=name aria-label="Its new name"/>
                <button type="submit" class="button">"Rename"</button>
            </ActionForm>
            <details class="confirm">
                <summary class="button" data-kind="danger"><Icon name="trash" small=true/> "Delete this workspace"</summary>
                <ActionForm action=delete attr:class="confirm-body">
                    <p>"All files in it are deleted, with their versions and what is in its bin, and what its agents remember for it. This cannot be undone."</p>
                    <input type="hidden" name="id" value=deleted/>
                    <button type="submit" class="button" data-kind="danger">"Delete for good"</button>
                </ActionForm>
            </details>
        </Section>
    }
}
