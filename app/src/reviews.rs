//! What waits for a person to look at it, and holds up no agent.

pub mod api;
