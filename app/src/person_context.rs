//! What agents are told around what a person says, on a page on which they turn its sources on and off, see what
//! is told, and correct it.

mod agents;
pub mod api;
mod keys;
mod page;
mod place;
mod said;
mod sources;
mod words;

pub use page::PersonContextPage;
