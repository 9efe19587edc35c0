//! All files of a folder, and those that were deleted: of an agent with the workspace that it has, of a workspace
//! with what is done with it as a whole.

use super::device::OnThisDevice;
use super::folder_in_path;
use super::listing::{FilesAsked, Find, More, SHOWN, asked};
use super::words::author;
use crate::AppError;
use crate::chrome::{Loaded, Shell};
use crate::files::api::{DeleteFile, RestoreFile, get_folder, list_deleted_files, list_files};
use crate::files::{address, size};
use crate::session::me;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Field, FormAction, PageTitle, Section, Table, When, hint_id,
    kept_each,
};
use crate::workspaces::api::{
    DeleteWorkspace, GiveWorkspace, RenameWorkspace, get_agent_workspace, list_workspaces,
};
use crate::workspaces::{ChooseWorkspace, ManageWorkspace};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use protocol::files::{DeletedFile, FileView, FolderKind, FolderView, WorkspaceView};
use protocol::view::Me;
use protocol::{AgentId, FolderId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    folder: FolderView,
    files: Vec<FileView>,
    /// There are files behind these.
    has_more: bool,
    deleted: Vec<DeletedFile>,
    workspaces: Vec<WorkspaceView>,
    /// The one that the agent has whose folder it is.
    given: Option<FolderId>,
}

/// What a person does with a folder.
#[derive(Clone, Copy)]
struct Actions {
    delete: FormAction<DeleteFile>,
    restore: FormAction<RestoreFile>,
    give: FormAction<GiveWorkspace>,
    rename: FormAction<RenameWorkspace>,
    delete_all: FormAction<DeleteWorkspace>,
}

#[component]
pub fn FilesPage() -> impl IntoView {
    let id = folder_in_path();
    let actions = Actions {
        delete: FormAction::new(),
        restore: FormAction::new(),
        give: FormAction::new(),
        rename: FormAction::new(),
        delete_all: FormAction::new(),
    };
    let Actions { delete, restore, give, rename, .. } = actions;
    let version = move || {
        (delete.version().get(), restore.version().get(), give.version().get(), rename.version().get())
    };
    let asked = asked();
    let shown =
        Resource::new_blocking(move || (id.get(), asked.get(), version()), |(id, asked, _)| load(id, asked));
    view! {
        <Loaded resource=shown view=move |data| view! { <Files data asked=asked.get_untracked() actions/> }/>
    }
}

async fn load(id: FolderId, asked: FilesAsked) -> Result<PageData, AppError> {
    let folder = get_folder(id.clone().into()).await?;
    let FilesAsked { find, after } = asked;
    let mut files = list_files(id.clone().into(), Some(after), Some(find), Some(SHOWN + 1)).await?;
    let has_more = files.len() > SHOWN;
    files.truncate(SHOWN);
    // One more than is shown says that there are more.
    let deleted = list_deleted_files(id.clone().into(), Some(SHOWN + 1)).await?;
    let given = match folder.kind {
        FolderKind::Agent => get_agent_workspace(AgentId(id.0)).await?,
        FolderKind::Workspace => None,
    };
    let workspaces = list_workspaces().await?;
    Ok(PageData { me: me().await?, folder, files, has_more, deleted, workspaces, given })
}

