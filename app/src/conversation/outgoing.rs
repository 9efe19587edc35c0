//! Messages of this tab that are not in the log yet, behind those that are.

use super::attached::attached;
use super::attaching;
use super::composer::put_back;
use super::context::ConversationContext;
use super::outbox::{Delivery, Unsent};
use super::rows::message_text;
use crate::prelude::*;

#[component]
pub fn Outgoing(context: ConversationContext) -> impl IntoView {
    let items = move || context.outbox.with(|outbox| outbox.items().to_vec());
    view! {
        <For
            each=items
            key=|item| (item.id, item.delivery.clone())
            children=move |item| view! { <Item item context/> }
        />
    }
}

#[component]
fn Item(item: Unsent, context: ConversationContext) -> impl IntoView {
    let Unsent { id, text, attachments, delivery, .. } = item;
    let (status, meta) = match delivery {
        Delivery::Sending => (Some("sending"), view! { <p class="message-meta">"Sending"</p> }.into_any()),
        Delivery::Waiting => (Some("sending"), view! { <Waiting id context/> }.into_any()),
        Delivery::Committed => (None, ().into_any()),
        Delivery::Failed { why } => (Some("failed"), view! { <NotSent id why context/> }.into_any()),
    };
    view! {
        <li class="message" data-from="person" data-status=status>
            {attached(attachments)}
            {message_text(text)}
            {meta}
        </li>
    }
}

#[component]
fn Waiting(id: u64, context: ConversationContext) -> impl IntoView {
    view! {
        <p class="message-meta" role="status">"Waits for the hub"</p>
        <div class="actions"><Edit id context/></div>
    }
}

/// Takes the words back into the composer.
#[component]
fn Edit(id: u64, context: ConversationContext) -> impl IntoView {
    let take_back = move |_| {
        let mut taken = None;
        context.change_outbox(|outbox| taken = outbox.take_back(id));
        if let Some(Unsent { text, attachments, model, .. }) = taken {
            if !model.is_empty() {
                context.next_model.set(model);
            }
            attaching::put_back(context, attachments);
            put_back(context, &text);
        }
    };
    view! { <button class="button" data-kind="quiet" type="button" on:click=take_back>"Edit"</button> }
}

#[component]
fn NotSent(id: u64, why: String, context: ConversationContext) -> impl IntoView {
    view! {
        <p class="field-error" role="alert">"Not sent. " {why}</p>
        <div class="actions">
            <button class="button" type="button" on:click=move |_| context.resend(id)>"Retry"</button>
            <Edit id context/>
        </div>
    }
}
