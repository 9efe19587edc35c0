//! Files that are dragged: from the machine into a folder, from one folder into another, and out to the machine.

use super::tree::{Told, Tree, own_name};
use crate::browser::folder_uploads::{self, Brought, Uploaded};
use crate::prelude::*;
use leptos::ev::{DragEvent, Event};
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;
use protocol::files::FolderKind;
use protocol::{Failure, FailureKind};

/// What is around the tree: everything in it that has `data-into` takes what is dropped.
#[component]
pub(super) fn DropPlace(tree: Tree, children: Children) -> impl IntoView {
    let start = move |event: DragEvent| begin(tree, &event);
    let over = move |event: DragEvent| {
        let is_own = tree.dragged.with_untracked(|dragged| !dragged.is_empty());
        let takes = folder_uploads::drag_over(&event, is_own);
        let into = takes.then(|| into(tree, &event));
        if tree.over.with_untracked(|over| *over != into) {
            tree.over.set(into);
        }
    };
    let drop = move |event: DragEvent| {
        // Whatever it is, it must not lead the page elsewhere.
        event.prevent_default();
        tree.over.set(None);
        let (to, dragged) = (into(tree, &event), tree.dragged.get_untracked());
        tree.dragged.set(Vec::new());
        if dragged.is_empty() {
            let files = folder_uploads::dropped(&event);
            spawn_local(async move { bring(tree, to, files.await).await });
        } else {
            tree.bring(dragged, to, String::new());
        }
    };
    let end = move |_| {
        tree.dragged.set(Vec::new());
        tree.over.set(None);
    };
    view! {
        <div
            class="file-place"
            data-takes="files"
            data-drop=move || tree.over.with(|over| over.is_some()).then_some("")
            on:dragstart=start
            on:dragover=over
            on:dragleave=move |_| tree.over.set(None)
            on:drop=drop
            on:dragend=end
        >
            {children()}
        </div>
    }
}

/// What is chosen goes along, if what is dragged is.
fn begin(tree: Tree, event: &DragEvent) {
    let Some(name) = attribute(event, "data-name") else { return };
    let chosen: Vec<String> = tree.chosen.with_untracked(|chosen| chosen.iter().cloned().collect());
    let dragged = if chosen.contains(&name) { chosen } else { vec![name] };
    let out = match dragged.as_slice() {
        [one] => untrack(|| tree.file(one)).map(|file| (own_name(&file.path).to_owned(), file.url)),
        _ => None,
    };
    folder_uploads::begin_drag(event, out);
    tree.dragged.set(dragged);
}

/// The folder of the line or of the part of the path that the event is at, or else the one that is shown.
fn into(tree: Tree, event: &Event) -> String {
    attribute(event, "data-into").unwrap_or_else(|| tree.base.get_value())
}

fn attribute(event: &Event, name: &str) -> Option<String> {
    let element: Element = event.target()?.dyn_into().ok()?;
    element.closest(&format!("[{name}]")).ok().flatten()?.get_attribute(name)
}

/// Sends files of this device into a folder, and says what became of it.
pub(super) async fn bring(tree: Tree, into: String, files: Vec<Brought>) {
    let all = files.len();
    if all == 0 {
        return;
    }
    tree.tell(Told::Going(plural!(all, "Uploading {count} file.", "Uploading {count} files.", count = all)));
    let Some((field, id)) = tree.folder.try_with_value(|folder| {
        let field = match folder.kind {
            FolderKind::Agent => "agent",
            FolderKind::Workspace => "workspace",
        };
        (field, folder.id.0.clone())
    }) else {
        return;
    };
    let so_far = move |done: usize| tree.tell(Told::Going(say!("Uploaded {done} of {all}.")));
    let Uploaded { files, refused } = folder_uploads::upload(field, id, into, files, so_far).await;
    tree.tell(match refused.is_empty() {
        true => Told::Done(
            plural!(files, "Uploaded {count} file.", "Uploaded {count} files.", count = files),
            None,
        ),
        false => {
            let message = say!("Uploaded {files} of {all}. {reasons}", reasons = refused.join(" "));
            Told::Failed(Failure { kind: FailureKind::Limit, message, id: None })
        }
    });
    tree.look_again();
}
