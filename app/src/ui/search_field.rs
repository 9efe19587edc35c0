//! A form that leads to the page of search.

use super::icon::Icon;
use crate::prelude::*;

/// A field that leads to the page of search. An empty `agent` or `conversation` is any.
#[component]
pub fn SearchField(
    text: String,
    agent: String,
    #[prop(optional)] conversation: String,
    #[prop(optional)] autofocus: bool,
) -> impl IntoView {
    let hidden = [("agent", agent), ("conversation", conversation)]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
        .collect_view();
    view! {
        <form method="get" action="/search" class="search-field" role="search">
            {hidden}
            <input
                class="input"
                type="search"
                name="q"
                value=text
                maxlength="200"
                placeholder="Search conversations"
                aria-label="Search conversations"
                autofocus=autofocus
                autocomplete="off"
            />
            <button class="button" data-shape="icon" type="submit" aria-label="Search" title="Search"><Icon name="search"/></button>
        </form>
    }
}
