//! What is on the screen counts as read, on every device.

use super::context::ConversationContext;
use crate::conversations::api::read_conversation;
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::log::{Entry, EntryBody};

/// Says so now, and whenever the person comes back to the page.
pub fn begin(context: ConversationContext) {
    say(context);
    let come_back = window_event_listener_untyped("visibilitychange", move |_| say(context));
    on_cleanup(move || come_back.remove());
}

/// Something was said in the conversation that is shown.
pub fn hear(context: ConversationContext, entry: &Entry) {
    if matches!(entry.body, EntryBody::RunFinished { .. }) {
        context.is_unread.set(true);
        say(context);
    }
}

fn say(context: ConversationContext) {
    if document().hidden() || !context.is_unread.get_untracked() {
        return;
    }
    context.is_unread.set(false);
    let id = context.conversation.get_value();
    spawn_local(async move {
        // What could not be said is said with the next answer, or when the page is opened again.
        if read_conversation(id).await.is_err() {
            context.is_unread.try_set(true);
        }
    });
}
