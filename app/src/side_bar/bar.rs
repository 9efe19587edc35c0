//! The bar as a whole, and when it is read anew.

use super::agents::{Agents, NeedsYou, SideAgents};
use super::api::side_bar;
use super::bottom::Bell;
use super::places::{PLACES, Places, SideLink};
use crate::AppError;
use crate::browser::{follow_agents, follow_person, reading_anew, soon};
use crate::chrome::{Attention, PageResource, PaletteLink, known_person_signal};
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
    first: PageResource<Option<SideBar>>,
    /// What was read since.
    fresh: RwSignal<Option<SideBar>>,
}

impl Loading {
    /// What is drawn once, and of what is in it from then on.
    pub(super) async fn shown(self) -> Option<Memo<SideBar>> {
        let first = self.first.read().await.ok().flatten()?;
        // What was read before the document is taken over is not what the server drew.
        let is_taken_over = RwSignal::new(false);
        Effect::new(move |_| is_taken_over.set(true));
        Some(Memo::new(move |_| {
            let fresh = if is_taken_over.get() { self.fresh.get() } else { None };
            fresh.unwrap_or_else(|| first.clone())
        }))
    }

    fn newest(self) -> Option<SideBar> {
        self.fresh.get().or_else(|| self.first.get()?.ok()?)
    }
}

/// One for all pages of the document.
pub fn provide_side_bar() {
    let loading = Loading { first: PageResource::new(|| (), |()| load()), fresh: RwSignal::new(None) };
    let read = || async { load().await.ok().flatten() };
    let anew = reading_anew(read, move |bar| {
        loading.fresh.try_set(Some(bar));
    });
    let again = soon(TOGETHER, move || {
        // What did not come at first is drawn when it does.
        match untrack(move || loading.newest()) {
            Some(_) => anew(),
            None => loading.first.refetch(),
        }
    });
    let agents = move || {
        let agents = loading.newest()?.agents;
        Some(agents.into_iter().map(|agent| (agent.id, agent.seq)).collect())
    };
    follow_agents(agents, shows, again);
    follow_person(again);
    // Each page that comes tells for whom it is.
    let person = known_person_signal();
    Effect::new(move |before: Option<()>| {
        person.track();
        if before.is_some() {
            again.run(());
        }
    });
    provide_context(loading);
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
                {move || Suspend::new(async move { loading.shown().await.map(|shown| view! { <Bar shown/> }) })}
            </Transition>
        </nav>
    }
}

#[component]
fn Bar(shown: Memo<SideBar>) -> impl IntoView {
    let account = Memo::new(move |_| shown.with(|bar| bar.me.name.clone()));
    let runs_the_hub = Memo::new(move |_| shown.with(|bar| bar.me.rights.contains(&Right::RunTheHub)));
    let unread = Memo::new(move |_| shown.with(|bar| bar.me.unread.unwrap_or_default()));
    let agents = SideAgents::of(shown);
    let Attention(attention) = expect_context();
    Effect::new(move |_| attention.set(unread.get() + agents.waiting()));
    view! {
        <div class="side-head">
            <a class="brand" href="/" aria-label={"Vivarium"} title={"Vivarium"}>
                <Icon name="vivarium"/>
                <span class="side-words">{"Vivarium"}</span>
            </a>
            <button class="button side-open" type="button" data-kind="quiet" data-shape="icon" popovertarget="side-bar" aria-label="Menu" title="Menu">
                <Icon name="more"/>
            </button>
            <Bell class="bell" unread/>
        </div>
        <ul class="side-list">
            <li><PaletteLink class="side-link" icon="search" label="Search" words="Search"/></li>
            <li><SideLink href="/agents/new" icon="plus" words="New agent"/></li>
        </ul>
        <NeedsYou agents/>
        <Agents agents/>
        <Places name={t("Work")} places=PLACES/>
        <ul class="side-list side-foot">
            <li><SideLink href="/settings" icon="settings" words="Settings"/></li>
            <Show when=move || runs_the_hub.get()>
                <li><SideLink href="/settings/hub" icon="home-hub" words="The hub"/></li>
            </Show>
            <li>{move || view! { <SideLink href="/account" icon="user" words="Account" about=account.get()/> }}</li>
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
