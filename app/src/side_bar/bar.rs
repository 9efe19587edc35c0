//! The bar as a whole, and when it is read anew.

use super::agents::{Agents, NeedsYou};
use super::api::side_bar;
use super::bottom::Bell;
use super::places::{PLACES, Places, RunTheHub, SETTINGS, SideLink};
use crate::AppError;
use crate::browser::{follow_agents, soon};
use crate::chrome::{PageResource, PaletteLink, known_person_signal};
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::MouseEvent;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use protocol::FailureKind;
use protocol::log::{CallEvent, Class, EntryBody, RunEvent};
use protocol::view::{Right, SideBar};
use std::time::Duration;

/// What happens within this time is read at once.
const TOGETHER: Duration = Duration::from_millis(200);

/// What the bar and the places at the bottom are drawn of; nothing for somebody who is not signed in.
#[derive(Clone, Copy)]
pub(super) struct Loading {
    pub(super) bar: PageResource<Option<SideBar>>,
    /// What was shown last, for when it does not come.
    last: StoredValue<Option<SideBar>>,
}

impl Loading {
    pub(super) async fn read(self) -> Option<SideBar> {
        match self.bar.read().await {
            Ok(bar) => {
                self.last.try_set_value(bar.clone());
                bar
            }
            Err(_) => self.last.try_get_value().flatten(),
        }
    }
}

/// One for all pages of the document.
pub fn provide_side_bar() {
    let bar = PageResource::new(|| (), |()| load());
    let again = soon(TOGETHER, move || bar.refetch());
    let agents = move || {
        let shown = bar.get()?.ok()?;
        let agents = shown.map(|bar| bar.agents).unwrap_or_default();
        Some(agents.into_iter().map(|agent| (agent.id, agent.seq)).collect())
    };
    follow_agents(agents, shows, again);
    // Each page that comes tells for whom it is.
    let person = known_person_signal();
    Effect::new(move |before: Option<()>| {
        person.track();
        if before.is_some() {
            again.run(());
        }
    });
    provide_context(Loading { bar, last: StoredValue::new(None) });
}

fn shows(body: &EntryBody) -> bool {
    matches!(
        body.class(),
        Class::Run(RunEvent::Started { .. } | RunEvent::Finished { .. })
            | Class::Call(
                CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled
            )
    )
}

async fn load() -> Result<Option<SideBar>, AppError> {
    // What is refused says so on the page: nobody is refused anything here.
    #[cfg(feature = "ssr")]
    if !crate::context::is_signed_in() {
        return Ok(None);
    }
    match side_bar().await {
        Ok(bar) => Ok(Some(bar)),
        Err(AppError(failure)) if failure.kind == FailureKind::Unauthenticated => Ok(None),
        Err(error) => Err(error),
    }
}

/// The bar, beside the page. The element itself stays, whatever is read: it may be open, and is scrolled.
#[component]
pub fn Beside() -> impl IntoView {
    let loading: Loading = expect_context();
    view! {
        <nav class="side-bar" id="side-bar" popover="auto" aria-label="Main" on:click=close_with_link>
            <Transition>
                {move || Suspend::new(async move { loading.read().await.map(|bar| view! { <Bar bar/> }) })}
            </Transition>
        </nav>
    }
}

#[component]
fn Bar(bar: SideBar) -> impl IntoView {
    let SideBar { me, agents } = bar;
    let account = me.name.clone();
    view! {
        <div class="side-head">
            <a class="brand" href="/" aria-label={"Vivarium"} title={"Vivarium"}>
                <Icon name="vivarium"/>
                <span class="side-words">{"Vivarium"}</span>
            </a>
            <button class="button side-open" type="button" data-kind="quiet" data-shape="icon" popovertarget="side-bar" aria-label="Menu" title="Menu">
                <Icon name="more"/>
            </button>
            <Bell class="bell" unread=me.unread.unwrap_or_default()/>
        </div>
        <ul class="side-list">
            <li><PaletteLink class="side-link" icon="search" label="Search" words="Search"/></li>
            <li><SideLink href="/agents/new" icon="plus" words="New agent"/></li>
        </ul>
        <NeedsYou agents=agents.clone()/>
        <Agents agents/>
        <Places name={t("Work")} places=PLACES/>
        <Places name={t("Settings")} places=SETTINGS/>
        {me.rights.contains(&Right::RunTheHub).then(|| view! { <RunTheHub/> })}
        <ul class="side-list side-foot">
            <li><SideLink href="/account" icon="user" words="Account" about=account/></li>
        </ul>
    }
}

/// Open over the page, it closes with the page that it was opened on.
fn close_with_link(event: MouseEvent) {
    let pressed = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if !pressed.is_some_and(|pressed| pressed.closest("a").is_ok_and(|link| link.is_some())) {
        return;
    }
    if let Some(bar) = event.current_target().and_then(|bar| bar.dyn_into::<HtmlElement>().ok())
        && bar.matches(":popover-open").unwrap_or(false)
        && bar.hide_popover().is_err()
    {
        leptos::logging::warn!("The side bar did not close.");
    }
}
