//! The places beside the agents.

use crate::prelude::*;
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
];
pub(super) const SETTINGS: &[Place] = &[
    ("/providers", "key", key!("Providers")),
    ("/models", "tool", key!("Models")),
    ("/usage", "usage", key!("Usage")),
    ("/memory", "thought", key!("Memory")),
    ("/context", "location", key!("Context")),
    ("/skills", "file", key!("Skills")),
    ("/mcp-servers", "link", key!("MCP servers")),
    ("/peers", "people", key!("Peers")),
    ("/external-jobs", "tool", key!("External jobs")),
    ("/web-search", "search", key!("Web search")),
    ("/account/audit", "clock", key!("Audit")),
    ("/account/calls", "tool", key!("Calls of tools")),
];
const OF_EVERYBODY: &[Place] = &[
    ("/admin", "settings", key!("Admin")),
    ("/admin/status", "info", key!("Status")),
    ("/groups", "people", key!("Groups")),
    ("/admin/audit", "clock", key!("Audit of everybody")),
    ("/admin/calls", "tool", key!("Calls of everybody")),
];

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

/// For administrators.
#[component]
pub(super) fn RunTheHub() -> impl IntoView {
    view! { <Places name={t("The hub")} places=OF_EVERYBODY/> }
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
