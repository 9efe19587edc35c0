//! What a person allows the page of an agent: the server functions, the words for it, and its part
//! of the settings page.

pub mod api;
mod section;
mod words;

pub use section::PermissionsSection;
