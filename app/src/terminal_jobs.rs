//! Commands of agents in the background. Their card stands in the conversation.

pub mod api;