#[component]
fn Files(data: PageData, asked: FilesAsked, actions: Actions) -> impl IntoView {
    let PageData { me, folder, files, has_more, deleted, workspaces, given } = data;
    let Actions { delete, restore, give, rename, delete_all } = actions;
    let (id, name) = (folder.id.clone(), folder.name.clone());
    let (lead, back, whose) = match folder.kind {
        FolderKind::Agent => (
            view! { <p>"What it keeps under " <code>"/agent"</code> ". Every change is kept as a version; what is deleted can be restored for 30 days."</p> }.into_any(),
            (format!("/agents/{id}"), format!("Back to {name}")),
            view! { <ChooseWorkspace agent=id.clone() workspaces given give/> }.into_any(),
        ),
        FolderKind::Workspace => (
            view! { <p>"What your agents share under " <code>"/workspace"</code> ". Every change is kept as a version; what is deleted can be restored for 30 days."</p> }.into_any(),
            ("/workspaces".to_owned(), "All workspaces".to_owned()),
            workspaces
                .into_iter()
                .find(|each| each.id == id)
                .map(|workspace| view! { <ManageWorkspace workspace rename delete=delete_all/> })
                .into_any(),
        ),
    };
    let on_device = (folder.kind == FolderKind::Agent)
        .then(|| view! { <OnThisDevice agent=AgentId(id.0.clone()) name=name.clone()/> });
    let none = files.is_empty().then(|| {
        let words = match folder.kind {
            _ if asked != FilesAsked::default() => "No file here has that in its path.".to_owned(),
            FolderKind::Agent => {
                format!("No files yet. {name} writes some when you ask it to, and you can upload your own.")
            }
            FolderKind::Workspace => {
                "No files yet. Agents that have this workspace write some, and you can upload your own."
                    .to_owned()
            }
        };
        view! { <p class="empty" data-size="small"><span>{words}</span></p> }
    });
    let last = files.last().map(|file| file.path.clone()).filter(|_| has_more);
    let (of, find) = (folder.clone(), asked.find.clone());
    let more = last.map(|last| view! { <More folder=folder.clone() find last/> });
    let field = view! { <Find folder=folder.clone() asked/> };
    let rows = kept_each(files, move |file| view! { <Row folder=of.clone() file delete/> });
    let table = none.is_none().then(|| {
        view! {
            <Table columns=vec!["File", "Size", "Written", "By", ACTIONS] rows=rows.into_any()/>
        }
    });
    view! {
        <PageTitle text=format!("Files of {name}")/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Files of " {name}</h1>
                    {lead}
                    <p class="actions"><a class="button" href=back.0>{back.1}</a></p>
                </header>
                <Section id="files" title="Files">
                    <ActionFailure value=delete.value()/>
                    {field}
                    {none}
                    {table}
                    {more}
                </Section>
                <Upload folder=folder.clone()/>
                {whose}
                {on_device}
                <Bin folder deleted restore/>
            </div>
        </Shell>
    }
}

#[component]
fn Row(folder: FolderView, file: FileView, delete: FormAction<DeleteFile>) -> impl IntoView {
    let FileView { path, size: bytes, at, author: by, url, untrusted, .. } = file;
    let mark = untrusted.then(|| view! { <p class="field-hint">"May hold words of strangers"</p> });
    let (page, label) = (address(&folder.id, folder.kind, &path), format!("Delete {path}"));
    let download = format!("Download {path}");
    view! {
        <tr>
            <td class="file-path"><a href=page>{path.clone()}</a>{mark}</td>
            <td data-label="Size" class="num">{size(bytes)}</td>
            <td data-label="Written"><When at/></td>
            <td data-label="By">{author(by.as_ref(), &folder)}</td>
            <td class="list-end">
                <div class="actions">
                    <a class="button" data-kind="quiet" href=url download rel="external" aria-label=download>"Download"</a>
                    <ActionForm action=delete>
                        <input type="hidden" name="folder" value=folder.id.0/>
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
fn Upload(folder: FolderView) -> impl IntoView {
    let field = match folder.kind {
        FolderKind::Agent => "agent",
        FolderKind::Workspace => "workspace",
    };
    let query = use_query_map();
    let refused = query.with_untracked(|query| {
        let words = if query.get_str("too-large").is_some() {
            "A file can have 5 MB, and all files together 50 MB; a folder has 20,000 files at most."
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
                <input type="hidden" name=field value=folder.id.0/>
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
fn Bin(folder: FolderView, mut deleted: Vec<DeletedFile>, restore: FormAction<RestoreFile>) -> impl IntoView {
    let is_empty = deleted.is_empty();
    let more = (deleted.len() > SHOWN).then(|| {
        view! { <p class="field-hint">"There are more than these. What a call deleted comes back at once where it stands in the conversation; others are on the page of their path."</p> }
    });
    deleted.truncate(SHOWN);
    let rows = kept_each(deleted, move |file| {
        let DeletedFile { path, version, size: bytes, at } = file;
        let (page, label) = (address(&folder.id, folder.kind, &path), format!("Restore {path}"));
        let folder = folder.id.0.clone();
        view! {
            <tr>
                <td class="file-path"><a href=page>{path.clone()}</a></td>
                <td data-label="Size" class="num">{size(bytes)}</td>
                <td data-label="Deleted"><When at/></td>
                <td class="list-end">
                    <ActionForm action=restore>
                        <input type="hidden" name="folder" value=folder/>
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
            {more}
        </Section>
    }
}
