//! One file: what is in it, what it was before, and what can be done with it.

use super::folder_in_path;
use super::given::Links;
use super::hand_on::{HandOn, Other};
use super::preview::Preview;
use super::tree::above;
use super::words::{BY_STRANGERS, agents_md_words, author, leaving_words, workspace_md_words, written_by};
use crate::AppError;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::conversations::InConversation;
use crate::files::api::{
    CopyFile, DeleteFile, RenameFile, RestoreFile, files_leaving_bin, get_folder, list_given_links, view_file,
};
use crate::files::{part_address, size};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, FormAction, Icon, PageTitle, Section, Table, When, kept_each,
};
use crate::workspaces::api::list_workspaces;
use leptos_router::hooks::use_query_map;
use protocol::files::{AGENTS_MD, FileDetail, FileVersion, FolderKind, FolderView, GivenLink};
use protocol::view::Me;
use protocol::{AgentId, FolderId};
use serde::{Deserialize, Serialize};

/// What a person does with a file.
#[derive(Clone, Copy)]
struct Actions {
    rename: FormAction<RenameFile>,
    delete: FormAction<DeleteFile>,
    restore: FormAction<RestoreFile>,
    copy: FormAction<CopyFile>,
    links: Links,
}

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    folder: FolderView,
    detail: FileDetail,
    others: Vec<Other>,
    given: Vec<GivenLink>,
    agents: Vec<AgentId>,
    /// Files that would leave the bin for good if this one were deleted.
    leaving: u64,
}

#[component]
pub fn FilePage() -> impl IntoView {
    let (id, query) = (folder_in_path(), use_query_map());
    let path = Memo::new(move |_| query.with(|query| query.get("path")).unwrap_or_default());
    let actions = Actions {
        rename: FormAction::new(),
        delete: FormAction::new(),
        restore: FormAction::new(),
        copy: FormAction::new(),
        links: Links::new(),
    };
    let version = move || actions.delete.version().get() + actions.restore.version().get();
    let shown = PageResource::new(move || (id.get(), path.get(), version()), |(id, path, _)| load(id, path));
    view! {
        <Loaded resource=shown view=move |data| view! { <File data actions/> }/>
    }
}

async fn load(id: FolderId, path: String) -> Result<PageData, AppError> {
    let about =
        async { Ok::<_, AppError>(together!(me(), get_folder(id.clone().into()), list_given_links())) };
    let detail = view_file(id.clone().into(), path);
    let (about, detail, all, workspaces) = together!(about, detail, list_agents(), list_workspaces());
    let (me, folder, given) = about;
    let agents = all.iter().map(|agent| agent.id.clone()).collect();
    let those = all.into_iter().map(|agent| Other { id: (&agent.id).into(), name: agent.name });
    let workspaces = workspaces.into_iter();
    let workspaces =
        workspaces.map(|each| Other { id: each.id, name: say!("{name} (workspace)", name = each.name) });
    let others = those.chain(workspaces).filter(|other| other.id != id).collect();
    let leaving = match &detail.file {
        Some(file) => files_leaving_bin(id.clone().into(), 1, file.size).await?,
        None => 0,
    };
    Ok(PageData { me, folder, detail, others, given, agents, leaving })
}

