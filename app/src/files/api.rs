//! The server functions of files and saved pages.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::archive::SavedSkin;
use protocol::files::{
    DeletedFile, FileDetail, FileOfCall, FileView, FilesChange, FolderPart, FolderView, GivenLink,
    UndoneCall, UploadContent, UploadView,
};
use protocol::{AgentId, CallId, ConversationId, FolderId, GivenLinkId};
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use super::words::{folder_address, part_address};
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use hub::{FileListing, MOST_LISTED, PartAsked};

/// Which folder is meant. An agent's own has the agent's id, and programs of before name it as `agent`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    #[serde(alias = "agent")]
    folder: FolderId,
}

impl From<FolderId> for Named {
    fn from(folder: FolderId) -> Self {
        Self { folder }
    }
}

/// Whose folder it is, and what it is called.
#[server(prefix = "/api", endpoint = "files/folder", protocol = Queried)]
pub async fn get_folder(#[server(flatten)] named: Named) -> Result<FolderView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().folder(&named.folder).await?)
}

/// Each with an address that opens it for a quarter of an hour: a thousand at most, behind the path `after`, in whose
/// paths `find` stands.
#[server(prefix = "/api", endpoint = "files/list", protocol = Queried)]
pub async fn list_files(
    #[server(flatten)] named: Named,
    after: Option<String>,
    find: Option<String>,
    limit: Option<usize>,
) -> Result<Vec<FileView>, AppError> {
    let viewer = viewer()?;
    let listing =
        FileListing { after: after.unwrap_or_default(), find: find.unwrap_or_default(), most: limit };
    Ok(hub().for_viewer(&viewer).files().list(&named.folder, &listing).await?)
}

/// What stands directly in a folder, which is empty for beside all folders: folders, and files with addresses as in
/// the list, a thousand at most, behind `after`.
#[server(prefix = "/api", endpoint = "files/part", protocol = Queried)]
pub async fn get_folder_part(
    #[server(flatten)] named: Named,
    within: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
) -> Result<FolderPart, AppError> {
    let viewer = viewer()?;
    let asked =
        PartAsked { within: within.unwrap_or_default(), after: after.unwrap_or_default(), most: limit };
    Ok(hub().for_viewer(&viewer).files().part(&named.folder, &asked).await?)
}

/// A file with its versions and the beginning of what is in it, or what is left of one that was deleted.
#[server(prefix = "/api", endpoint = "files/view", protocol = Queried)]
pub async fn view_file(#[server(flatten)] named: Named, path: String) -> Result<FileDetail, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().detail(&named.folder, &path).await?)
}

/// What can be brought back, deleted last first: a thousand at most.
#[server(prefix = "/api", endpoint = "files/deleted", protocol = Queried)]
pub async fn list_deleted_files(
    #[server(flatten)] named: Named,
    limit: Option<usize>,
) -> Result<Vec<DeletedFile>, AppError> {
    let viewer = viewer()?;
    let most = limit.unwrap_or(MOST_LISTED).min(MOST_LISTED);
    Ok(hub().for_viewer(&viewer).files().deleted(&named.folder, most).await?)
}

/// Gives the file another path, where nothing may be.
#[server(prefix = "/api", endpoint = "files/rename", protocol = Posted)]
pub async fn rename_file(#[server(flatten)] named: Named, path: String, to: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let files = hub.for_viewer(&viewer).files();
    files.rename(&named.folder, &path, &to).await?;
    crate::context::redirect(&folder_address(&files.folder(&named.folder).await?));
    Ok(())
}

/// Puts a copy into another of the viewer's folders, under the same path, where nothing may be.
#[server(prefix = "/api", endpoint = "files/copy_to", protocol = Posted)]
pub async fn copy_file(#[server(flatten)] named: Named, path: String, to: FolderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let files = hub.for_viewer(&viewer).files();
    files.copy_to(&named.folder, &path, &to).await?;
    crate::context::redirect(&folder_address(&files.folder(&to).await?));
    Ok(())
}

