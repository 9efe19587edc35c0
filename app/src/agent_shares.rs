//! Agents that people let each other's agents ask: with whom one's own is shared, and those of others.

pub mod api;
mod askable;
mod page;

pub use askable::AskableSection;
pub use page::ShareAgentPage;
