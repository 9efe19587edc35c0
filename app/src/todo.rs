//! What there is to do in a conversation. Its card stands in the conversation.

pub mod api;
