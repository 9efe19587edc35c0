//! The person's rules about calls of tools: what is allowed, asked about or forbidden for good.

pub mod api;
mod form;
mod page;
mod row;
mod state;
mod wakes;

pub use page::RulesPage;
pub use row::verdict_words;
