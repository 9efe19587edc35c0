//! Where a conversation is, and what it is called.

use protocol::view::ConversationView;

pub fn address(conversation: &ConversationView) -> String {
    format!("/agents/{}/conversations/{}", conversation.agent, conversation.id)
}

/// Its name; one in which nobody has said anything has none yet.
pub fn title(title: &str) -> String {
    if title.is_empty() { "New conversation".to_owned() } else { title.to_owned() }
}
