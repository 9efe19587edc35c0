//! The files of a folder as a tree, and those that were deleted: of an agent with the workspace that it has, of a
//! workspace with what is done with it as a whole.

use super::bar::{Bar, ToldLast};
use super::bin::Bin;
use super::crumbs::Crumbs;
use super::device::OnThisDevice;
use super::dropping::DropPlace;
use super::folder_in_path;
use super::following::follow;
use super::given::{All, Links};
use super::hand_on::Other;
use super::listing::{FilesAsked, Find, asked};
use super::of_servers::{Mounts, OfServers};
use super::rows::{More, Rows};
use super::tree::{PART, Tree, found};
use super::uploading::Upload;
use super::uploads::{UploadedFiles, Uploads};
use crate::AppError;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::files::api::{RestoreFile, get_folder, get_folder_part, list_deleted_files, list_given_links};
use crate::mcp_servers::api::{MountMcpServer, UnmountMcpServer};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{FormAction, PageTitle, Section};
use crate::workspaces::api::{
    DeleteWorkspace, GiveWorkspace, RenameWorkspace, get_agent_workspace, list_workspaces,
};
use crate::workspaces::{ChooseWorkspace, ManageWorkspace};
use protocol::files::{DeletedFile, FolderKind, FolderPart, FolderView, GivenLink, WorkspaceView};
use protocol::view::Me;
use protocol::{AgentId, FolderId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    folder: FolderView,
    part: FolderPart,
    deleted: Vec<DeletedFile>,
    workspaces: Vec<WorkspaceView>,
    /// The one that the agent has whose folder it is.
    has_workspace: Option<FolderId>,
    mounts: Option<Mounts>,
    uploads: Option<Uploads>,
    /// Where copies may go, this folder first.
    others: Vec<Other>,
    /// Agents that write here, and up to where their logs are known.
    writers: Vec<(AgentId, u64)>,
    given: Vec<GivenLink>,
    agents: Vec<AgentId>,
}

/// What a person does with a folder as a whole.
#[derive(Clone, Copy)]
struct Actions {
    restore: FormAction<RestoreFile>,
    give: FormAction<GiveWorkspace>,
    rename: FormAction<RenameWorkspace>,
    delete_all: FormAction<DeleteWorkspace>,
    mount: FormAction<MountMcpServer>,
    unmount: FormAction<UnmountMcpServer>,
    links: Links,
}

#[component]
pub fn FilesPage() -> impl IntoView {
    let id = folder_in_path();
    let actions = Actions {
        restore: FormAction::new(),
        give: FormAction::new(),
        rename: FormAction::new(),
        delete_all: FormAction::new(),
        mount: FormAction::new(),
        unmount: FormAction::new(),
        links: Links::new(),
    };
    let Actions { give, rename, mount, unmount, .. } = actions;
    let version = move || {
        let mounts = (mount.version().get(), unmount.version().get());
        (give.version().get(), rename.version().get(), mounts)
    };
    let asked = asked();
    let shown =
        PageResource::new(move || (id.get(), asked.get(), version()), |(id, asked, _)| load(id, asked));
    view! {
        <Loaded resource=shown view=move |data| view! { <Files data asked=asked.get_untracked() actions/> }/>
    }
}

async fn load(id: FolderId, asked: FilesAsked) -> Result<PageData, AppError> {
    let about = async { Ok::<_, AppError>(together!(list_workspaces(), list_agents(), list_given_links())) };
    let deleted = list_deleted_files(id.clone().into(), Some(PART + 1));
    let (me, folder, deleted, about) = together!(me(), get_folder(id.clone().into()), deleted, about);
    let (workspaces, agents, given) = about;
    let FilesAsked { within, find, after, mount, file, upload } = asked;
    let part = match find.is_empty() {
        true => get_folder_part(id.clone().into(), Some(within), Some(after), Some(PART)).await?,
        false => found(id.clone(), Some(after), find, PART).await?,
    };
    let (has_workspace, mounts, uploads) = match folder.kind {
        FolderKind::Agent => {
            let agent = AgentId(id.0.clone());
            let uploads = Uploads::load(agent.clone(), upload);
            let (has, uploads) = together!(get_agent_workspace(agent.clone()), uploads);
            (has, Some(Mounts::load(agent, &mount, file).await?), Some(uploads))
        }
        FolderKind::Workspace => (None, None, None),
    };
    let has = |agent: &AgentId| match folder.kind {
        FolderKind::Agent => agent.0 == id.0,
        FolderKind::Workspace => {
            let with = workspaces.iter().filter(|each| each.id == id).flat_map(|each| &each.agents);
            with.into_iter().any(|with| with.id == *agent)
        }
    };
    let writers =
        agents.iter().filter(|agent| has(&agent.id)).map(|agent| (agent.id.clone(), agent.seq)).collect();
    let all = agents.iter().map(|agent| agent.id.clone()).collect();
    let mut others: Vec<Other> =
        agents.into_iter().map(|agent| Other { id: (&agent.id).into(), name: agent.name }).collect();
    others.extend(
        workspaces
            .iter()
            .map(|each| Other { id: each.id.clone(), name: say!("{name} (workspace)", name = each.name) }),
    );
    others.sort_by_key(|other| other.id != id);
    Ok(PageData {
        me,
        folder,
        part,
        deleted,
        workspaces,
        has_workspace,
        mounts,
        uploads,
        others,
        writers,
        given,
        agents: all,
    })
}

