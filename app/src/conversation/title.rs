//! What the conversation is called: the hub names it by what is said first, and a model or its person otherwise. With
//! it comes the model that it is held with.

use super::context::ConversationContext;
use crate::conversations::api::get_conversation;
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::log::{Entry, EntryBody, Sender};

/// Asks for the title when something was said in a conversation that had none.
pub fn learn(context: ConversationContext, entry: &Entry) {
    let is_said =
        matches!(entry.body, EntryBody::Message { from: Sender::Person | Sender::Program { .. }, .. });
    if !is_said || context.title.with_untracked(|title| !title.is_empty()) {
        return;
    }
    ask(context);
}

/// Asks for it and for the model, whoever has named the conversation or chosen another one meanwhile.
pub fn ask(context: ConversationContext) {
    let id = context.conversation.get_value();
    spawn_local(async move {
        // Without an answer it is named when the page is opened again.
        if let Ok(named) = get_conversation(id).await {
            context.title.try_set(named.title);
            context.model.try_set(named.model);
        }
    });
}
