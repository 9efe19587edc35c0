//! What is remembered of the person, on a page on which they see, add, change and forget it.

mod add;
mod against;
pub mod api;
mod carry;
mod list;
mod meaning;
mod page;
mod said;
mod search;
mod words;

pub use page::MemoryPage;
