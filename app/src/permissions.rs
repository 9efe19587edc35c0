//! What a person allows the page of an agent: the server functions, the words for it, and its part
//! of the settings page. Asking for it is the shell's `services`.

pub mod api;
mod section;
mod words;

pub use section::PermissionsSection;
pub(crate) use words::{doing, icon, wish};
