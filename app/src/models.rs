//! What is known of models: looked up by everybody, entered and fetched by administrators.

pub mod api;
mod own;
mod page;

pub use page::ModelsPage;
