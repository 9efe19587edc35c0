//! Messages that were written where no page is open any more. Whichever page there is sends them, as soon as there is a
//! connection.

use super::api::send_message;
use super::kept_outbox::{self, Place};
use super::outbox::{Delivery, Unsent};
use crate::browser::{live, open_tabs};
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::view::shell::Connection;
use protocol::{ConversationId, FailureKind, UserId};

/// The conversation that is `shown` sees to its own.
#[component]
pub fn SendLeft(person: UserId, shown: ConversationId) -> impl IntoView {
    let connection = live::connection();
    Effect::new(move |_| {
        if connection.get() == Connection::Live {
            spawn_local(send_left(person.clone(), Some(shown.clone())));
        }
    });
}

/// From any page that shows no conversation. `person`: whose page it is, if it is one of these.
#[component]
pub fn SendLeftElsewhere(person: Memo<Option<UserId>>) -> impl IntoView {
    let connection = live::connection();
    Effect::new(move |_| {
        if let (Connection::Live, Some(person)) = (connection.get(), person.get()) {
            spawn_local(send_left(person, None));
        }
    });
}

async fn send_left(person: UserId, shown: Option<ConversationId>) {
    let open = open_tabs::open().await;
    for place in kept_outbox::left(&person, &live::tab(), &open) {
        if shown.as_ref() != Some(&place.conversation) && !send_all(&person, &place).await {
            return;
        }
    }
}

/// Whether the hub was there. A message that it refuses waits for its person, who sees why in the conversation.
async fn send_all(person: &UserId, place: &Place) -> bool {
    let mut outbox = kept_outbox::read(person, place).unwrap_or_default();
    outbox.settle();
    kept_outbox::write(person, place, &outbox);
    let waiting = outbox.items().iter().filter(|item| item.delivery == Delivery::Waiting);
    for Unsent { text, attachments, model, key, .. } in waiting.cloned().collect::<Vec<_>>() {
        let files = attachments.into_iter().map(|file| file.id).collect();
        let (agent, conversation) = (place.agent.clone(), place.conversation.0.clone());
        // No page of the agent is here that could drive its run.
        let sent = send_message(agent, text, String::new(), key.clone(), conversation, files, model).await;
        // Its page may have come meanwhile, and changed what is kept.
        let mut outbox = kept_outbox::read(person, place).unwrap_or_default();
        match sent {
            Ok(_) => outbox.forget(&key),
            Err(error) if is_passing(error.0.kind) => return false,
            Err(error) => outbox.refuse(&key, error.to_string()),
        }
        kept_outbox::write(person, place, &outbox);
    }
    true
}

/// The same later may be fine.
fn is_passing(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Upstream | FailureKind::Unavailable | FailureKind::Unauthenticated => true,
        FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::Conflict
        | FailureKind::Invalid
        | FailureKind::Limit
        | FailureKind::Internal => false,
    }
}
