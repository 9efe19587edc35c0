//! Searching the list of memories, and its next pages.

use crate::prelude::*;
use crate::ui::Icon;

#[component]
pub(super) fn Search(text: String) -> impl IntoView {
    let all = (!text.is_empty())
        .then(|| view! { <a class="button" data-kind="quiet" href="/memory">"Show all"</a> });
    view! {
        <form method="get" action="/memory" class="search-field" role="search">
            <input
                class="input"
                type="search"
                name="q"
                value=text
                maxlength="200"
                placeholder="Search memory"
                aria-label="Search memory"
                autocomplete="off"
            />
            <button class="button" data-shape="icon" type="submit" aria-label="Search" title="Search"><Icon name="search"/></button>
            {all}
        </form>
    }
}

#[component]
pub(super) fn Pager(text: String, page: u32, more: bool) -> impl IntoView {
    let to = |page: u32| format!("/memory?q={}&page={page}", leptos_router::location::Url::escape(&text));
    let newer = page
        .checked_sub(1)
        .map(|page| view! { <a class="button" data-kind="quiet" href=to(page)>"Newer"</a> });
    let older = more.then(|| view! { <a class="button" data-kind="quiet" href=to(page + 1)>"Older"</a> });
    (page > 0 || more).then(|| view! { <p class="actions">{newer} {older}</p> })
}
