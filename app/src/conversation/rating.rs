//! What the person thinks of an answer: up or down, and a note that the next run is given.

use super::context::ConversationContext;
use super::thread::Body;
use super::transcript::RenderedItem;
use crate::AppError;
use crate::conversations::api::list_ratings;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Icon};
use leptos::html::Div;
use leptos::task::spawn_local;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::view::{Rating, Thumb};
use std::collections::BTreeMap;

/// By the entries that they are about.
pub type Ratings = BTreeMap<u64, Rating>;

pub fn by_entry(ratings: &[Rating]) -> Ratings {
    ratings.iter().map(|rating| (rating.seq, rating.clone())).collect()
}

/// What came of a press here or on another device.
pub fn hear(context: ConversationContext, frame: &HubFrame) {
    let is_told = |entry: &Entry| {
        matches!(entry.body, EntryBody::Message { from: Sender::Rating, .. })
            && context.conversation.with_value(|shown| entry.conversation.as_ref() == Some(shown))
    };
    let is_news = matches!(frame, HubFrame::Changed { .. })
        || matches!(frame, HubFrame::Entry { entry } if is_told(entry));
    if !is_news {
        return;
    }
    let id = context.conversation.get_value();
    spawn_local(async move {
        // Without an answer it stands there when the page is opened again.
        if let Ok(ratings) = list_ratings(id).await {
            context.ratings.try_set(by_entry(&ratings));
        }
    });
}

/// Takes in what the hub says to a press, and shows why it did not count.
#[component]
pub fn RatingFailures(context: ConversationContext) -> impl IntoView {
    let (rated, noted) = (context.rate.value(), context.note.value());
    Effect::new(move |_| rated.with(|outcome| take_in(context, outcome.as_ref())));
    Effect::new(move |_| noted.with(|outcome| take_in(context, outcome.as_ref())));
    view! {
        <ActionFailure value=context.rate.value()/>
        <ActionFailure value=context.note.value()/>
    }
}

fn take_in(context: ConversationContext, outcome: Option<&Result<Vec<Rating>, AppError>>) {
    if let Some(Ok(ratings)) = outcome {
        context.ratings.set(by_entry(ratings));
    }
}

/// For an answer that is whole. Nothing where nothing can be written.
#[component]
pub fn RatingButtons(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let RenderedItem { key, seq, body, .. } = shown;
    let entry = Memo::new(move |_| {
        let is_whole = body.with(|body| matches!(body, Body::Text { ends: Some(_), .. }));
        let entry = || if seq > 0 { Some(seq) } else { context.transcript.entry_of(&key) };
        is_whole.then(entry).flatten()
    });
    let shown = move || entry.get().filter(|_| context.tab.with(|tab| !tab.is_empty()));
    move || {
        shown().map(|entry| {
            view! {
                <ThumbButton entry thumb=Thumb::Up context/>
                <ThumbButton entry thumb=Thumb::Down context/>
                <NoteButton entry context/>
            }
        })
    }
}

#[component]
fn ThumbButton(entry: u64, thumb: Thumb, context: ConversationContext) -> impl IntoView {
    let (field, icon, words) = match thumb {
        Thumb::Up => ("&thumb=up", "thumb-up", t("Good answer")),
        Thumb::Down => ("&thumb=down", "thumb-down", t("Bad answer")),
    };
    let is_pressed = Memo::new(move |_| {
        context.ratings.with(|ratings| ratings.get(&entry).is_some_and(|rating| rating.thumb == Some(thumb)))
    });
    let press = move |_| {
        let field = if is_pressed.get_untracked() { "" } else { field };
        let id = context.conversation.get_value();
        drop(context.rate.dispatch(format!("id={id}&entry={entry}{field}")));
    };
    view! {
        <button
            class="button message-tool"
            data-kind="quiet"
            data-shape="icon"
            type="button"
            aria-pressed=move || if is_pressed.get() { "true" } else { "false" }
            aria-label=words
            title=words
            on:click=press
        >
            <Icon name=icon small=true/>
        </button>
    }
}

/// Opens to the note. There is none on what is not rated, unless there was one before.
#[component]
fn NoteButton(entry: u64, context: ConversationContext) -> impl IntoView {
    let is_rated = Memo::new(move |_| context.ratings.with(|ratings| ratings.contains_key(&entry)));
    view! {
        <Show when=move || is_rated.get()>
            <NoteForm entry context/>
        </Show>
    }
}

#[component]
fn NoteForm(entry: u64, context: ConversationContext) -> impl IntoView {
    let rating = Memo::new(move |_| context.ratings.with(|ratings| ratings.get(&entry).cloned()));
    let note = Memo::new(move |_| rating.with(|rating| rating.as_ref().map(|rating| rating.note.clone())));
    let is_there = move || note.with(|note| note.as_ref().is_some_and(|note| !note.is_empty()));
    let words = move || if is_there() { t("Your note") } else { t("Leave a note") };
    let told = move || {
        let name = context.name.get_value();
        match rating.with(|rating| rating.as_ref().and_then(|rating| rating.told_at)) {
            Some(_) => say!("{name} was given this note."),
            None => say!("{name} is given it once, with what you say next."),
        }
    };
    let popover = NodeRef::<Div>::new();
    let close = move || {
        if let Some(popover) = popover.get_untracked()
            && popover.hide_popover().is_err()
        {
            leptos::logging::warn!("The note did not close.");
        }
    };
    let (id, field) = (format!("note-{entry}"), format!("note-text-{entry}"));
    view! {
        <button
            class="button message-tool"
            data-kind="quiet"
            data-shape="icon"
            data-noted=move || is_there().then_some("")
            type="button"
            popovertarget=id.clone()
            aria-label=words
            title=words
        >
            <Icon name="chat" small=true/>
        </button>
        <div
            class="answer-note"
            id=id
            popover="auto"
            role="dialog"
            aria-label="Note on this answer"
            node_ref=popover
            on:submit=move |_| close()
        >
            <ActionForm action=context.note>
                <input type="hidden" name="id" value=context.conversation.get_value().0/>
                <input type="hidden" name="entry" value=entry.to_string()/>
                <label class="field-label" for=field.clone()>"Note on this answer"</label>
                <textarea
                    class="input"
                    id=field
                    name="text"
                    rows="3"
                    maxlength="1000"
                    prop:value=move || note.get().unwrap_or_default()
                ></textarea>
                <p class="field-hint">{told}</p>
                <div class="actions">
                    <button class="button" data-kind="primary" type="submit">"Save"</button>
                </div>
            </ActionForm>
        </div>
    }
}
