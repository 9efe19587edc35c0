//! The page of search.

use super::api::find;
use super::hit::{Hit, Title};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::both;
use crate::ui::{PageTitle, Plant, SearchField};
use leptos_router::hooks::use_query_map;
use protocol::FailureKind;
use protocol::view::{Me, SearchResults};
use serde::{Deserialize, Serialize};

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Wanted {
    text: String,
    agent: String,
    conversation: String,
    page: u32,
}

/// All that the page shows. Without results nothing was looked for.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    wanted: Wanted,
    results: Option<SearchResults>,
}

#[component]
pub fn SearchPage() -> impl IntoView {
    let query = use_query_map();
    let wanted = Memo::new(move |_| {
        query.with(|query| Wanted {
            text: query.get("q").unwrap_or_default(),
            agent: query.get("agent").unwrap_or_default(),
            conversation: query.get("conversation").unwrap_or_default(),
            page: query.get_str("page").and_then(|page| page.parse().ok()).unwrap_or(0),
        })
    });
    let shown = PageResource::new(move || wanted.get(), load);
    view! { <Loaded resource=shown view=|data| view! { <Results data/> }/> }
}

async fn load(wanted: Wanted) -> Result<PageData, AppError> {
    let Wanted { text, agent, conversation, page } = wanted.clone();
    let (me, found) = both(me(), find(text, agent, conversation, page)).await;
    let me = me?;
    let results = match found {
        Ok(results) => Some(results),
        // There is no word in it.
        Err(error) if error.0.kind == FailureKind::Invalid => None,
        Err(error) => return Err(error),
    };
    Ok(PageData { me, wanted, results })
}

#[component]
fn Results(data: PageData) -> impl IntoView {
    let PageData { me, wanted, results } = data;
    let heading = match wanted.text.as_str() {
        "" => t("Search").to_owned(),
        text => say!("Search: {text}"),
    };
    let everywhere = (!wanted.agent.is_empty() || !wanted.conversation.is_empty()).then(|| {
        let address = address(&Wanted { text: wanted.text.clone(), ..Wanted::default() });
        let words = t(match wanted.conversation.is_empty() {
            true => "Only in this agent.",
            false => "Only in this conversation.",
        });
        view! { <p class="hit-scope">{words} " " <a href=address>"Search everywhere"</a></p> }
    });
    let found = match results {
        None => view! { <p class="empty" data-size="small"><span>"Words that you or your agents said, in any order. The beginning of a word is enough."</span></p> }.into_any(),
        Some(results) => view! { <Found wanted=wanted.clone() results/> }.into_any(),
    };
    view! {
        <PageTitle text=heading/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Search"</h1>
                </header>
                <div class="search">
                    <SearchField text=wanted.text agent=wanted.agent conversation=wanted.conversation autofocus=true/>
                    {everywhere}
                </div>
                {found}
            </div>
        </Shell>
    }
}

#[component]
fn Found(wanted: Wanted, results: SearchResults) -> impl IntoView {
    let SearchResults { titles, hits, more, is_complete } = results;
    let unread = (!is_complete).then(|| {
        view! {
            <p class="notice" data-kind="info" role="status">
                <span class="notice-text">"Older conversations are still being read for the first time. Search again in a moment."</span>
            </p>
        }
    });
    let none = (titles.is_empty() && hits.is_empty()).then(|| {
        view! {
            <div class="empty">
                <Plant/>
                <h2>"Nothing was found"</h2>
                <p>"All of the words have to be in one message. Try fewer of them, or only how they begin."</p>
            </div>
        }
    });
    let titles = (!titles.is_empty()).then(|| {
        let rows = titles.into_iter().map(|found| view! { <Title found/> }).collect_view();
        view! { <section class="section" aria-labelledby="found-titles"><h2 id="found-titles">"Conversations"</h2><ul class="hits">{rows}</ul></section> }
    });
    let rows = hits.into_iter().map(|hit| view! { <Hit hit/> }).collect::<Vec<_>>();
    let messages = (!rows.is_empty()).then(|| {
        view! { <section class="section" aria-labelledby="found-messages"><h2 id="found-messages">"Messages"</h2><ul class="hits">{rows}</ul></section> }
    });
    let to = |page: u32| address(&Wanted { page, ..wanted.clone() });
    let newer = wanted
        .page
        .checked_sub(1)
        .map(|page| view! { <a class="button" data-kind="quiet" href=to(page)>"Newer"</a> });
    let older =
        more.then(|| view! { <a class="button" data-kind="quiet" href=to(wanted.page + 1)>"Older"</a> });
    view! {
        {unread}
        {none}
        {titles}
        {messages}
        <p class="actions">{newer} {older}</p>
    }
}

fn address(wanted: &Wanted) -> String {
    let mut address = format!("/search?q={}", leptos_router::location::Url::escape(&wanted.text));
    for (name, value) in [("agent", &wanted.agent), ("conversation", &wanted.conversation)] {
        if !value.is_empty() {
            address.push_str(&format!("&{name}={}", leptos_router::location::Url::escape(value)));
        }
    }
    if wanted.page > 0 {
        address.push_str(&format!("&page={}", wanted.page));
    }
    address
}
