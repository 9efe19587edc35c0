//! The pages of the files of an agent or a workspace: all of them, and one with what it was before.

mod bar;
mod bin;
mod crumbs;
mod device;
mod dropping;
mod file;
mod following;
mod given;
mod hand_on;
mod language;
mod listing;
mod of_servers;
mod on_device;
mod page;
mod preview;
mod rows;
mod tree;
mod uploading;
mod uploads;
mod words;

pub use file::FilePage;
pub use page::FilesPage;

use crate::prelude::*;
use leptos_router::hooks::use_params_map;
use protocol::FolderId;

/// The folder that the address names: an agent or a workspace.
fn folder_in_path() -> Memo<FolderId> {
    let params = use_params_map();
    Memo::new(move |_| FolderId(params.read().get("id").unwrap_or_default()))
}