#[component]
fn File(data: PageData, actions: Actions) -> impl IntoView {
    let PageData { me, folder, detail, others, given, agents, leaving } = data;
    actions.links.follow(given, agents);
    let (id, name, back) =
        (folder.id.clone(), folder.name.clone(), part_address(&folder, above(&detail.path)));
    let FileDetail { path, file, preview, versions } = detail;
    let facts = match &file {
        Some(file) => {
            let words = format!("{}, {} ", size(file.size), written_by(file.author.as_ref(), &folder));
            view! { <p>{words} <When at=file.at/></p> }.into_any()
        }
        None => view! { <p>"It was deleted. Any of its versions brings it back."</p> }.into_any(),
    };
    let agents_md = file.as_ref().filter(|file| file.path == AGENTS_MD).map(|file| {
        let words = match folder.kind {
            FolderKind::Agent => agents_md_words(file.author.as_ref(), &name),
            FolderKind::Workspace => workspace_md_words(file.author.as_ref()).to_owned(),
        };
        view! { <div class="banner" role="note"><Icon name="file"/><p class="banner-text">{words}</p></div> }
    });
    let by_strangers = file.as_ref().filter(|file| file.untrusted).map(|_| {
        view! { <div class="banner" role="note"><Icon name="warn"/><p class="banner-text">{t(BY_STRANGERS)}</p></div> }
    });
    let download = file.as_ref().map(|file| {
        view! { <a class="button" data-kind="primary" href=file.url.clone() download rel="external">"Download"</a> }
    });
    let in_folder = folder.clone();
    let shown = file.clone().map(|file| {
        view! {
            <Section id="contents" title="Contents"><Preview file preview folder=in_folder/></Section>
        }
    });
    let newest = file.as_ref().map(|file| file.version);
    let change =
        file.is_some().then(|| view! { <Change folder=id.clone() path=path.clone() leaving actions/> });
    let hand_on = file.is_some().then(|| {
        let (folder, path) = (folder.clone(), path.clone());
        view! { <HandOn folder path others links=actions.links copy=actions.copy/> }
    });
    let (of, at_path) = (folder, path.clone());
    let versions = versions.into_iter().map(|version| (Some(version.version) == newest, version)).collect();
    let rows = kept_each(versions, move |(is_newest, version)| {
        view! {
            <Version folder=of.clone() path=at_path.clone() version is_newest restore=actions.restore/>
        }
    });
    view! {
        <PageTitle text={say!("{path}, a file of {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1 class="file-path">{path}</h1>
                    {facts}
                    <p class="actions">{download} <a class="button" href=back>"Files beside it"</a></p>
                </header>
                {agents_md}
                {by_strangers}
                {shown}
                {hand_on}
                {change}
                <Section id="versions" title="Versions" lead="Every change, the newest first. Restoring one makes it the newest.">
                    <ActionFailure value=actions.restore.value()/>
                    <Table columns=["Version", "Size", "When", "By", ACTIONS] rows=rows.into_any()/>
                </Section>
            </div>
        </Shell>
    }
}

#[component]
fn Change(folder: FolderId, path: String, leaving: u64, actions: Actions) -> impl IntoView {
    let (renamed, deleted) = (fields(&folder, &path), fields(&folder, &path));
    let told = (leaving > 0).then(|| {
        view! {
            <p>{leaving_words(leaving)}</p>
            <input type="hidden" name="sure" value="true"/>
        }
    });
    view! {
        <Section id="change" title="Move or delete">
            <ActionFailure value=actions.rename.value()/>
            <ActionFailure value=actions.delete.value()/>
            <ActionForm action=actions.rename attr:class="field-row">
                {renamed}
                <input class="input" name="to" required maxlength="512" autocomplete="off" value=path aria-label="Its new path"/>
                <button type="submit" class="button">"Move"</button>
            </ActionForm>
            <ActionForm action=actions.delete>
                {deleted}
                {told}
                <button type="submit" class="button" data-kind="danger">"Delete"</button>
            </ActionForm>
        </Section>
    }
}

#[component]
fn Version(
    folder: FolderView,
    path: String,
    version: FileVersion,
    is_newest: bool,
    restore: FormAction<RestoreFile>,
) -> impl IntoView {
    let FileVersion { version, size: bytes, at, author: by, conversation, .. } = version;
    let written_by = author(by.as_ref(), &folder);
    let end = match bytes {
        Some(_) if is_newest => view! { <span class="chip" data-kind="here">"Now"</span> }.into_any(),
        Some(_) => view! {
            <ActionForm action=restore>
                {fields(&folder.id, &path)}
                <input type="hidden" name="version" value=version.to_string()/>
                <button type="submit" class="button" data-kind="quiet" aria-label={say!("Restore version {version}")}>"Restore"</button>
            </ActionForm>
        }
        .into_any(),
        None => ().into_any(),
    };
    view! {
        <tr>
            <td class="num">{version.to_string()}</td>
            <td data-label="Size" class="num">{bytes.map_or_else(|| t("Deleted").to_owned(), size)}</td>
            <td data-label="When"><When at/></td>
            <td data-label="By">{written_by} <InConversation conversation/></td>
            <td class="list-end">{end}</td>
        </tr>
    }
}

/// Which file a form is about.
pub(super) fn fields(folder: &FolderId, path: &str) -> impl IntoView + use<> {
    view! {
        <input type="hidden" name="folder" value=folder.0.clone()/>
        <input type="hidden" name="path" value=path.to_owned()/>
    }
}
