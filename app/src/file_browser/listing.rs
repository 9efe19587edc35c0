//! Which of the files of a folder are shown: those of a part of the list, or those in whose paths something stands.
//! Both are in the page's address.

use crate::files::{folder_address, size};
use crate::ui::{Icon, grouped};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use leptos_router::location::Url;
use protocol::files::FolderView;

/// Files, and those in the bin, that a page shows at once.
pub(super) const SHOWN: usize = 300;
/// From so many files on they can be searched.
const SEARCHED: u64 = 20;

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FilesAsked {
    pub(super) find: String,
    pub(super) after: String,
}

pub(super) fn asked() -> Memo<FilesAsked> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| FilesAsked {
            find: query.get("find").unwrap_or_default(),
            after: query.get("after").unwrap_or_default(),
        })
    })
}

/// How many files there are, and a field to find some of them.
#[component]
pub(super) fn Find(folder: FolderView, asked: FilesAsked) -> impl IntoView {
    let FilesAsked { find, after } = asked;
    let address = folder_address(&folder);
    let count = match folder.files {
        1 => "1 file".to_owned(),
        files => format!("{} files", grouped(files)),
    };
    let is_part = !find.is_empty() || !after.is_empty();
    let all =
        is_part.then(|| view! { <a class="button" data-kind="quiet" href=address.clone()>"Show all"</a> });
    (folder.files >= SEARCHED || is_part).then(|| {
        view! {
            <p class="field-hint">{count} ", " {size(folder.size)} " together."</p>
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

/// Leads to the files behind the last one.
#[component]
pub(super) fn More(folder: FolderView, find: String, last: String) -> impl IntoView {
    let address = next_part(&folder_address(&folder), &find, &last);
    view! { <p class="actions"><a class="button" href=address>"Show more files"</a></p> }
}

fn next_part(address: &str, find: &str, last: &str) -> String {
    let find = if find.is_empty() { String::new() } else { format!("find={}&", Url::escape(find)) };
    format!("{address}?{find}after={}", Url::escape(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_part_is_of_what_was_looked_for() {
        for (find, last, expected) in
            [("", "a/b", "/f?after=a%2Fb"), ("a&b", "ä", "/f?find=a%26b&after=%C3%A4")]
        {
            assert_eq!(next_part("/f", find, last), expected);
        }
    }
}
