//! The places at the bottom of a phone, and the bell.

use super::bar::Loading;
use super::places::current;
use crate::chrome::PaletteLink;
use crate::prelude::*;
use crate::ui::Icon;
use protocol::view::SideBar;

/// The few places that are one tap away, after the page.
#[component]
pub fn Bottom() -> impl IntoView {
    let loading: Loading = expect_context();
    view! {
        <Transition>
            {move || Suspend::new(async move { loading.shown().await.map(|shown| view! { <BottomBar shown/> }) })}
        </Transition>
    }
}

#[component]
fn BottomBar(shown: Memo<SideBar>) -> impl IntoView {
    let unread = Memo::new(move |_| shown.with(|bar| bar.me.unread.unwrap_or_default()));
    view! {
        <nav class="bottom-bar" aria-label="Places">
            <a class="bottom-link" href="/" aria-current=current("/")>
                <Icon name="vivarium"/>
                <span>"Agents"</span>
            </a>
            <PaletteLink class="bottom-link" icon="search" label="Search" words="Search"/>
            <Bell class="bottom-link" unread/>
            <button class="bottom-link" type="button" popovertarget="side-bar">
                <Icon name="more"/>
                <span>"Menu"</span>
            </button>
        </nav>
    }
}

/// Leads to what the person was told of, with how much of it they have not read. `class` is of the bar that it stands
/// in.
#[component]
pub(super) fn Bell(unread: Memo<u32>, class: &'static str) -> impl IntoView {
    let count = move || {
        let unread = unread.get();
        (unread > 0).then(|| {
            view! {
                <span class="sr-only">{say!("{unread} new")}</span>
                <span class="bell-count" aria-hidden="true">{unread.min(99)}</span>
            }
        })
    };
    view! {
        <a class=class href="/notifications" aria-current=current("/notifications") title="Notifications">
            <Icon name="bell"/>
            <span class="bell-words">"Notifications"</span>
            {count}
        </a>
    }
}
