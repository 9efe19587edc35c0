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
}

pub(super) fn asked() -> Memo<FilesAsked> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| FilesAsked {
            within: joined(query.get_str("in").unwrap_or_default(), query.get_str("new").unwrap_or_default()),
            find: query.get("find").unwrap_or_default(),
            after: query.get("after").unwrap_or_default(),
        })
    })
}

/// A new folder is there once something is in it; until then its name stands in the address.
fn joined(within: &str, new: &str) -> String {
    let parts = [within, new].map(|part| part.trim().trim_matches('/').trim());
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_folder_is_in_the_one_that_was_shown() {
        for (within, new, expected) in
            [("", "", ""), ("a/b", "", "a/b"), ("", "c", "c"), ("a", " c/d ", "a/c/d"), ("/a/", "/", "a")]
        {
            assert_eq!(joined(within, new), expected);
        }
    }
}
