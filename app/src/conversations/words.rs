//! Where a conversation is, and what it is called.

use crate::prelude::t;
use protocol::ConversationId;
use protocol::view::ConversationView;

pub fn address(conversation: &ConversationView) -> String {
    format!("/agents/{}/conversations/{}", conversation.agent, conversation.id)
}

/// Where its owner says who else may read it.
pub fn share_address(conversation: &ConversationId) -> String {
    format!("/conversations/{conversation}/share")
}

/// Its name; one in which nobody has said anything has none yet.
pub fn title(title: &str) -> String {
    if title.is_empty() { t("New conversation").to_owned() } else { title.to_owned() }
}
