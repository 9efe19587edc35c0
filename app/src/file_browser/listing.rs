//! Which folder is shown, from where on, or the files in whose paths something stands. All are in the page's address.

use crate::files::{folder_address, size};
use crate::prelude::*;
use crate::ui::{Icon, grouped};
use leptos_router::hooks::use_query_map;
use protocol::files::FolderView;

/// From so many files on they can be searched.
const SEARCHED: u64 = 20;

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FilesAsked {
    pub(super) within: String,
    pub(super) find: String,
    pub(super) after: String,
    /// A mounted server that is looked into, and a file of it.
    pub(super) mount: String,
    pub(super) file: String,
    /// Of what came with messages, the one that is opened.
    pub(super) upload: String,
}

pub(super) fn asked() -> Memo<FilesAsked> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| FilesAsked {
            within: query.get_str("in").unwrap_or_default().trim().trim_matches('/').to_owned(),
            find: query.get("find").unwrap_or_default(),
            after: query.get("after").unwrap_or_default(),
            mount: query.get("mount").unwrap_or_default(),
            file: query.get("file").unwrap_or_default(),
            upload: query.get("upload").unwrap_or_default(),
        })
    })
}

/// How many files there are, and a field to find some of them.
#[component]
pub(super) fn Find(folder: FolderView, asked: FilesAsked) -> impl IntoView {
    let FilesAsked { find, after, .. } = asked;
    let address = folder_address(&folder);
    let count = plural!(folder.files, "{count} file", "{count} files", count = grouped(folder.files));
    let is_part = !find.is_empty() || !after.is_empty();
    let all =
        is_part.then(|| view! { <a class="button" data-kind="quiet" href=address.clone()>"Show all"</a> });
    (folder.files >= SEARCHED || is_part).then(|| {
        view! {
            <p class="field-hint">{say!("{count}, {size} together.", size = size(folder.size))}</p>
            <form method="get" action=address class="search-field" role="search">
                <input
                    class="input"
                    type="search"
                    name="find"
                    value=find
                    maxlength="200"
                    placeholder="Find by a part of the path"
                    aria-label="Find files"
                    autocomplete="off"
                />
                <button class="button" data-shape="icon" type="submit" aria-label="Find" title="Find"><Icon name="search"/></button>
                {all}
            </form>
        }
    })
}
