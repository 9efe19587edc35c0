//! The page that lists the tools that an agent made for itself, with their code, and takes them away.

pub mod api;
mod page;
mod row;

pub use page::MadeToolsPage;
