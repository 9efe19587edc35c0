//! One agent on the wall.

use super::held::{Held, leaves};
use crate::agents::api::{PauseAgent, PinAgent};
use crate::agents::{PauseButton, PinButton};
use crate::prelude::*;
use crate::ui::{Cost, FormAction, Unread, plain, status_dot, status_words};
use leptos::attr::custom::custom_attribute;
use leptos::ev::{FocusEvent, PointerEvent};
use protocol::AgentId;
use protocol::view::{AgentCard, Spent};
use std::collections::HashMap;

pub(super) type Cards = Memo<HashMap<AgentId, AgentCard>>;

/// A card stays the same element, whatever its agent does.
#[component]
pub(super) fn Card(
    id: AgentId,
    cards: Cards,
    pause: FormAction<PauseAgent>,
    pin: FormAction<PinAgent>,
    held: Held,
    /// Of the heading; as in the document where there is nothing.
    level: Option<&'static str>,
) -> impl IntoView {
    let own = StoredValue::new(id.clone());
    let of = id.clone();
    let card = Memo::new(move |_| cards.with(|all| all.get(&of).cloned()));
    let name =
        Memo::new(move |_| card.with(|card| card.as_ref().map(|card| card.name.clone()).unwrap_or_default()));
    let style = move || card.with(|card| card.as_ref().map(|card| format!("--own:{}", card.colour)));
    let dot = move || card.with(|card| card.as_ref().map(|card| status_dot(card.status, card.paused)));
    let words = move || card.with(|card| card.as_ref().map(|card| status_words(card.status, card.paused)));
    let line = move || card.with(|card| card.as_ref().and_then(|card| card.last_line.as_deref().map(plain)));
    let is_unread = Memo::new(move |_| card.with(|card| card.as_ref().is_some_and(|card| card.unread)));
    let is_paused = Memo::new(move |_| card.with(|card| card.as_ref().is_some_and(|card| card.paused)));
    let is_pinned = Memo::new(move |_| card.with(|card| card.as_ref().is_some_and(|card| card.pinned)));
    let drawn = Memo::new(move |_| card.with(|card| card.as_ref().map_or(0, |card| card.skin_version)));
    let spent =
        Memo::new(move |_| card.with(|card| card.as_ref().map(|card| card.spent).unwrap_or_default()));
    let today = Memo::new(move |_| card.with(|card| card.as_ref().and_then(|card| card.today)));
    let has_cost = move || spent.get() != Spent::default() || today.get().is_some();
    let letter =
        move || name.with(|name| name.chars().take(1).flat_map(char::to_uppercase).collect::<String>());
    let of = id.clone();
    let still = move || {
        let version = drawn.get();
        (version > 0).then(|| {
            view! {
                <iframe
                    class="card-still"
                    src=format!("/sandbox/still/{of}?v={version}")
                    title=""
                    tabindex="-1"
                    aria-hidden="true"
                    inert
                    sandbox=""
                    {..custom_attribute("loading", "lazy")}
                ></iframe>
            }
        })
    };
    let address = format!("/agents/{id}");
    let pinned = id.clone();
    let pin_button =
        move || view! { <PinButton agent=pinned.clone() name=name.get() pinned=is_pinned.get() action=pin/> };
    let pause_button =
        move || view! { <PauseButton agent=id.clone() name=name.get() paused=is_paused.get() action=pause/> };
    let point = move |_: PointerEvent| held.point_at(Some(own.get_value()));
    let focus = move |_: FocusEvent| held.focus(Some(own.get_value()));
    let let_go = move |event: FocusEvent| {
        if leaves(&event) {
            held.focus(None);
        }
    };
    view! {
        <li
            class="card own"
            style=style
            on:pointerenter=point
            on:pointerleave=move |_| held.point_at(None)
            on:focusin=focus
            on:focusout=let_go
        >
            <div class="card-view">
                <span class="card-letter" aria-hidden="true">{letter}</span>
                {still}
            </div>
            <div class="card-label">
                <span class="dot" data-status=dot aria-hidden="true"></span>
                <h2 class="card-name" {..custom_attribute("aria-level", level)}>
                    <a href=address>{move || name.get()}</a>
                    " "
                    <span class="sr-only">{words}</span>
                    <Show when=move || is_unread.get()><Unread/></Show>
                </h2>
                <Show when=has_cost><span class="card-cost"><Cost spent today/></span></Show>
                <p class="card-line">{line}</p>
            </div>
            <div class="card-actions">
                {pin_button}
                {pause_button}
            </div>
        </li>
    }
}
