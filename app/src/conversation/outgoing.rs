//! Messages of this tab that are not in the log yet, behind those that are.

use super::composer::put_back;
use super::desk::Desk;
use super::outbox::{Delivery, Unsent};
use leptos::prelude::*;

#[component]
pub fn Outgoing(desk: Desk) -> impl IntoView {
    let items = move || desk.outbox.with(|outbox| outbox.items().to_vec());
    view! {
        <For
            each=items
            key=|item| (item.id, item.delivery.clone())
            children=move |item| view! { <Item item desk/> }
        />
    }
}

#[component]
fn Item(item: Unsent, desk: Desk) -> impl IntoView {
    let Unsent { id, text, delivery, .. } = item;
    let (status, meta) = match delivery {
        Delivery::Sending => (Some("sending"), view! { <p class="message-meta">"Sending"</p> }.into_any()),
        Delivery::Waiting => (Some("sending"), view! { <Waiting id desk/> }.into_any()),
        Delivery::Committed => (None, ().into_any()),
        Delivery::Failed { why } => (Some("failed"), view! { <NotSent id why desk/> }.into_any()),
    };
    view! {
        <li class="message" data-from="person" data-status=status>
            <p class="message-text">{text}</p>
            {meta}
        </li>
    }
}

#[component]
fn Waiting(id: u64, desk: Desk) -> impl IntoView {
    view! {
        <p class="message-meta" role="status">"Waits for the hub"</p>
        <div class="actions"><Edit id desk/></div>
    }
}

/// Takes the words back into the composer.
#[component]
fn Edit(id: u64, desk: Desk) -> impl IntoView {
    let take_back = move |_| {
        let mut text = None;
        desk.change_outbox(|outbox| text = outbox.take_back(id));
        if let Some(text) = text {
            put_back(desk, &text);
        }
    };
    view! { <button class="button" data-kind="quiet" type="button" on:click=take_back>"Edit"</button> }
}

#[component]
fn NotSent(id: u64, why: String, desk: Desk) -> impl IntoView {
    view! {
        <p class="field-error" role="alert">"Not sent. " {why}</p>
        <div class="actions">
            <button class="button" type="button" on:click=move |_| desk.resend(id)>"Retry"</button>
            <Edit id desk/>
        </div>
    }
}
