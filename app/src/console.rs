//! The console: everybody at work, a word to several at once, and what goes between them.

mod agents;
mod answers;
pub mod api;
mod data;
mod flows;
mod log;
mod page;
mod picture;
mod say;
mod watchers;

pub use page::ConsolePage;
