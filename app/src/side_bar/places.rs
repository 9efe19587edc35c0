//! The places beside the agents, and which of them is shown.

use crate::prelude::*;
use crate::settings_index::place_of;
use crate::ui::Icon;
use leptos_router::hooks::use_location;

/// Address, icon and words.
pub(super) type Place = (&'static str, &'static str, &'static str);

/// What agents do by themselves, and what came of it.
pub(super) const PLACES: &[Place] = &[
    ("/console", "split", key!("Console")),
    ("/schedules", "calendar", key!("Schedules")),
    ("/pipelines", "branch", key!("Pipelines")),
    ("/teams", "people", key!("Teams")),
    ("/delegations", "people", key!("Delegations")),
    ("/topics", "bell", key!("Topics")),
    ("/workspaces", "file", key!("Workspaces")),
    ("/shared", "link", key!("Shared with you")),
    ("/gallery", "skin", key!("Gallery")),
    ("/usage", "usage", key!("Usage")),
];
/// They have links of their own here.
const OF_THEIR_OWN: [&str; 2] = ["/account", "/usage"];

#[component]
pub(super) fn Places(name: &'static str, places: &'static [Place]) -> impl IntoView {
    let links =
        places.iter().map(|(href, icon, words)| view! { <li><SideLink href icon words={t(words)}/></li> });
    view! {
        <div class="side-part side-places" role="group" aria-label=name>
            <h2 class="side-name">{name}</h2>
            <ul class="side-list">{links.collect_view()}</ul>
        </div>
    }
}

/// A link that says when its page is the one that is shown. `about` stands beside its words.
#[component]
pub(super) fn SideLink(
    href: &'static str,
    icon: &'static str,
    words: &'static str,
    #[prop(optional, into)] about: String,
) -> impl IntoView {
    let about = (!about.is_empty()).then(|| view! { <small class="side-about">{about}</small> });
    view! {
        <a class="side-link" href=href aria-current=current(href) title=words>
            <Icon name=icon/>
            <span class="side-words">{words}</span>
            {about}
        </a>
    }
}

/// For `aria-current`: of an overview of settings, on the page of each of them too.
pub(super) fn current(href: &'static str) -> impl Fn() -> Option<&'static str> + Copy {
    let pathname = use_location().pathname;
    let value = move |path: &str| {
        if path == href {
            return Some("page");
        }
        let place = place_of(path).filter(|_| !OF_THEIR_OWN.contains(&path))?;
        (place.group.overview.0 == href).then_some("true")
    };
    move || pathname.with(|path| value(path))
}
