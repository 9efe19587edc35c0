//! All workspaces, and the form for another one.

use super::api::{CreateWorkspace, list_workspaces};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::files::size;
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ActionFailure, ActionForm, Done, Field, FormAction, PageTitle, Section, Table, hint_id, kept_each,
};
use protocol::files::WorkspaceView;
use protocol::view::Me;

#[component]
pub fn WorkspacesPage() -> impl IntoView {
    let create = FormAction::<CreateWorkspace>::new();
    let known = PageResource::new(|| (), |()| load());
    view! {
        <PageTitle text="Workspaces".to_owned()/>
        <Loaded resource=known view=move |(me, workspaces): (Me, Vec<WorkspaceView>)| view! {
            <Shell me>
                <div class="settings">
                    <header class="section-head">
                        <h1>"Workspaces"</h1>
                        <p>"A workspace is a folder that several of your agents share. You give it to an agent on the page of that agent\u{2019}s files; then it is there as " <code>{"/workspace"}</code> "."</p>
                    </header>
                    <Done what="deleted" words="The workspace is deleted."/>
                    <All workspaces/>
                    <Create create/>
                </div>
            </Shell>
        }/>
    }
}

async fn load() -> Result<(Me, Vec<WorkspaceView>), AppError> {
    Ok(together!(me(), list_workspaces()))
}

#[component]
fn All(workspaces: Vec<WorkspaceView>) -> impl IntoView {
    let body = if workspaces.is_empty() {
        view! { <p class="empty" data-size="small"><span>"No workspace yet. A workspace is a folder that several agents share: make one below, then give it to agents on the pages of their files."</span></p> }.into_any()
    } else {
        let rows = kept_each(workspaces, |workspace| view! { <Row workspace/> });
        view! { <Table columns=["Workspace", "Files", "Size", "Agents"] rows=rows.into_any()/> }.into_any()
    };
    view! { <Section id="workspaces" title="Your workspaces">{body}</Section> }
}

#[component]
fn Row(workspace: WorkspaceView) -> impl IntoView {
    let WorkspaceView { id, name, files, size: bytes, agents } = workspace;
    let agents = match agents.as_slice() {
        [] => t("None").to_owned(),
        agents => agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", "),
    };
    view! {
        <tr>
            <td><a href=format!("/workspaces/{id}/files")>{name}</a></td>
            <td data-label="Files" class="num">{files}</td>
            <td data-label="Size" class="num">{size(bytes)}</td>
            <td data-label="Agents">{agents}</td>
        </tr>
    }
}

#[component]
fn Create(create: FormAction<CreateWorkspace>) -> impl IntoView {
    view! {
        <Section id="create" title="Another workspace">
            <ActionFailure value=create.value()/>
            <ActionForm action=create attr:class="form">
                <Field id="workspace-name" label="Name" hint="What is worked on in it.">
                    <input class="input" id="workspace-name" name="name" required maxlength="60" autocomplete="off" placeholder="Garden plan" aria-describedby=hint_id("workspace-name")/>
                </Field>
                <div class="form-end"><button type="submit" class="button" data-kind="primary">"Make the workspace"</button></div>
            </ActionForm>
        </Section>
    }
}
