//! The places at the bottom of a phone, and the bell.

use super::bar::Loading;
use super::places::current;
use crate::chrome::PaletteLink;
use crate::ui::Icon;
use leptos::prelude::*;
use protocol::view::SideBar;

/// The few places that are one tap away, after the page.
#[component]
pub fn Bottom() -> impl IntoView {
    let loading: Loading = expect_context();
    view! {
        <Transition>
            {move || Suspend::new(async move { loading.read().await.map(|bar| view! { <BottomBar bar/> }) })}
        </Transition>
    }
}

#[component]
fn BottomBar(bar: SideBar) -> impl IntoView {
    view! {
        <nav class="bottom-bar" aria-label="Places">
            <a class="bottom-link" href="/" aria-current=current("/")>
                <Icon name="vivarium"/>
                <span>"Agents"</span>
            </a>
            <PaletteLink class="bottom-link" icon="search" label="Search" words="Search"/>
            <Bell class="bottom-link" words="Notifications" unread=bar.me.unread.unwrap_or_default()/>
            <button class="bottom-link" type="button" popovertarget="side-bar">
                <Icon name="more"/>
                <span>"Menu"</span>
            </button>
        </nav>
    }
}

/// Leads to what the person was told of, with how much of it they have not read.
#[component]
pub(super) fn Bell(
    unread: u32,
    #[prop(optional)] class: Option<&'static str>,
    #[prop(optional)] words: Option<&'static str>,
) -> impl IntoView {
    let name = match unread {
        0 => "Notifications".to_owned(),
        1.. => format!("Notifications, {unread} new"),
    };
    let count =
        (unread > 0).then(|| view! { <span class="bell-count" aria-hidden="true">{unread.min(99)}</span> });
    view! {
        <a
            class=format!("bell {}", class.unwrap_or_default())
            href="/notifications"
            aria-current=current("/notifications")
            aria-label=name.clone()
            title=name
        >
            <Icon name="bell"/>
            {count}
            {words.map(|words| view! { <span>{words}</span> })}
        </a>
    }
}