#[component]
fn Files(data: PageData, asked: FilesAsked, actions: Actions) -> impl IntoView {
    let PageData {
        me,
        folder,
        part,
        deleted,
        workspaces,
        has_workspace,
        mounts,
        uploads,
        others,
        writers,
        given,
        agents,
    } = data;
    let Actions { restore, give, rename, delete_all, mount, unmount, links } = actions;
    links.follow(given, agents);
    let (id, name) = (folder.id.clone(), folder.name.clone());
    let tree = Tree::new(folder.clone(), asked.within.clone(), asked.find.clone(), part);
    follow(tree, writers);
    let (lead, back, whose) = match folder.kind {
        FolderKind::Agent => (
            view! { <p>"What it keeps under " <code>{"/agent"}</code> ". Every change is kept as a version; what is deleted can be restored for 30 days."</p> }.into_any(),
            (format!("/agents/{id}"), say!("Back to {name}")),
            view! { <ChooseWorkspace agent=id.clone() workspaces given=has_workspace give/> }.into_any(),
        ),
        FolderKind::Workspace => (
            view! { <p>"What your agents share under " <code>{"/workspace"}</code> ". Every change is kept as a version; what is deleted can be restored for 30 days."</p> }.into_any(),
            ("/workspaces".to_owned(), t("All workspaces").to_owned()),
            workspaces
                .into_iter()
                .find(|each| each.id == id)
                .map(|workspace| view! { <ManageWorkspace workspace rename delete=delete_all/> })
                .into_any(),
        ),
    };
    let on_device = (folder.kind == FolderKind::Agent)
        .then(|| view! { <OnThisDevice agent=AgentId(id.0.clone()) name=name.clone()/> });
    let of_servers = mounts.map(|mounts| view! { <OfServers mounts mount unmount/> });
    let uploads = uploads.map(|uploads| view! { <UploadedFiles tree uploads/> });
    let heading = say!("Files of {name}");
    let none = none_words(&folder, &asked);
    let is_empty = Memo::new(move |_| tree.rows().is_empty());
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    {lead}
                    <p class="actions"><a class="button" href=back.0>{back.1}</a></p>
                </header>
                <Section id="files" title="Files">
                    <Find folder asked/>
                    <DropPlace tree>
                        <Crumbs tree/>
                        <Bar tree others/>
                        <ToldLast tree/>
                        <Show when=move || !is_empty.get() fallback=move || view! { <p class="empty" data-size="small"><span>{none.clone()}</span></p> }>
                            <Rows tree/>
                        </Show>
                        <More tree/>
                    </DropPlace>
                </Section>
                <Upload tree/>
                {uploads}
                {whose}
                {of_servers}
                {on_device}
                <Bin tree deleted restore/>
                <All links/>
            </div>
        </Shell>
    }
}

fn none_words(folder: &FolderView, asked: &FilesAsked) -> String {
    let name = &folder.name;
    match folder.kind {
        _ if !asked.find.is_empty() => t("No file here has that in its path.").to_owned(),
        _ if !asked.after.is_empty() => t("Nothing comes after this.").to_owned(),
        _ if !asked.within.is_empty() => {
            t("Nothing is in this folder. It is kept once a file is: upload some into it, or move some here.").to_owned()
        }
        FolderKind::Agent => {
            say!("No files yet. {name} writes some when you ask it to, and you can upload your own or drop them here.")
        }
        FolderKind::Workspace => {
            t("No files yet. Agents that have this workspace write some, and you can upload your own or drop them here.")
                .to_owned()
        }
    }
}
