//! What stands beside a page of settings: the way back to the overview, and where there is room the other settings.

use super::bar::Loading;
use crate::prelude::*;
use crate::settings_index::{Group, Place, groups_for, place_of};
use crate::ui::Icon;
use leptos_router::hooks::use_location;
use protocol::view::{Right, SideBar};

/// It stays from one of these pages to the next.
#[component]
pub fn BesideSettings() -> impl IntoView {
    let loading: Loading = expect_context();
    view! {
        <Transition>
            {move || Suspend::new(async move { loading.shown().await.map(|shown| view! { <Settings shown/> }) })}
        </Transition>
    }
}

#[component]
fn Settings(shown: Memo<SideBar>) -> impl IntoView {
    let pathname = use_location().pathname;
    let runs_the_hub = Memo::new(move |_| shown.with(|bar| bar.me.rights.contains(&Right::RunTheHub)));
    let place = Memo::new(move |_| {
        let place = pathname.with(|path| place_of(path))?;
        groups_for(runs_the_hub.get()).any(|group| group.id == place.group.id).then_some(place)
    });
    let is_one = Memo::new(move |_| place.with(Option::is_some));
    let back = move || {
        place.get().map(|Place { group, .. }| {
            let (href, name) = group.overview;
            view! { <a class="settings-back" href=href><Icon name="back" small=true/>{t(name)}</a> }
        })
    };
    let groups =
        move || groups_for(runs_the_hub.get()).map(|group| view! { <OfGroup group place/> }).collect_view();
    view! {
        <Show when=move || is_one.get()>
            <nav class="settings-nav" aria-label="Settings">
                <div class="settings-beside">
                    {back}
                    {groups}
                </div>
            </nav>
        </Show>
    }
}

#[component]
fn OfGroup(group: &'static Group, place: Memo<Option<Place>>) -> impl IntoView {
    let Group { id, name, settings, .. } = *group;
    let pathname = use_location().pathname;
    let is_own = move || place.get().is_some_and(|place| place.group.id == id);
    let links = settings.iter().filter(|setting| setting.part_of.is_none()).map(move |setting| {
        let href = setting.href;
        let current = move || {
            let is_page = pathname.with(|path| path == href);
            let is_own = place.get().is_some_and(|place| place.href == href);
            is_own.then_some(if is_page { "page" } else { "true" })
        };
        view! {
            <li>
                <a class="side-link" href=href aria-current=current><span class="side-words">{t(setting.name)}</span></a>
            </li>
        }
    });
    view! {
        <div class="settings-group" role="group" aria-label=t(name) data-current=move || is_own().then_some("")>
            <h2 class="side-name">{t(name)}</h2>
            <ul class="side-list">{links.collect_view()}</ul>
        </div>
    }
}
