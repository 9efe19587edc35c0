//! All settings in one place: which there are, and the pages with an overview of them. Each is set on a page of its own,
//! in the module of its noun.

mod page;
mod places;
mod rows;
mod states;

pub use page::{HubSettingsPage, SettingsPage};
pub use places::{Group, Place, groups_for, place_of};
