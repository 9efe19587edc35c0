//! The overview of all settings, with a field that finds one by its words, and that of the hub alone.

use super::rows::{Shown, found, rows_of};
use super::states::{States, states};
use crate::AppError;
use crate::chrome::{Loaded, NotFound, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::settings_index::{Group, OF_THE_HUB, groups_for};
use crate::together::together;
use leptos::ev::SubmitEvent;
use leptos_meta::Title;
use leptos_router::hooks::{use_navigate, use_query_map};
use protocol::view::{Me, Right};

#[component]
pub fn SettingsPage() -> impl IntoView {
    let query = use_query_map();
    let words = RwSignal::new(query.with_untracked(|query| query.get("q")).unwrap_or_default());
    let shown = PageResource::new(|| (), |()| load());
    view! {
        <Title text="Settings"/>
        <Loaded resource=shown view=move |(me, states)| view! { <All me states words/> }/>
    }
}

#[component]
fn All(me: Me, states: States, words: RwSignal<String>) -> impl IntoView {
    let runs_the_hub = me.rights.contains(&Right::RunTheHub);
    let fitting = Memo::new(move |_| words.with(|words| found(words, runs_the_hub)));
    let navigate = use_navigate();
    // What fits is there already: this leads to the first of it.
    let go = move |event: SubmitEvent| {
        event.prevent_default();
        let is_asked = words.with_untracked(|words| !words.trim().is_empty());
        let first = fitting.with_untracked(|groups| Some(groups.first()?.1.first()?.href));
        if let Some(href) = first.filter(|_| is_asked) {
            navigate(href, Default::default());
        }
    };
    let groups = move || {
        fitting.with(|groups| {
            let section = |(group, settings): &Shown| {
                let Group { id, name, .. } = **group;
                view! {
                    <section aria-labelledby=id>
                        <h2 id=id>{t(name)}</h2>
                        {rows_of(settings, Some(&states))}
                    </section>
                }
            };
            groups.iter().map(section).collect_view()
        })
    };
    view! {
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Settings"</h1>
                    <p>"What holds for all of your agents. What one agent is and may do is set on its own page."</p>
                </header>
                <form class="search-field" method="get" action="/settings" role="search" on:submit=go>
                    <input
                        class="input"
                        type="search"
                        name="q"
                        value=words.get_untracked()
                        maxlength="200"
                        placeholder="Find a setting"
                        aria-label="Find a setting"
                        autocomplete="off"
                        on:input=move |event| words.set(event_target_value(&event))
                    />
                </form>
                <div class="setting-groups">
                    <Show when=move || fitting.with(Vec::is_empty)>
                        <p class="empty" data-size="small" role="status">"No setting fits these words."</p>
                    </Show>
                    {groups}
                </div>
            </div>
        </Shell>
    }
}

#[component]
pub fn HubSettingsPage() -> impl IntoView {
    let shown = PageResource::new(|| (), |()| me());
    view! {
        <Title text="The hub"/>
        <Loaded resource=shown view=move |me: Me| {
            if me.rights.contains(&Right::RunTheHub) {
                view! { <OfTheHub me/> }.into_any()
            } else {
                view! { <NotFound/> }.into_any()
            }
        }/>
    }
}

#[component]
fn OfTheHub(me: Me) -> impl IntoView {
    let own = groups_for(true).filter(|group| group.overview == OF_THE_HUB);
    let rows = own.map(|group| rows_of(&group.settings.iter().collect::<Vec<_>>(), None)).collect_view();
    view! {
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"The hub"</h1>
                    <p>"How this hub runs, and who is on it. Only administrators see this."</p>
                </header>
                <div class="setting-groups">{rows}</div>
            </div>
        </Shell>
    }
}

async fn load() -> Result<(Me, States), AppError> {
    Ok(together!(me(), states()))
}
