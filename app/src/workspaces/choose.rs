//! Which workspace an agent has: a form on the page of its files.

use super::api::GiveWorkspace;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Section};
use protocol::FolderId;
use protocol::files::WorkspaceView;

#[component]
pub fn ChooseWorkspace(
    agent: FolderId,
    workspaces: Vec<WorkspaceView>,
    given: Option<FolderId>,
    give: FormAction<GiveWorkspace>,
) -> impl IntoView {
    let open = given.clone().map(|id| {
        view! { <a class="button" data-kind="quiet" href=format!("/workspaces/{id}/files")>"Open its files"</a> }
    });
    let form = if workspaces.is_empty() {
        view! { <p class="empty" data-size="small"><span>"You have made no workspace yet."</span></p> }
            .into_any()
    } else {
        let options = workspaces
            .into_iter()
            .map(|each| {
                let is_given = given.as_ref() == Some(&each.id);
                view! { <option value=each.id.0 selected=is_given>{each.name}</option> }
            })
            .collect_view();
        view! {
            <ActionForm action=give attr:class="field-row">
                <input type="hidden" name="agent" value=agent.0/>
                <select class="input" name="workspace" aria-label="Its workspace">
                    <option value="" selected=given.is_none()>"None"</option>
                    {options}
                </select>
                <button type="submit" class="button">"Set its workspace"</button>
            </ActionForm>
        }
        .into_any()
    };
    view! {
        <Section
            id="workspace"
            title="Workspace"
            lead="A folder that it shares with other agents of yours, as /workspace. Each reads what the others write there."
        >
            <Done what="workspace" words="Its workspace is set."/>
            <ActionFailure value=give.value()/>
            {form}
            <p class="actions">{open} <a class="button" data-kind="quiet" href="/workspaces">"Your workspaces"</a></p>
        </Section>
    }
}