/// Path and query of an address that opens the file as it is now for whoever has it, for 1 to 168 hours.
#[server(prefix = "/api", endpoint = "files/share", protocol = Posted)]
pub async fn share_file(
    #[server(flatten)] named: Named,
    path: String,
    hours: u64,
) -> Result<String, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().share(&named.folder, &path, hours).await?)
}

/// Addresses of files that the viewer gave away and that are not over, given last first, of all their folders.
#[server(prefix = "/api", endpoint = "files/given", protocol = Queried)]
pub async fn list_given_links() -> Result<Vec<GivenLink>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().given_links().await?)
}

/// Nobody opens the file with this address any more.
#[server(prefix = "/api", endpoint = "files/take_back", protocol = Posted)]
pub async fn take_link_back(id: GivenLinkId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().take_back(&id).await?;
    Ok(())
}

/// The same for all addresses of files that the viewer gave away.
#[server(prefix = "/api", endpoint = "files/take_all_back", protocol = Posted)]
pub async fn take_all_links_back() -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().take_all_back().await?;
    Ok(())
}

/// How many files would leave the bin for good, if so many of so many bytes together were deleted now.
#[server(prefix = "/api", endpoint = "files/leaving_bin", protocol = Queried)]
pub async fn files_leaving_bin(
    #[server(flatten)] named: Named,
    files: u64,
    bytes: u64,
) -> Result<u64, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().leaving_bin(&named.folder, files, bytes).await?)
}

/// Puts the file into the bin, from which it comes back for 30 days. Where others would leave the bin for good, only
/// for who is `sure`.
#[server(prefix = "/api", endpoint = "files/delete", protocol = Posted)]
pub async fn delete_file(
    #[server(flatten)] named: Named,
    path: String,
    #[server(default)] sure: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let files = hub.for_viewer(&viewer).files();
    if !sure {
        files.require_room_in_bin(&named.folder, std::slice::from_ref(&path)).await?;
    }
    files.delete(&named.folder, &path).await?;
    Ok(())
}

/// Makes this version the newest.
#[server(prefix = "/api", endpoint = "files/restore", protocol = Posted)]
pub async fn restore_file(
    #[server(flatten)] named: Named,
    path: String,
    version: u64,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().restore(&named.folder, &path, version).await?;
    Ok(())
}

/// Takes back the change that made this version, as long as it is the last one.
#[server(prefix = "/api", endpoint = "files/undo", protocol = Posted)]
pub async fn undo_file(#[server(flatten)] named: Named, path: String, version: u64) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().undo(&named.folder, &path, version).await?;
    Ok(())
}

/// Puts files, and whole folders (paths that end with `/`), into the bin. Where others would leave the bin for good,
/// only for who is `sure`.
#[server(prefix = "/api", endpoint = "files/delete_chosen", protocol = Posted)]
pub async fn delete_chosen(
    #[server(flatten)] named: Named,
    #[server(default)] paths: Vec<String>,
    #[server(default)] sure: bool,
) -> Result<FilesChange, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let files = hub.for_viewer(&viewer).files();
    if !sure {
        files.require_room_in_bin(&named.folder, &paths).await?;
    }
    Ok(files.delete_chosen(&named.folder, &paths).await?)
}

/// Moves files and whole folders into another one, which is empty for beside all folders. A single one can be given
/// another name.
#[server(prefix = "/api", endpoint = "files/move_chosen", protocol = Posted)]
pub async fn move_chosen(
    #[server(flatten)] named: Named,
    #[server(default)] paths: Vec<String>,
    #[server(default)] into: String,
    #[server(default)] name: String,
) -> Result<FilesChange, AppError> {
    let viewer = viewer()?;
    let (into, name) = (into.trim().trim_matches('/'), name.trim());
    let name = (!name.is_empty()).then_some(name);
    Ok(hub().for_viewer(&viewer).files().move_chosen(&named.folder, &paths, into, name).await?)
}

