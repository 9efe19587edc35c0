//! Where a conversation is.

use protocol::ConversationId;
use protocol::view::ConversationView;

pub fn address(conversation: &ConversationView) -> String {
    format!("/agents/{}/conversations/{}", conversation.agent, conversation.id)
}

/// Where its owner says who else may read it.
pub fn share_address(conversation: &ConversationId) -> String {
    format!("/conversations/{conversation}/share")
}
