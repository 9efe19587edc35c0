//! Looking for what was said: a form that puts the words into the page's address, and what was found.

pub mod api;
mod hit;
mod page;

pub use hit::entry_address;
pub use page::SearchPage;
