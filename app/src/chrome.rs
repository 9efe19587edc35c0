//! What stands around the pages of signed-in people: the bar at the top, the line about the hub, the page for what is not there.

mod disk_line;
mod hub_line;
mod loaded;
mod palette_link;

use disk_line::DiskLine;
pub use hub_line::HubLine;
pub use loaded::Loaded;
pub use palette_link::{PaletteIsOpen, PaletteLink, provide_palette};

use crate::keys::KeyPrompt;
use crate::session::SignOut;
use crate::ui::{Icon, Plant, close_on_escape};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::hooks::use_location;
use protocol::view::{Me, Right};

/// Whom the last page was for: the bar of a page that does not come.
#[derive(Clone, Copy)]
struct LastViewer(RwSignal<Option<Me>>);

/// Remembers, for as long as the document is there, for whom its pages are.
pub fn provide_known_person() {
    provide_context(LastViewer(RwSignal::new(None)));
}

pub fn known_person() -> Option<Me> {
    use_context::<LastViewer>().and_then(|LastViewer(me)| me.get_untracked())
}

pub fn know(me: &Me) {
    if let Some(LastViewer(known)) = use_context() {
        known.set(Some(me.clone()));
    }
}

/// A page behind the sign-in: the bar, then the page's own content in the one `main`.
#[component]
pub fn Shell(me: Me, children: Children) -> impl IntoView {
    know(&me);
    view! {
        <a class="skip" href="#main">"Skip to content"</a>
        <HubLine/>
        <div class="shell">
            <TopBar me=me.clone()/>
            <KeyPrompt person=me.id/>
            {me.disk.map(|room| view! { <DiskLine room/> })}
            <main id="main">{children()}</main>
        </div>
    }
}

#[component]
pub fn TopBar(me: Me) -> impl IntoView {
    view! {
        <header class="topbar">
            <a class="brand" href="/" aria-label="Vivarium" title="Vivarium">
                <Icon name="vivarium"/>
                <span class="wide-only">"Vivarium"</span>
            </a>
            <nav class="nav" aria-label="Main">
                <NavLink href="/" icon="chat" words="Agents"/>
                <PaletteLink class="nav-link" icon="search" label="Search" words="Search"/>
                <NavLink href="/providers" icon="key" words="Providers"/>
                <NavLink href="/usage" icon="usage" words="Usage"/>
                {me.rights.contains(&Right::RunTheHub).then(|| view! { <NavLink href="/admin" icon="people" words="Admin"/> })}
                <NavLink href="/account" icon="user" words="Account"/>
                <More runs_the_hub=me.rights.contains(&Right::RunTheHub)/>
            </nav>
            <Bell unread=me.unread.unwrap_or_default()/>
            // A form of the browser's own, so that the new page starts without anything of this person.
            <form method="post" action=SignOut::url()>
                <button
                    class="button"
                    data-kind="quiet"
                    data-shape="icon"
                    aria-label="Sign out"
                    title=format!("Sign out {}", me.name)
                >
                    <Icon name="sign-out"/>
                </button>
            </form>
        </header>
    }
}

/// The pages for which the bar has no room. It closes with the page that it was opened on.
#[component]
fn More(runs_the_hub: bool) -> impl IntoView {
    let link = |(href, words)| view! { <li><a class="nav-link" href=href>{words}</a></li> };
    let own = [
        ("/schedules", "Schedules"),
        ("/delegations", "Delegations"),
        ("/pipelines", "Pipelines"),
        ("/shared", "Shared with you"),
        ("/gallery", "Gallery"),
        ("/memory", "Memory"),
        ("/models", "Models"),
        ("/web-search", "Web search"),
        ("/skills", "Skills"),
        ("/mcp-servers", "MCP servers"),
        ("/account/audit", "Audit"),
        ("/account/calls", "Calls of tools"),
    ];
    let of_everybody = [
        ("/groups", "Groups"),
        ("/admin/status", "Status of the hub"),
        ("/admin/audit", "Audit of everybody"),
        ("/admin/calls", "Calls of everybody"),
    ];
    view! {
        <details class="more" on:keydown=close_on_escape>
            <summary class="nav-link" aria-label="More" title="More"><Icon name="more"/></summary>
            <ul class="more-pages">
                // Where the bar has no room for them.
                <li class="more-narrow"><a class="nav-link" href="/providers">"Providers"</a></li>
                <li class="more-narrow"><a class="nav-link" href="/usage">"Usage"</a></li>
                {own.into_iter().map(link).collect_view()}
                {runs_the_hub.then(|| of_everybody.into_iter().map(link).collect_view())}
            </ul>
        </details>
    }
}

#[component]
fn NavLink(href: &'static str, icon: &'static str, words: &'static str) -> impl IntoView {
    let pathname = use_location().pathname;
    let current = move || pathname.with(|path| path == href).then_some("page");
    view! {
        <a class="nav-link" href=href aria-current=current aria-label=words title=words>
            <Icon name=icon/>
            <span class="wide-only">{words}</span>
        </a>
    }
}

/// Leads to what the person was told of, with how much of it they have not read.
#[component]
fn Bell(unread: u32) -> impl IntoView {
    let words = match unread {
        0 => "Notifications".to_owned(),
        1.. => format!("Notifications, {unread} new"),
    };
    let count =
        (unread > 0).then(|| view! { <span class="bell-count" aria-hidden="true">{unread.min(99)}</span> });
    view! {
        <a class="bell nav-link" href="/notifications" aria-label=words.clone() title=words>
            <Icon name="bell"/>
            {count}
        </a>
    }
}

#[component]
pub fn NotFound() -> impl IntoView {
    #[cfg(feature = "ssr")]
    crate::response::set_status(protocol::FailureKind::NotFound);
    view! {
        <Title text="Not here"/>
        <main id="main" class="settings">
            <div class="empty">
                <Plant/>
                <h1>"There is nothing here"</h1>
                <p>"The page is gone, or it never was, or it belongs to somebody else."</p>
                <div class="actions"><a class="button" href="/">"Go to your agents"</a></div>
            </div>
        </main>
    }
}
