//! What agents ask each other to do: the page of all agents, and of one.

pub mod api;
mod page;
mod row;
pub mod words;

pub use page::DelegationsPage;
