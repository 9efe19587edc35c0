//! The page that shows what an agent's model is sent, and what was left out of it.

pub mod api;
mod page;
mod section;
mod step;

pub use page::ContextPage;
