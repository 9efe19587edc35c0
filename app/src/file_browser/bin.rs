//! What was deleted from a folder and can be brought back.

use super::tree::{PART, Tree};
use crate::files::api::{RestoreFile, list_deleted_files};
use crate::files::{address, size};
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionFailure, ActionForm, FormAction, Section, Table, When, kept_each};
use leptos::task::spawn_local;
use protocol::files::{DeletedFile, FolderView};

#[component]
pub(super) fn Bin(tree: Tree, deleted: Vec<DeletedFile>, restore: FormAction<RestoreFile>) -> impl IntoView {
    let deleted = RwSignal::new(deleted);
    Effect::new(move |before: Option<u32>| {
        let looked = tree.looked.get();
        if before.is_some_and(|before| before != looked) {
            let id = tree.id();
            spawn_local(async move {
                if let Ok(fresh) = list_deleted_files(id.into(), Some(PART + 1)).await {
                    let _ = deleted.try_set(fresh);
                }
            });
        }
        looked
    });
    Effect::new(move |before: Option<usize>| {
        let version = restore.version().get();
        if before.is_some_and(|before| before != version) {
            tree.look_again();
        }
        version
    });
    let folder = tree.folder.get_value();
    let shown = move || rows(&folder, deleted.get(), restore);
    view! {
        <Section id="bin" title="Bin" lead="What was deleted within the last 30 days.">
            <ActionFailure value=restore.value()/>
            {shown}
        </Section>
    }
}

fn rows(folder: &FolderView, mut deleted: Vec<DeletedFile>, restore: FormAction<RestoreFile>) -> AnyView {
    if deleted.is_empty() {
        return view! { <p class="empty" data-size="small"><span>"The bin is empty."</span></p> }.into_any();
    }
    let more = (deleted.len() > PART).then(|| {
        view! { <p class="field-hint">"There are more than these. What a call deleted comes back at once where it stands in the conversation; others are on the page of their path."</p> }
    });
    deleted.truncate(PART);
    let folder = folder.clone();
    let rows = kept_each(deleted, move |file| {
        let DeletedFile { path, version, size: bytes, at } = file;
        let (page, label) = (address(&folder.id, folder.kind, &path), say!("Restore {path}"));
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
    view! {
        <Table columns=["File", "Size", "Deleted", ACTIONS] rows=rows.into_any()/>
        {more}
    }
    .into_any()
}