/// Makes a folder with nothing in it, in another one, which is empty for beside all folders. One that is there stays as
/// it is.
#[server(prefix = "/api", endpoint = "files/make_folder", protocol = Posted)]
pub async fn make_folder(
    #[server(flatten)] named: Named,
    #[server(default)] within: String,
    name: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let files = hub.for_viewer(&viewer).files();
    let parts = [&within, &name].map(|part| part.trim().trim_matches('/').trim());
    let path = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
    let made = files.make_folder(&named.folder, &path).await?;
    crate::context::redirect(&part_address(&files.folder(&named.folder).await?, &made));
    Ok(())
}

/// Copies files and whole folders into a folder of any of the viewer's agents and workspaces.
#[server(prefix = "/api", endpoint = "files/copy_chosen", protocol = Posted)]
pub async fn copy_chosen(
    #[server(flatten)] named: Named,
    #[server(default)] paths: Vec<String>,
    to: FolderId,
    #[server(default)] into: String,
) -> Result<FilesChange, AppError> {
    let viewer = viewer()?;
    let into = into.trim().trim_matches('/');
    Ok(hub().for_viewer(&viewer).files().copy_chosen(&named.folder, &paths, &to, into).await?)
}

/// Takes back what the viewer did with several files at once, where nobody changed it since.
#[server(prefix = "/api", endpoint = "files/undo_change", protocol = Posted)]
pub async fn undo_change(#[server(flatten)] named: Named, at: i64) -> Result<UndoneCall, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().undo_change(&named.folder, at).await?)
}

/// What a call of an agent did to files, twenty at most, with the difference of each text.
#[server(prefix = "/api", endpoint = "files/of_call", protocol = Queried)]
pub async fn files_of_call(
    agent: AgentId,
    conversation: ConversationId,
    call: CallId,
) -> Result<Vec<FileOfCall>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().files_of_call(&agent, &conversation, &call).await?)
}

/// Takes back all that a call of an agent changed and nobody changed since.
#[server(prefix = "/api", endpoint = "files/undo_call", protocol = Posted)]
pub async fn undo_call(
    agent: AgentId,
    conversation: ConversationId,
    call: CallId,
) -> Result<UndoneCall, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().undo_call(&agent, &conversation, &call).await?)
}

/// What came with messages to an agent and what tools of MCP servers brought it, by its path under `/uploads`: a
/// thousand at most.
#[server(prefix = "/api", endpoint = "files/uploads", protocol = Queried)]
pub async fn list_uploads(agent: AgentId) -> Result<Vec<UploadView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().list_uploads(&agent).await?)
}

/// One of these, with the beginning of what is in it.
#[server(prefix = "/api", endpoint = "files/view_upload", protocol = Queried)]
pub async fn view_upload(agent: AgentId, path: String) -> Result<UploadContent, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().view_upload(&agent, &path).await?)
}

#[server(prefix = "/api", endpoint = "skins/list", protocol = Queried)]
pub async fn list_skins(agent: AgentId) -> Result<Vec<SavedSkin>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skins().saved(&agent).await?)
}

/// Puts the page as it is now aside, in place of what had this name.
#[server(prefix = "/api", endpoint = "skins/save", protocol = Posted)]
pub async fn save_skin(agent: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skins().save(&agent, &name).await?;
    crate::context::redirect(&format!("/agents/{agent}/edit"));
    Ok(())
}

/// Makes a saved page the next version, for everybody who looks.
#[server(prefix = "/api", endpoint = "skins/load", protocol = Posted)]
pub async fn load_skin(agent: AgentId, name: String) -> Result<u64, AppError> {
    let viewer = viewer()?;
    let version = hub().for_viewer(&viewer).skins().load(&agent, &name).await?;
    crate::context::redirect(&format!("/agents/{agent}"));
    Ok(version)
}

#[server(prefix = "/api", endpoint = "skins/delete", protocol = Posted)]
pub async fn delete_skin(agent: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skins().delete(&agent, &name).await?;
    crate::context::redirect(&format!("/agents/{agent}/edit"));
    Ok(())
}
