//! A form for files of the person's. With script it takes a whole folder as well.

use super::dropping::bring;
use super::tree::Tree;
use crate::browser::folder_uploads;
use crate::prelude::*;
use crate::ui::{Field, Section, hint_id};
use leptos::ev::Event;
use leptos::task::spawn_local;
use leptos_router::hooks::use_query_map;
use protocol::files::FolderKind;

#[component]
pub(super) fn Upload(tree: Tree) -> impl IntoView {
    let (field, id) = tree.folder.with_value(|folder| {
        let field = match folder.kind {
            FolderKind::Agent => "agent",
            FolderKind::Workspace => "workspace",
        };
        (field, folder.id.0.clone())
    });
    let query = use_query_map();
    let refused = query.with_untracked(|query| {
        let words = if query.get_str("too-large").is_some() {
            t("A file can have 5 MB, and all files together 50 MB, unless an administrator says otherwise; a folder has 20,000 files at most.")
        } else if query.get_str("no-file").is_some() {
            t("Choose a file first. A folder has no backslash, no colon and no part that leads up.")
        } else {
            return None;
        };
        Some(view! { <p class="banner" data-kind="error" role="alert"><span class="banner-text">{words}</span></p> })
    });
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let whole = move |event: Event| {
        let files = folder_uploads::chosen(&event);
        spawn_local(bring(tree, tree.base.get_value(), files));
    };
    view! {
        <Section id="upload" title="Upload files" lead="What has the same path is replaced, and stays as its earlier version. You can also drop files and folders on the list.">
            {refused}
            <form method="post" action="/files" enctype="multipart/form-data" class="form">
                <input type="hidden" name=field value=id/>
                <Field id="upload-folder" label="Folder" hint="Left empty, they stand beside all folders.">
                    <input class="input" id="upload-folder" name="folder" maxlength="512" autocomplete="off" placeholder="notes" value=tree.base.get_value() aria-describedby=hint_id("upload-folder")/>
                </Field>
                <div class="field-row">
                    <input class="input" type="file" name="file" multiple required aria-label="Files"/>
                    <button type="submit" class="button" data-kind="primary">"Upload"</button>
                </div>
            </form>
            <Show when=move || has_script.get()>
                <p>
                    <label class="button file-whole">
                        "Upload a whole folder"
                        <input class="sr-only" type="file" prop:webkitdirectory=true aria-label="Upload a whole folder" on:change=whole/>
                    </label>
                </p>
            </Show>
        </Section>
    }
}
