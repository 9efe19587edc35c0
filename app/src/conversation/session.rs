//! What the browser adds to the page once it has taken over: the socket, the skin's frame, and what
//! was kept from before.

use super::attaching;
use super::composer::{note_draft, put_back, put_before};
use super::context::ConversationContext;
use super::divider;
use super::draft;
use super::jobs;
use super::latest;
use super::layout::View;
use super::paused;
use super::rating;
use super::reading;
use super::storage::{self, StorageKey};
use super::title;
use super::views;
use crate::browser::{self, live, services, shared_files, skin};
use crate::prelude::*;
use leptos::html;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use protocol::view::PermissionView;
use protocol::view::shell::Connection;

/// Begins when the page is there, and ends with it.
pub fn begin(
    context: ConversationContext,
    place: NodeRef<html::Section>,
    seq: u64,
    skin_version: u64,
    permissions: Vec<PermissionView>,
) {
    let (is_asked, is_shared) =
        use_query_map().with_untracked(|query| (query.get("q").is_some(), query.get("files").is_some()));
    let forget_link = forget_link();
    Effect::new(move |has_begun: Option<bool>| {
        let Some(place) = place.get() else { return false };
        if has_begun == Some(true) {
            return true;
        }
        context.tab.set(live::tab().0);
        restore(context, is_asked);
        if is_shared {
            spawn_local(async move { attaching::add(context, shared_files::take().await) });
        }
        forget_link();
        browser::serve();
        let agent = context.agent.get_value();
        let name = context.name.get_value();
        services::begin(agent.clone(), name.clone(), permissions.clone(), context.panel, views::of(context));
        skin::open(agent.clone(), &name, skin_version, place.unchecked_into(), context.stage);
        let follower = live::follow(agent.clone(), seq, move |frame| take(context, frame));
        live::show(agent.clone());
        reading::begin(context);
        on_cleanup(move || {
            draft::save(context);
            live::unfollow(follower);
            live::hide(&agent);
            skin::close(&agent);
            // The field stays for the conversation that comes; what stands in it is kept with this one.
            if let Some(Some(field)) = context.composer.try_get_untracked() {
                field.set_value("");
            }
        });
        true
    });
    let connection = live::connection();
    Effect::new(move |_| {
        let connection = connection.get();
        context.connection.set(Some(connection));
        if connection == Connection::Live {
            context.flush();
            draft::ask(context);
        }
    });
}

/// Takes out of the address what it asks: that is a draft from then on.
fn forget_link() -> impl Fn() {
    let (query, location, navigate) = (use_query_map(), use_location(), use_navigate());
    move || {
        if query.with_untracked(|query| query.get("q").is_some() || query.get("files").is_some()) {
            let here = NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() };
            navigate(&location.pathname.get_untracked(), here);
        }
    }
}

fn take(context: ConversationContext, frame: &HubFrame) {
    context.transcript.take(frame);
    if let HubFrame::Changed { .. } = frame {
        title::ask(context);
        paused::ask(context);
    }
    draft::hear(context, frame);
    rating::hear(context, frame);
    jobs::hear(context, frame);
    let HubFrame::Entry { entry } = frame else { return };
    browser::hear_entry(entry);
    if context.conversation.with_value(|shown| entry.conversation.as_ref() != Some(shown)) {
        return;
    }
    title::learn(context, entry);
    reading::hear(context, entry);
    if let EntryBody::RunFinished { .. } = entry.body {
        latest::let_go(context);
    }
    if context.outbox.with_untracked(|outbox| !outbox.items().is_empty()) {
        context.change_outbox(|outbox| {
            outbox.acknowledge(entry);
        });
    }
}

/// With `is_asked` a link has put words into the composer.
fn restore(context: ConversationContext, is_asked: bool) {
    let agent = context.agent.get_value();
    if let Some(view) = storage::read(StorageKey::View, &agent).and_then(|name| View::named(&name)) {
        context.view.set(view);
    }
    if let Some(share) = storage::read(StorageKey::Split, &agent).and_then(|share| share.parse().ok()) {
        divider::set(context, share);
    }
    context.take_in_own();
    spawn_local(context.take_in_left());
    // What was typed before the script was there is newer than what was kept.
    let is_blank = context.composer.get_untracked().is_some_and(|field| field.value().is_empty());
    match draft::restored(context) {
        Some(draft) if is_blank => put_back(context, &draft),
        Some(draft) if is_asked => put_before(context, &draft),
        Some(_) | None => note_draft(context),
    }
    draft::ask(context);
}
