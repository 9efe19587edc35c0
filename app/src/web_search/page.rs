//! The page: which sources there are, and the form for one more.

use super::api::{
    AddSearchSource, RemoveSearchSource, ShiftSearchSource, TestSearchSource, list_search_sources,
};
use super::form::SourceForm;
use super::list::{SourceList, Ways};
use super::words::name_of;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, Done, FormAction, Icon, Section, WhoCan, kept};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use protocol::view::{Me, Probe, ProviderReach, ProviderView, SearchSourceView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    sources: Vec<SearchSourceView>,
    /// Providers that have a search of their own.
    searching: Vec<ProviderView>,
}

#[component]
pub fn WebSearchPage() -> impl IntoView {
    let add = FormAction::<AddSearchSource>::new();
    let ways = Ways {
        test: FormAction::<TestSearchSource>::new(),
        shift: FormAction::<ShiftSearchSource>::new(),
        remove: FormAction::<RemoveSearchSource>::new(),
    };
    let done = move || (add.version().get(), ways.shift.version().get(), ways.remove.version().get());
    let known = PageResource::new(done, |_| load());
    // What a test said is about the list as it was.
    Effect::new(move |before: Option<_>| {
        let now = done();
        if before.is_some_and(|before| before != now) {
            ways.test.value().set(None);
        }
        now
    });
    // Once a source is there, the form is for the next; what was refused stays in it.
    let added = Memo::new(move |last: Option<&usize>| {
        let version = add.version().get();
        match add.value().with(|value| matches!(value, Some(Ok(_)))) {
            true => version,
            false => last.copied().unwrap_or_default(),
        }
    });
    view! {
        <Title text="Web search"/>
        <Loaded resource=known view=move |known| view! { <Sections known add added ways/> }/>
    }
}

#[component]
fn Sections(
    known: PageData,
    add: FormAction<AddSearchSource>,
    added: Memo<usize>,
    ways: Ways,
) -> impl IntoView {
    let PageData { me, sources, searching } = known;
    let (is_empty, may_add) = (sources.is_empty(), brings_own(&me));
    let list = sources.clone();
    let (sources, searching) = (StoredValue::new(sources), StoredValue::new(searching));
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Web search"</h1>
                <Section
                    id="sources"
                    title="Where your agents search"
                    lead="Agents that may reach the web have the tools web_search and research_topic. What they search for goes to these sources."
                >
                    <ActionFailure value=ways.test.value()/>
                    <ActionFailure value=ways.shift.value()/>
                    <ActionFailure value=ways.remove.value()/>
                    <Show when=move || ways.test.value().with(Option::is_none)>
                        <Done what="added" words="The source is added. Test it to be sure."/>
                    </Show>
                    {move || tested_words(ways.test, sources).map(|words| view! { <Tested words/> })}
                    {if is_empty {
                        view! { <NoSources may_add/> }.into_any()
                    } else {
                        view! { <SourceList list may_add ways/> }.into_any()
                    }}
                </Section>
                {match may_add {
                    true => kept(added.get_untracked(), move |_| view! { <SourceForm add searching=searching.get_value()/> }),
                    false => view! { <WhoCan words="Members and administrators can add sources of their own."/> }.into_any(),
                }}
            </div>
        </Shell>
    }
}

#[component]
fn NoSources(may_add: bool) -> impl IntoView {
    let next = may_add.then(|| t("Add one that searches the whole web below."));
    view! {
        <div class="empty">
            <h3>"No source of your own yet"</h3>
            <p>
                "Until there is one, agents search what whoever runs this hub has set up, if that is anything, and Wikipedia, Hacker News, Stack Overflow and arXiv, which need no key. "
                {next}
            </p>
        </div>
    }
}

#[component]
fn Tested(words: String) -> impl IntoView {
    view! {
        <div class="banner" data-kind="done" role="status">
            <Icon name="check"/>
            <p class="banner-text">{words}</p>
        </div>
    }
}

/// Without script the address alone tells.
fn tested_words(
    test: FormAction<TestSearchSource>,
    sources: StoredValue<Vec<SearchSourceView>>,
) -> Option<String> {
    let tested = use_query_map().with(|query| query.get("tested"))?;
    let name = sources.with_value(|all| all.iter().find(|source| source.id.0 == tested).map(name_of))?;
    match test.value().get() {
        Some(Ok(Probe { message, millis, .. })) => Some(say!("{name}: {message} It took {millis} ms.")),
        Some(Err(_)) => None,
        None => Some(say!("{name} answers.")),
    }
}

async fn load() -> Result<PageData, AppError> {
    let mut searching = list_providers().await?;
    searching.retain(|provider| provider.kind.has_web_search() && provider.reach == ProviderReach::Hub);
    let (me, sources) = together!(me(), list_search_sources());
    Ok(PageData { me, sources, searching })
}
