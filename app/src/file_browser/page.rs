//! All files of an agent, and those that were deleted.

use super::words::{author, size};
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::{Loaded, Shell};
use crate::files::address;
use crate::files::api::{DeleteFile, RestoreFile, list_deleted_files, list_files};
use crate::session::me;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Field, FormAction, PageTitle, Section, Table, When, hint_id,
    kept_each,
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use protocol::AgentId;
use protocol::files::{DeletedFile, FileView};
use protocol::view::{AgentView, Me};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    files: Vec<FileView>,
    deleted: Vec<DeletedFile>,
}

#[component]
pub fn FilesPage() -> impl IntoView {
    let id = agent_in_path();
    let (delete, restore) = (FormAction::<DeleteFile>::new(), FormAction::<RestoreFile>::new());
    let shown = Resource::new_blocking(
        move || (id.get(), delete.version().get(), restore.version().get()),
        |(id, ..)| load(id),
    );
    view! { <Loaded resource=shown view=move |data| view! { <Files data delete restore/> }/> }
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let (files, deleted) = (list_files(id.clone()).await?, list_deleted_files(id.clone()).await?);
    Ok(PageData { me: me().await?, agent: get_agent(id).await?, files, deleted })
}

#[component]
fn Files(data: PageData, delete: FormAction<DeleteFile>, restore: FormAction<RestoreFile>) -> impl IntoView {
    let PageData { me, agent: AgentView { id, name, .. }, files, deleted } = data;
    let none = files.is_empty().then(|| view! {
        <p class="empty" data-size="small"><span>"No files yet. " {name.clone()} " writes some when you ask it to, and you can upload your own."</span></p>
    });
    let (agent, by) = (id.clone(), name.clone());
    let rows = kept_each(files, move |file| view! { <Row agent=agent.clone() name=by.clone() file delete/> });
    let table = none.is_none().then(|| {
        view! {
            <Table columns=vec!["File", "Size", "Written", "By", ACTIONS] rows=rows.into_any()/>
        }
    });
    let back = format!("/agents/{id}");
    view! {
        <PageTitle text=format!("Files of {name}")/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Files of " {name.clone()}</h1>
                    <p>"What it keeps under " <code>"/agent"</code> ". Every change is kept as a version; what is deleted can be restored for 30 days."</p>
                    <p class="actions"><a class="button" href=back>"Back to " {name}</a></p>
                </header>
                <Section id="files" title="Files">
                    <ActionFailure value=delete.value()/>
                    {none}
                    {table}
                </Section>
                <Upload agent=id.clone()/>
                <Bin agent=id deleted restore/>
            </div>
        </Shell>
    }
}

#[component]
fn Row(agent: AgentId, name: String, file: FileView, delete: FormAction<DeleteFile>) -> impl IntoView {
    let FileView { path, size: bytes, at, author: by, url, .. } = file;
    let (page, label) = (address(&agent, &path), format!("Delete {path}"));
    let download = format!("Download {path}");
    view! {
        <tr>
            <td class="file-path"><a href=page>{path.clone()}</a></td>
            <td data-label="Size" class="num">{size(bytes)}</td>
            <td data-label="Written"><When at/></td>
            <td data-label="By">{author(by.as_ref(), &name)}</td>
            <td class="list-end">
                <div class="actions">
                    <a class="button" data-kind="quiet" href=url download rel="external" aria-label=download>"Download"</a>
                    <ActionForm action=delete>
                        <input type="hidden" name="agent" value=agent.0/>
                        <input type="hidden" name="path" value=path/>
                        <button type="submit" class="button" data-kind="quiet" aria-label=label>"Delete"</button>
                    </ActionForm>
                </div>
            </td>
        </tr>
    }
}

/// A form for files of the person's.
#[component]
fn Upload(agent: AgentId) -> impl IntoView {
    let query = use_query_map();
    let refused = query.with_untracked(|query| {
        let words = if query.get_str("too-large").is_some() {
            "A file can have 5 MB, and all files together 50 MB."
        } else if query.get_str("no-file").is_some() {
            "Choose a file first. A folder has no backslash, no colon and no part that leads up."
        } else {
            return None;
        };
        Some(view! { <p class="banner" data-kind="error" role="alert"><span class="banner-text">{words}</span></p> })
    });
    view! {
        <Section id="upload" title="Upload files" lead="What has the same path is replaced, and stays as its earlier version.">
            {refused}
            <form method="post" action="/files" enctype="multipart/form-data" class="form">
                <input type="hidden" name="agent" value=agent.0/>
                <Field id="upload-folder" label="Folder" hint="Left empty, they stand beside all folders.">
                    <input class="input" id="upload-folder" name="folder" maxlength="200" autocomplete="off" placeholder="notes" aria-describedby=hint_id("upload-folder")/>
                </Field>
                <div class="field-row">
                    <input class="input" type="file" name="file" multiple required aria-label="Files"/>
                    <button type="submit" class="button" data-kind="primary">"Upload"</button>
                </div>
            </form>
        </Section>
    }
}

#[component]
fn Bin(agent: AgentId, deleted: Vec<DeletedFile>, restore: FormAction<RestoreFile>) -> impl IntoView {
    let is_empty = deleted.is_empty();
    let rows = kept_each(deleted, move |file| {
        let DeletedFile { path, version, size: bytes, at } = file;
        let (page, label) = (address(&agent, &path), format!("Restore {path}"));
        let agent = agent.0.clone();
        view! {
            <tr>
                <td class="file-path"><a href=page>{path.clone()}</a></td>
                <td data-label="Size" class="num">{size(bytes)}</td>
                <td data-label="Deleted"><When at/></td>
                <td class="list-end">
                    <ActionForm action=restore>
                        <input type="hidden" name="agent" value=agent/>
                        <input type="hidden" name="path" value=path/>
                        <input type="hidden" name="version" value=version.to_string()/>
                        <button type="submit" class="button" data-kind="quiet" aria-label=label>"Restore"</button>
                    </ActionForm>
                </td>
            </tr>
        }
    });
    let table = (!is_empty)
        .then(|| view! { <Table columns=vec!["File", "Size", "Deleted", ACTIONS] rows=rows.into_any()/> });
    let none =
        is_empty.then(|| view! { <p class="empty" data-size="small"><span>"The bin is empty."</span></p> });
    view! {
        <Section id="bin" title="Bin" lead="What was deleted within the last 30 days.">
            <ActionFailure value=restore.value()/>
            {none}
            {table}
        </Section>
    }
}
