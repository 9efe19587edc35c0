//! The page where a person says where their agents search the web.

pub mod api;
mod form;
mod list;
mod page;
mod words;

pub use page::WebSearchPage;
