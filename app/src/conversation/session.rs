//! What the browser adds to the page once it has taken over: the socket, the skin's frame, and what
//! was kept from before.

use super::composer::put_back;
use super::desk::Desk;
use super::divider;
use super::layout::View;
use super::outbox::Outbox;
use super::storage::{self, Kept};
use super::views;
use crate::{live, sandbox};
use leptos::html;
use leptos::prelude::*;
use protocol::hub::HubFrame;
use protocol::view::PermissionView;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

/// Distance from the end within which a reader counts as being at the end, in pixels.
const NEAR: i32 = 64;

/// Begins when the page is there, and ends with it.
pub fn begin(
    desk: Desk,
    place: NodeRef<html::Section>,
    seq: u64,
    skin_version: u64,
    permissions: Vec<PermissionView>,
) {
    Effect::new(move |has_begun: Option<bool>| {
        let Some(place) = place.get() else { return false };
        if has_begun == Some(true) {
            return true;
        }
        restore(desk);
        desk.tab.set(live::tab().0);
        sandbox::serve();
        let agent = desk.agent.get_value();
        let name = desk.name.get_value();
        sandbox::begin_services(
            agent.clone(),
            name.clone(),
            permissions.clone(),
            desk.panel,
            views::of(desk),
        );
        sandbox::open(agent.clone(), &name, skin_version, place.unchecked_into(), desk.stage);
        let follower = live::follow(agent.clone(), seq, move |frame| take(desk, frame));
        live::show(agent.clone());
        on_cleanup(move || {
            live::unfollow(follower);
            live::hide(&agent);
            sandbox::close(&agent);
        });
        true
    });
    let connection = live::connection();
    Effect::new(move |_| {
        let connection = connection.get();
        desk.connection.set(Some(connection));
        if connection == live::Connection::Live {
            desk.flush();
        }
    });
}

fn take(desk: Desk, frame: &HubFrame) {
    desk.transcript.take(frame);
    let HubFrame::Entry { entry } = frame else { return };
    if desk.outbox.with_untracked(|outbox| !outbox.items().is_empty()) {
        desk.change_outbox(|outbox| {
            outbox.settle(entry);
        });
    }
    sandbox::hear_entry(entry);
}

fn restore(desk: Desk) {
    let agent = desk.agent.get_value();
    if let Some(view) = storage::read(Kept::View, &agent).and_then(|name| View::named(&name)) {
        desk.view.set(view);
    }
    if let Some(share) = storage::read(Kept::Split, &agent).and_then(|share| share.parse().ok()) {
        divider::set(desk, share);
    }
    if let Some(kept) = storage::read(Kept::Outbox, &agent) {
        desk.outbox.set(Outbox::restored(&kept));
    }
    // What was typed before the script was there is newer than what was kept.
    let is_blank = desk.composer.get_untracked().is_some_and(|field| field.value().is_empty());
    if is_blank && let Some(draft) = storage::read(Kept::Draft, &agent) {
        put_back(desk, &draft);
    }
}

/// Scrolls to the end, and stays there while the list grows, unless the person has scrolled away.
pub fn keep_at_end(scroller: NodeRef<html::Div>, list: NodeRef<html::Ol>) {
    Effect::new(move |_| {
        let (Some(scroller), Some(list)) = (scroller.get(), list.get()) else { return };
        let is_at_end = StoredValue::new(true);
        let watched = scroller.clone();
        let on_scroll = Closure::<dyn FnMut()>::new(move || {
            let rest = watched.scroll_height() - watched.scroll_top() - watched.client_height();
            is_at_end.try_set_value(rest < NEAR);
        });
        let grown = scroller.clone();
        let on_resize = Closure::<dyn FnMut()>::new(move || {
            if is_at_end.try_get_value() == Some(true) {
                grown.set_scroll_top(grown.scroll_height());
            }
        });
        scroller.set_onscroll(Some(on_scroll.as_ref().unchecked_ref()));
        let Ok(observer) = ResizeObserver::new(on_resize.as_ref().unchecked_ref()) else { return };
        observer.observe(&list);
        observer.observe(&scroller);
        let kept = StoredValue::new_local((observer, on_scroll, on_resize, scroller));
        on_cleanup(move || {
            kept.with_value(|(observer, _, _, scroller)| {
                observer.disconnect();
                scroller.set_onscroll(None);
            });
        });
    });
}
