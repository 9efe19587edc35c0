//! The places beside the agents.

use crate::ui::Icon;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// Address, icon and words.
pub(super) type Place = (&'static str, &'static str, &'static str);

/// What agents do by themselves, and what came of it.
pub(super) const PLACES: &[Place] = &[
    ("/schedules", "calendar", "Schedules"),
    ("/pipelines", "branch", "Pipelines"),
    ("/teams", "people", "Teams"),
    ("/delegations", "people", "Delegations"),
    ("/topics", "bell", "Topics"),
    ("/workspaces", "file", "Workspaces"),
    ("/shared", "link", "Shared with you"),
    ("/gallery", "skin", "Gallery"),
];
pub(super) const SETTINGS: &[Place] = &[
    ("/providers", "key", "Providers"),
    ("/models", "tool", "Models"),
    ("/usage", "usage", "Usage"),
    ("/memory", "thought", "Memory"),
    ("/context", "location", "Context"),
    ("/skills", "file", "Skills"),
    ("/mcp-servers", "link", "MCP servers"),
    ("/peers", "people", "Peers"),
    ("/web-search", "search", "Web search"),
    ("/account/audit", "clock", "Audit"),
    ("/account/calls", "tool", "Calls of tools"),
];
const OF_EVERYBODY: &[Place] = &[
    ("/admin", "settings", "Admin"),
    ("/admin/status", "info", "Status"),
    ("/groups", "people", "Groups"),
    ("/admin/audit", "clock", "Audit of everybody"),
    ("/admin/calls", "tool", "Calls of everybody"),
];

#[component]
pub(super) fn Places(name: &'static str, places: &'static [Place]) -> impl IntoView {
    let links = places.iter().map(|(href, icon, words)| view! { <li><SideLink href icon words/></li> });
    view! {
        <div class="side-part side-places" role="group" aria-label=name>
            <h2 class="side-name">{name}</h2>
            <ul class="side-list">{links.collect_view()}</ul>
        </div>
    }
}

/// For administrators.
#[component]
pub(super) fn RunTheHub() -> impl IntoView {
    view! { <Places name="The hub" places=OF_EVERYBODY/> }
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

/// For `aria-current`.
pub(super) fn current(href: &'static str) -> impl Fn() -> Option<&'static str> + Copy {
    let pathname = use_location().pathname;
    move || pathname.with(|path| path == href).then_some("page")
}
