//! All settings in one place: the pages with an overview of them. Each is set on a page of its own,
//! in the module of its noun.

mod page;
mod rows;
mod states;

pub use page::{HubSettingsPage, SettingsPage};
